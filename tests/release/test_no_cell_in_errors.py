"""No cell of the data is in an error, whatever a view, a function or a file makes of it.

Every table here holds SECRET0: no message, representation, JSON, log line or stderr may show it.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from servers import PostgresPlace, place
from support import DEALT, Connection, database

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.cli.output import error_object
from sqlanon.engines import open_engine
from sqlanon.errors import SqlanonError

SECRET = "SECRET0"
ROLES: dict[str, Any] = {"quasi_identifiers": ["a"], "sensitive": ["s"], "k": 2, "seed": 1, **DEALT}
TABLE = f"create table t as select '{SECRET}' as a, i % 3 as s from {{}} as r(i)"

# What views make of the column a, whose every cell is the secret.
DUCKDB = [
    "cast(a as integer)",
    "cast(a as date)",
    "cast(a as timestamp)",
    "cast(a as time)",
    "cast(a as interval)",
    "cast(a as uuid)",
    "cast(a as json)",
    "cast(a as boolean)",
    "cast(a as decimal(5, 2))",
    "cast(a as enum('x'))",
    "cast(a as bit)",
    "cast(a as integer[])",
    "strptime(a, '%Y')",
    "strftime(now(), a || '%Q')",
    "timezone(a, now())",
    "date_trunc(a, now())",
    "date_part(a, now())",
    "error(a)",
    "regexp_matches('x', a || '(')",
    "format('{' || a, 1)",
    "from_base64(a || '!')",
    "json_extract('{' || a, 'x')",
    "1 / (case when a = 'SECRET0' then 0 end) + cast(a as integer)",
    "(select cast(x as integer) from (select a as x) as t)",
    "9223372036854775807 + length(a)",
]
POSTGRES = [
    "a::int",
    "a::date",
    "a::timestamptz",
    "a::json",
    "('<' || a)::xml",
    "a::uuid",
    "a::inet",
    "a::interval",
    "a::money",
    "a::int[]",
    "a::int4range",
    "a::point",
    "a::mood",
    "a::digits",
    "a::regclass",
    "a::regtype",
    "a::regrole",
    "1 / (length(a) - 7)",
    "to_date(a, 'YYYY')",
    "to_timestamp(a, 'YYYY')",
    "to_number(a, '9')",
    "regexp_replace('x', a || '(', '')",
    "date_trunc(a, now())",
    "date_part(a, now())",
    "decode(a, a)",
    "convert_from('x', a)",
    "current_setting(a)",
    "set_config(a, 'x', false)",
    "nextval(a)",
    "pg_read_file(a)",
    "has_table_privilege(a, 'select')",
    "query_to_xml(a, true, true, '')",
    "'{}'::jsonb #>> a::text[]",
    "jsonb_path_query('{}', ('$.' || a || '[')::jsonpath)",
    "inserting(a)",
    "run_text(a)",
    "run_text('select ' || a)",
    "run_text('select 1 from ' || a)",
    "run_text('select 1 from pg_class as c where c.' || a || ' = 1')",
    "run_text('drop table ' || a)",
    "run_text('select ' || a || '(1)')",
    "run_text('create table x (' || a || ' nope)')",
    *(f"raising(a, '{code}')" for code in ("42P01", "42501", "22012", "53100", "55P03", "P0001")),
    *(
        f"raising_text(format('{text}', a), '{code}')"
        for text, code in (
            ('relation "%s" does not exist', "42P01"),
            ("permission denied for table %s", "42501"),
            ('syntax error at or near "%s"', "42601"),
            ('duplicate key value violates unique constraint "%s"', "23505"),
            ("could not write %s: No space left on device", "53100"),
            ("operator does not exist: %s", "42883"),
            ("cannot drop table %s because other objects depend on it", "2BP01"),
        )
    ),
]
FUNCTIONS = """
    create type mood as enum ('x');
    create domain digits as text constraint only_digits check (value ~ '^[0-9]+$');
    create table taken (a text primary key);
    insert into taken values ('SECRET0');
    create function run_text(x text) returns int language plpgsql as
        $$ begin execute x; return 1; end $$;
    create function raising(x text, code text) returns int language plpgsql as
        $$ begin raise exception 'bad %', x using errcode = code, detail = x, hint = x,
            column = x, table = x, constraint = x; end $$;
    create function raising_text(x text, code text) returns int language plpgsql as
        $$ begin raise exception '%', x using errcode = code; end $$;
    create function inserting(x text) returns int language plpgsql volatile as
        $$ begin insert into taken values (x); return 1; end $$;
