"""The one table of how a script is written in each dialect.

DuckDB's scripts refuse some settings before they begin. Where each statement commits by itself, a
release is published at the end, and work tables have a schema of their own until then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlanon.plan import StepRecord
from sqlanon.scripts.postgres import PostgresSyntax
from sqlanon.scripts.syntax import HEADING, HOLDS, OWN_HEADING, REFUSAL, Gate, Marks, Syntax, Writer
from sqlanon.sql.names import Relation, filled, literal, quoted
from sqlanon.sql.products import PRODUCTS
from sqlanon.sql.templates import readable


class SchemaSyntax(Syntax):
    """How a script is written where there are no temporary tables and no transactions.

    A check that fails ends the script. It leaves the older release, and the schema with what was
    made until then, which the next run of the script drops.
    """

    def own_parts(
        self, statements: Sequence[StepRecord | Gate], writer: Writer, marks: Marks | None
    ) -> Iterator[str]:
        """The parts of the script, in order."""
        from sqlanon.scripts.staging import Staging  # it reads SQL as a tree, which is slow to load

        settings = PRODUCTS[writer.dialect].settings
        made = [statement for statement in statements if isinstance(statement, StepRecord)]
        release = next(step.relation for step in made if step.how.published)
        path = (f"sqlanon_work_{release.name}",)
        work = {step.relation for step in made if not step.how.published}
        names = {relation: Relation(relation.name, path) for relation in work}
        staging = Staging(self, writer.dialect, names, path, writer.naming)
        schema = quoted(Relation(*path), writer.dialect)

        if settings:
            yield "\n".join(f"set {name} = {value};" for name, value in settings.items())
        yield (
            f"{writer.comment('Work tables stand in a schema of their own.')}\n"
            f"drop schema if exists {schema} cascade;\ncreate schema {schema};"
        )
        for number, statement in enumerate(statements, 1):
            heading = writer.heading(number, statement)
            if isinstance(statement, Gate):
                yield f"{heading}\n{writer.refusing(statement, staging.query)}"
                continue
            record = staging.made(statement)
            name = quoted(record.relation, writer.dialect)
            drop = f"drop table if exists {name};"
            yield f"{heading}\n{drop}\ncreate table {name} as\n{readable(record.sql, True)};"
        yield writer.comment(HOLDS)
        yield from staging.publishing(marks)
        yield f"drop schema {schema} cascade;"


class SparkSyntax(SchemaSyntax):
    """How spark-sql reads a script: no table of Spark's own can be replaced."""

    def publishing(self, relation: Relation, staged: str, dialect: str) -> str:
        """The statements that publish a table: it is whole before the older one is dropped."""
        final = quoted(relation, dialect)
        beside = quoted(Relation(f"{relation.name}__new", relation.path), dialect)
        bare = quoted(Relation(relation.name, relation.path[-1:]), dialect)  # without a catalog
        return (
            f"drop table if exists {beside};\ncreate table {beside} as\nselect * from {staged};\n"
            f"drop table if exists {final};\nalter table {beside} rename to {bare};"
        )

    def mark_of_view(self, marks: Marks) -> str:
        """The text that marks a view where it is made, before ``as``."""
        return f" comment {literal(marks.text)}"


class DuckDBSyntax(Syntax):
    """How DuckDB reads a script."""

    def standing_in(self, relations: Sequence[Relation]) -> Iterator[str]:
        """Nothing temporary and no macro has the name of what is made, read or called."""
        yield f"{HEADING}\n{_standing_in(relations)}"

    def foreign(self, marks: Marks, relations: Sequence[Relation]) -> Iterator[str]:
        """A relation of ours bears a mark, and the number of the release that is recorded."""
        yield f"{OWN_HEADING}\n{_foreign(marks, relations)}"


def _standing_in(relations: Sequence[Relation]) -> str:
    names = ", ".join(str(literal(relation.name.lower())) for relation in relations)
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
    names = ", ".join(str(literal(relation.name.lower())) for relation in relations)
    same = "= {0} || recorded.number" if marks.run in relations else "like {0} || '%'"
    ours = f"found.comment {same.format(literal(marks.prefix))}"
    return f"""set variable sqlanon_recorded = (
    select case count(*) when 0 then 'select null as number' else {literal(recorded)} end
    from duckdb_tables() where {_in_its_schema(marks.run)} and lower(table_name) = {literal(marks.run.name.lower())}
);
select error('release: a relation ' || found.name || {literal(f" {REFUSAL}")}) as refused
from (
    select database_name, schema_name, table_name as name, comment from duckdb_tables()
    union all
    select database_name, schema_name, view_name, comment from duckdb_views()
) as found
cross join query(getvariable('sqlanon_recorded')) as recorded
where {_in_its_schema(relations[0])} and lower(found.name) in ({names})
    and not coalesce({ours}, false);
reset variable sqlanon_recorded;"""  # noqa: E501


