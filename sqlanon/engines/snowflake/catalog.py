"""Relations in Snowflake's catalog."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.engines.base import Standing
from sqlanon.engines.snowflake.names import our_name, stored_name
from sqlanon.engines.warehouse.catalog import Catalog
from sqlanon.sql.names import Relation, Sql, literal


class SnowflakeCatalog(Catalog):
    """The information schema of each database."""

    def standing_in(
        self, path: tuple[str, ...], relations: Sequence[Relation]
    ) -> dict[Relation, Standing]:
        """Those of some relations of one schema that exist, and that the role may see."""
        named = {stored_name(one.name): one for one in relations}
        these = f"{_within(path)} and table_name in ({', '.join(map(literal, named))})"
        rows = self._ask(
            f"select table_name, table_type, comment from {_view(path, 'tables')} {these} union "
            "select table_name, 'VIEW' as table_type, comment "
            f"from {_view(path, 'views')} {these}"
        ).rows
        return {
            named[name]: Standing("view" if "VIEW" in kind else "table", comment)
            for name, kind, comment in rows
        }

    def tables_in(self, path: tuple[str, ...]) -> list[Relation]:
        """The relations of a schema."""
        found = self._ask(
            f"select table_name from {_view(path, 'tables')} {_within(path)} order by table_name"
        )
        return [Relation(our_name(name), path) for (name,) in found.rows]

    def text_of(self, view: Relation) -> str:
        """The statement that made a view; empty if the role may not see it."""
        found = self._ask(
            f"select view_definition from {_view(view.path, 'views')} {_within(view.path)} "
            f"and table_name = {literal(stored_name(view.name))}"
        )
        return str(found.rows[0][0] or "") if found.rows else ""

    def has_schema(self, path: tuple[str, ...]) -> bool:
        """Whether a schema exists, in a database that does."""
        found = self._ask(
            f"select 1 as one from {_view(path, 'schemata')} "
            f"where schema_name = {literal(stored_name(path[1]))}"
        )
        return bool(found.rows)


def _view(path: tuple[str, ...], name: str) -> Sql:
    """A view of the catalog of a database."""
    return Sql(f"{Relation(path[0]).sql}.information_schema.{name}")


def _within(path: tuple[str, ...]) -> str:
    return f"where table_schema = {literal(stored_name(path[1]))}"