"""


@pytest.fixture
def here() -> Iterator[Connection]:
    with database() as connection:
        connection.execute(
            f"create table t as select '{SECRET}' as a, i % 3 as s from range(9) r(i)"
        )
        yield connection


@pytest.fixture
def there(urls: Mapping[str, str]) -> Iterator[PostgresPlace]:
    with place("postgres_icu", urls) as found:
        assert isinstance(found, PostgresPlace)
        found.connection.execute(TABLE.format("generate_series(1, 9)").encode())
        found.connection.execute(FUNCTIONS.encode())
        yield found


def everything_said(error: BaseException) -> str:
    """All that a program or a person may print of an error."""
    assert isinstance(error, SqlanonError)
    shown = [str(error), repr(error), str(error.args), json.dumps(error_object(error))]
    return "\n".join([*shown, *traceback.format_exception(error)])


@pytest.mark.parametrize("expression", DUCKDB)
def test_no_view_of_duckdb_shows_a_cell(
    expression: str, here: Connection, caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    here.execute(f"create view v as select cast(({expression}) as varchar) as a, s from t")
    with caplog.at_level(logging.DEBUG), pytest.raises(SqlanonError) as caught:
        sqlanon.anonymize("v", connection=here, **ROLES)
    said = everything_said(caught.value) + caplog.text + "".join(capfd.readouterr())
    assert SECRET.lower() not in said.lower()
    assert "--show-database-errors" in said or "unknown time zone …" in said
    assert "reading the source" in said


@pytest.mark.one_in(4)
@pytest.mark.parametrize("expression", POSTGRES)
def test_no_view_of_postgresql_shows_a_cell(
    expression: str, there: PostgresPlace, caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    there.connection.execute(
        f"create view v as select ({expression})::text as a, s from t".encode()
    )
    with caplog.at_level(logging.DEBUG), pytest.raises(SqlanonError) as caught:
        sqlanon.anonymize("v", connection=there.connection, **ROLES)
    said = everything_said(caught.value) + caplog.text + "".join(capfd.readouterr())
    assert "secret" not in said.lower()
    assert "secr" not in said.lower()


def test_spark_names_in_an_error_what_the_statement_names() -> None:
    """Its conditions are listed; a name is shown where the statement holds it."""
    pytest.importorskip("pyspark")
    from pyspark.errors import AnalysisException

    from sqlanon.engines.spark.driver import safe_message

    class _Made(AnalysisException):
        def __init__(self, condition: str, parameters: dict[str, str]) -> None:
            self.condition, self.parameters = condition, parameters

        def getCondition(self) -> str:  # noqa: N802 - Spark's name
            return self.condition

        def getMessageParameters(self) -> dict[str, str]:  # noqa: N802
            return self.parameters

    missing = _Made("TABLE_OR_VIEW_NOT_FOUND", {"relationName": "`SECRET0`"})
    assert safe_message(missing, "select * from t") == "there is no table or view …"
    assert safe_message(missing, "select * from SECRET0") == "there is no table or view SECRET0"
    cast = _Made("CAST_INVALID_INPUT", {"expression": "'SECRET0'"})
    assert safe_message(cast, "select 1") is None
    assert safe_message(RuntimeError("SECRET0"), "select 1") is None


# --- where to see it -----------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["run", "run --json", "check", "sweep", "init"])
def test_a_database_message_is_shown_where_it_is_asked_for(command: str, tmp_path: Path) -> None:
    """And nowhere else; the step is named either way."""
    with database(tmp_path / "d.duckdb") as connection:
        connection.execute(
            f"create table t as select '{SECRET}' as a, i % 3 as s from range(9) r(i)"
        )
        connection.execute("create view v as select cast(a as integer) as a, s from t")
    spec = tmp_path / "spec.yaml"
    declared = {"source": "v", "release": "r", "database": "d.duckdb", "privacy": {"k": 2}}
    roles = {name: ROLES[name] for name in ("quasi_identifiers", "sensitive", "seed", "method")}
    spec.write_text(json.dumps({**declared, **roles}))
    at = ["--database", str(tmp_path / "d.duckdb")]
    words = {
        "run": ["run", str(spec)],
        "run --json": ["run", str(spec), "--json"],
        "check": ["check", "v", "--qi", "a", "--sensitive", "s", *at],
        "sweep": ["sweep", str(spec), "--k", "2,3"],
        "init": ["init", "v", *at, "-o", str(tmp_path / "new.yaml")],
    }[command]
    hidden = CliRunner().invoke(cli, words)
    shown = CliRunner().invoke(cli, [*words, "--show-database-errors"])
    said = [everything_said(done.exception) for done in (hidden, shown) if done.exception]
    assert len(said) == 2
    assert SECRET not in said[0]
    assert "in step '" in said[0]
    assert SECRET in said[1]


@pytest.mark.parametrize("command", ["run", "plan", "compile", "sweep", "check", "init"])
def test_the_help_says_that_a_database_message_may_quote_the_data(command: str) -> None:
    said = " ".join(CliRunner().invoke(cli, [command, "--help"]).output.split())
    assert "--show-database-errors" in said
    assert "may quote the data" in said


def test_python_asks_by_an_argument(here: Connection) -> None:
    here.execute("create view v as select cast(a as integer) as a, s from t")
    for show in (False, True):
        with pytest.raises(SqlanonError) as caught:
            sqlanon.anonymize("v", connection=here, show_database_errors=show, **ROLES)
        assert (SECRET in str(caught.value)) is show
    with pytest.raises(SqlanonError, match=SECRET):
        open_engine(connection=here, show_database_errors=True).fetch_portable("select a from v")


# --- what is safe is shown -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select * from nobody", "there is no Table nobody"),
        ("select agee from t", "there is no column agee"),
        ("select t.agee from t", "the table t has no column agee"),
        ("select nofn(a) as a, s from t", "there is no Scalar Function nofn"),
        ("select sum(a) as a, s from t", "no function sum takes arguments of these types"),
        ("select a, s from t group by s", "the column a must be grouped by, or aggregated"),
        ("select * from read_csv('/no/x.csv')", "there is no file /no/x.csv"),
        ("select cast(a as integer) as a, s from t", "ConversionException: column a"),
    ],
)
def test_what_is_wrong_with_a_query_is_said(query: str, said: str, here: Connection) -> None:
    with pytest.raises(SqlanonError) as caught:
        sqlanon.anonymize({"query": query}, connection=here, **ROLES)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select * from nobody", 'relation "nobody" does not exist'),
        ("select agee from t", 'column "agee" does not exist'),
        ("select nofn(a) as a, s from t", "there is no function nofn of such arguments"),
        ("select 1 / (s - s) as a, s from t", "division by zero"),
        ("select raising(a, '42501') as a, s from t", "SQLSTATE 42501, InsufficientPrivilege"),
        ("select a::int as a, s from t", "SQLSTATE 22P02, InvalidTextRepresentation"),
    ],
)
def test_what_is_wrong_with_a_query_of_postgresqls_is_said(
    query: str, said: str, there: PostgresPlace
) -> None:
    with pytest.raises(SqlanonError) as caught:
        sqlanon.anonymize({"query": query}, connection=there.connection, **ROLES)
    assert said in str(caught.value)