def _in_its_schema(relation: Relation) -> str:
    """Where DuckDB looks for a relation; a schema's name may be that of a database instead."""
    here = "database_name = current_database() and schema_name = "
    if not relation.path:
        return f"{here}current_schema()"
    path = [str(literal(part)) for part in relation.path]
    if len(path) > 1:
        return f"database_name = {path[-2]} and schema_name = {path[-1]}"
    return f"({here}{path[0]} or database_name = {path[0]} and schema_name = 'main')"


_STAGED = (
    "Each of its statements commits by itself. The release is made and measured as work tables; it",
    "takes the place of the older one at the end, table by table. A check that fails ends the",
    "script, if the client stops at an error: the older release stays, and nothing is published.",
)
_LISTED = (
    "nullif(listagg({text}, '; '), '')"  # of no row it may be an empty text, which no number is
)
_ARRAY = "array_join(array_agg({text}), '; ')"
_AS_NUMBER = "cast({message} as integer)"  # no function fails with a message: this cast does
# How each dialect writes a script.
SYNTAX = {
    "duckdb": DuckDBSyntax(
        drop_work="drop {kind} {name};",
        work_path=("temp", "main"),
        begin=(
            filled(
                "\n".join(
                    f"set {name} = '{value}';"
                    for name, value in PRODUCTS["duckdb"].settings.items()
                )
            ),
            "begin transaction;",
        ),
        commit="commit;",
    ),
    "postgres": PostgresSyntax(
        work_table="create temporary table",
        work_view="create temporary view",
        make="create",
        drop_work="drop {kind} if exists {name} cascade;",
        work_path=("pg_temp",),
        begin=(
            "begin isolation level repeatable read;",
            "".join(
                f"set local {name} = '{value}';\n"
                for name, value in PRODUCTS["postgres"].settings.items()
            )
            + "set local client_min_messages = warning;\n"
            "set local row_security = off;\n"
            "set local enable_nestloop = off;\n"
            "set local jit = off;",
            "-- What makes a check fail.\n"
            "create or replace function pg_temp.refuse(message text) returns void\n"
            "language plpgsql as 'begin raise exception using message = message; end';",
        ),
        commit="commit;",
        refuse="pg_temp.refuse({message})",
        text="text",
        remarks=("Run it with: psql -v ON_ERROR_STOP=1 -f FILE",),
    ),
    "redshift": Syntax(
        work_table="create temporary table",
        work_view="create temporary table",
        make="create",
        begin=("begin;",),
        commit="commit;",
        refuse=_AS_NUMBER,
        joined=_LISTED,
        folds=True,
        untested="Redshift",
    ),
    "snowflake": Syntax(
        refuse=_AS_NUMBER,
        joined=_LISTED,
        folds=True,
        untested="Snowflake",
        emulator="fakesnow, an emulator of it",
        remarks=(*_STAGED, "With snowsql: -o exit_on_error=true"),
        staged=True,
    ),
    "bigquery": Syntax(
        work_table="create or replace temp table",
        work_view="create or replace temp table",
        text="string",
        untested="BigQuery",
        emulator="bqemulator, an emulator of it",
        remarks=_STAGED,
        staged=True,
    ),
    "clickhouse": Syntax(
        work_table="create or replace temporary table",
        work_view="create or replace temporary table",
        begin=(
            "\n".join(
                f"set {name} = '{value}';"
                for name, value in PRODUCTS["clickhouse"].settings.items()
            ),
        ),
        refuse="toInt32({message})",  # throwIf takes no message that is not constant
        text="Nullable(String)",
        joined="arrayStringConcat(groupArray({text}), '; ')",  # no NULL: of one toInt32 is NULL
        folds=True,
        untested="ClickHouse",
        emulator="chdb, ClickHouse as a library",
        remarks=(*_STAGED, "Run it with: clickhouse-client --queries-file FILE"),
        staged=True,
    ),
    "trino": SchemaSyntax(
        refuse="fail({message})",
        joined=_ARRAY,
        untested="Trino",
        remarks=_STAGED,
    ),
    "spark": SparkSyntax(
        refuse="raise_error({message})",
        text="string",
        joined=_ARRAY,
        remarks=("Run it with: spark-sql -f FILE",),
    ),
    "databricks": SchemaSyntax(
        refuse="raise_error({message})",
        text="string",
        joined=_ARRAY,
        untested="Databricks",
        remarks=_STAGED,
    ),
}
