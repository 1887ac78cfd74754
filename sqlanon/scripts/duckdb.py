"""The part of a script that only DuckDB has: what it refuses before it begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlanon.scripts.syntax import HEADING, OWN_HEADING, REFUSAL, Marks, Syntax
from sqlanon.sql.names import Relation, literal


class DuckDBSyntax(Syntax):
    """How DuckDB reads a script."""

    def standing_in(self, relations: Sequence[Relation]) -> Iterator[str]:
        """Nothing temporary and no macro has the name of what is made, read or called."""
        yield f"{HEADING}\n{_standing_in(relations)}"

    def foreign(self, marks: Marks, relations: Sequence[Relation]) -> Iterator[str]:
        """A relation of ours bears a mark, and the number of the release that is recorded."""
        yield f"{OWN_HEADING}\n{_foreign(marks, relations)}"


def _standing_in(relations: Sequence[Relation]) -> str:
    names = ", ".join(str(literal(one.name.lower())) for one in relations)
    return f"""select system.main.error(system.main.concat(found.what, ' stands in for another: drop or rename it')) as refused
from (
    select system.main.concat('the temporary table ', table_name) as what from system.main.duckdb_tables()
    where database_name = 'temp' and system.main.lower(table_name) in ({names})
    union all
    select system.main.concat('the temporary view ', view_name) from system.main.duckdb_views()
    where database_name = 'temp' and system.main.lower(view_name) in ({names})
    union all
    select system.main.concat('the macro ', mine.function_name) from system.main.duckdb_functions() as mine
    where not mine.internal and mine.database_name in ('temp', system.main.current_database())
        and system.main.lower(mine.function_name) in (select its.function_name from system.main.duckdb_functions() as its where its.internal)
) as found;"""  # noqa: E501


def _foreign(marks: Marks, relations: Sequence[Relation]) -> str:
    recorded = (
        f"select max(value) as number from {marks.run.sql} where item = {literal(marks.item)}"
    )
    names = ", ".join(str(literal(one.name.lower())) for one in relations)
    same = "= {0} || recorded.number" if marks.run in relations else "like {0} || '%'"
    ours = f"found.comment {same.format(literal(marks.prefix))}"
    return f"""set variable sqlanon_recorded = (
    select case count(*) when 0 then 'select null as number' else {literal(recorded)} end
    from duckdb_tables() where {_place(marks.run)} and lower(table_name) = {literal(marks.run.name.lower())}
);
select error('release: a relation ' || found.name || {literal(f" {REFUSAL}")}) as refused
from (
    select database_name, schema_name, table_name as name, comment from duckdb_tables()
    union all
    select database_name, schema_name, view_name, comment from duckdb_views()
) as found
cross join query(getvariable('sqlanon_recorded')) as recorded
where {_place(relations[0])} and lower(found.name) in ({names})
    and not coalesce({ours}, false);
reset variable sqlanon_recorded;"""  # noqa: E501


def _place(relation: Relation) -> str:
    """Where DuckDB looks for a relation; a schema's name may be that of a database instead."""
    here = "database_name = current_database() and schema_name = "
    if not relation.path:
        return f"{here}current_schema()"
    place = [str(literal(part)) for part in relation.path]
    if len(place) > 1:
        return f"database_name = {place[-2]} and schema_name = {place[-1]}"
    return f"({here}{place[0]} or database_name = {place[0]} and schema_name = 'main')"
