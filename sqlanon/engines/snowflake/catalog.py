"""Relations in Snowflake's catalog, by their full names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlanon.engines.base import Standing
from sqlanon.engines.snowflake.names import our_name, stored_name
from sqlanon.plan import Rows
from sqlanon.sql.names import Relation, Sql, literal

Ask = Callable[[str], Rows]  # runs a query


def standing(relations: Sequence[Relation], ask: Ask) -> dict[Relation, Standing]:
    """Those of some relations that exist, and that the role may see."""
    found: dict[Relation, Standing] = {}
    for path in dict.fromkeys(one.path for one in relations):
        named = {stored_name(one.name): one for one in relations if one.path == path}
        these = f"{_within(path)} and table_name in ({', '.join(map(literal, named))})"
        rows = ask(
            f"select table_name, table_type, comment from {_view(path, 'tables')} {these} union "
            "select table_name, 'VIEW' as table_type, comment "
            f"from {_view(path, 'views')} {these}"
        ).rows
        found |= {
            named[name]: Standing("view" if "VIEW" in kind else "table", comment)
            for name, kind, comment in rows
        }
    return {one: found[one] for one in relations if one in found}


def tables_in(path: tuple[str, ...], ask: Ask) -> list[Relation]:
    """The relations of a schema."""
    found = ask(
        f"select table_name from {_view(path, 'tables')} {_within(path)} order by table_name"
    )
    return [Relation(our_name(name), path) for (name,) in found.rows]


def text_of(view: Relation, ask: Ask) -> str:
    """The statement that made a view; empty if the role may not see it."""
    found = ask(
        f"select view_definition from {_view(view.path, 'views')} {_within(view.path)} "
        f"and table_name = {literal(stored_name(view.name))}"
    )
    return str(found.rows[0][0] or "") if found.rows else ""


def has_schema(path: tuple[str, ...], ask: Ask) -> bool:
    """Whether a schema exists, in a database that does."""
    found = ask(
        f"select 1 as one from {_view(path, 'schemata')} "
        f"where schema_name = {literal(stored_name(path[1]))}"
    )
    return bool(found.rows)


def _view(path: tuple[str, ...], name: str) -> Sql:
    """A view of the catalog of a database."""
    return Sql(f"{Relation(path[0]).sql}.information_schema.{name}")


def _within(path: tuple[str, ...]) -> str:
    return f"where table_schema = {literal(stored_name(path[1]))}"
