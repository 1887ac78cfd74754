"""Relations in ClickHouse's catalog."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.engines.base import Standing
from sqlanon.engines.warehouse.catalog import Catalog
from sqlanon.sql.dialects import text_literal
from sqlanon.sql.names import Relation


class ClickHouseCatalog(Catalog):
    """The tables of ``system``."""

    def standing_in(
        self, path: tuple[str, ...], relations: Sequence[Relation]
    ) -> dict[Relation, Standing]:
        """Those of some relations of one database that exist, and that the user may see."""
        named = {one.name: one for one in relations}
        rows = self._ask(
            f"select name, engine, comment from system.tables {_within(path)} "
            f"and name in ({', '.join(map(_text, named))})"
        ).rows
        return {
            named[name]: Standing("view" if "View" in engine else "table", comment or None)
            for name, engine, comment in rows
        }

    def tables_in(self, path: tuple[str, ...]) -> list[Relation]:
        """The relations of a database."""
        found = self._ask(f"select name from system.tables {_within(path)} order by name")
        return [Relation(name, path) for (name,) in found.rows]

    def text_of(self, view: Relation) -> str:
        """The SELECT that a view is made of."""
        found = self._ask(
            f"select as_select from system.tables {_within(view.path)} "
            f"and name = {_text(view.name)}"
        )
        return str(found.rows[0][0]) if found.rows else ""

    def has_schema(self, path: tuple[str, ...]) -> bool:
        """Whether a database exists."""
        named = _text(".".join(path))
        return bool(self._ask(f"select 1 as one from system.databases where name = {named}").rows)


def _text(text: str) -> str:
    return text_literal(text, "clickhouse")


def _within(path: tuple[str, ...]) -> str:
    return f"where database = {_text('.'.join(path))}"
