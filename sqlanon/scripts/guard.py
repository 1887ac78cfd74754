"""What a script refuses before it begins: what would stand in for what it makes, reads or calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlanon.sql import Relation, literal

_HEADING = "-- Nothing stands in for what is made, read or called here."
_READ_RIGHT = r"""select pg_temp.refuse('standard_conforming_strings must be on') as refused
where pg_catalog.length('\\') operator(pg_catalog.<>) 2;"""  # of what reads the script at once
_SAFE_PATH = "set local search_path = pg_catalog, pg_temp;"


def guards(dialect: str, relations: Sequence[Relation]) -> Iterator[str]:
    """The parts of a script that come before its first step.

    Args:
        dialect: the dialect of the script.
        relations: what it publishes, and the table that it reads.
    """
    if dialect == "duckdb":
        yield f"{_HEADING}\n{_in_duckdb(relations)}"
    if dialect == "postgres":
        yield f"{_HEADING}\n{_in_postgres(relations)}\n{_READ_RIGHT}"


def in_users_names(statement: str, dialect: str) -> str:
    """A statement that reads a query of the user's, whose names are found as the user means."""
    if dialect != "postgres":
        return statement
    users = "select set_config('search_path', current_setting('sqlanon.path'), true);"
    return f"{users}\n{statement}\n{_SAFE_PATH}"


def _in_duckdb(relations: Sequence[Relation]) -> str:
    names = ", ".join(str(literal(one.name.lower())) for one in relations)
    return f"""select system.main.error(
    system.main.concat(found.what, ' stands in for another: drop or rename it')
) as refused
from (
    select system.main.concat('the temporary table ', table_name) as what
    from system.main.duckdb_tables()
    where database_name = 'temp' and system.main.lower(table_name) in ({names})
    union all
    select system.main.concat('the temporary view ', view_name)
    from system.main.duckdb_views()
    where database_name = 'temp' and system.main.lower(view_name) in ({names})
    union all
    select system.main.concat('the macro ', mine.function_name)
    from system.main.duckdb_functions() as mine
    where
        not mine.internal
        and mine.database_name in ('temp', system.main.current_database())
        and system.main.lower(mine.function_name) in (
            select its.function_name
            from system.main.duckdb_functions() as its
            where its.internal
        )
) as found;"""


def _in_postgres(relations: Sequence[Relation]) -> str:
    """The server's own functions alone, if every name is full; else the user's path, looked at.

    What an extension brings is for types of its own.
    """
    path = "pg_catalog.current_setting('search_path')"
    saved = f"select pg_catalog.set_config('sqlanon.path', {path}, true);"
    if all(one.path for one in relations):
        return f"{saved}\n{_SAFE_PATH}"
    return f"""{saved}
select pg_catalog.set_config(
    'sqlanon.schemas', cast(pg_catalog.current_schemas(false) as text), true
);
{_SAFE_PATH}
select pg_temp.refuse(
    concat(found.what, ' of your own has the name of one of the server''s: drop or rename it')
) as refused
from (
    select concat('the function ', proname) as what, pronamespace as place, oid
    from pg_proc
    where proname in (select proname from pg_proc where pronamespace = {_OWN})
    union all
    select concat('the operator ', oprname), oprnamespace, oid
    from pg_operator
    where oprname in (select oprname from pg_operator where oprnamespace = {_OWN})
) as found
where
    found.place in (
        select oid
        from pg_namespace
        where nspname = any(cast(current_setting('sqlanon.schemas') as name[]))
    )
    and found.place <> {_OWN}
    and found.oid not in (select objid from pg_depend where deptype = 'e');
select set_config(
    'search_path', concat(current_setting('sqlanon.path'), ', pg_temp'), true
);"""


_OWN = "cast('pg_catalog' as regnamespace)"
