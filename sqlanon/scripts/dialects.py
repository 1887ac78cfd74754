"""The one table of how a script is written in each dialect."""

from __future__ import annotations

from sqlanon.scripts.duckdb import DuckDBSyntax
from sqlanon.scripts.postgres import PostgresSyntax
from sqlanon.scripts.schema import SchemaSyntax, SparkSyntax
from sqlanon.scripts.syntax import Syntax
from sqlanon.sql.products import PRODUCTS
from sqlanon.sql.templates import filled

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
