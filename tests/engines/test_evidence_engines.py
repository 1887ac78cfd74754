"""On PostgreSQL and Spark, too, the gate's evidence is its own; `test_evidence` is about DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import duckdb
import psycopg
import pytest
from servers import PostgresPlace, place
from support import DEALT, Row, make_table, multiset, refused

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

pytestmark = pytest.mark.slow

COLUMNS = {"id": "integer", "q": "integer", "s": "varchar", "n": "integer"}
RECORDS: list[Row] = [(i, i % 9, f"s{i % 4}", i % 5) for i in range(60)]
ASKED: dict[str, Any] = {
    "quasi_identifiers": {"q": {"hierarchy": {"bands": [3]}}},
    "sensitive": {
        "s": {"t": 0.9, "l": {"distinct": 2, "entropy": "3/2"}},
        "n": {"distance": "ordered", "t": 0.9},
    },
    "k": 4,
    "release": "rel",
    "seed": 7,
}
# Each of a type that fits what the templates hand over better than the server's own does, so that
# it would be called although it stands later in the path.
FUNCTIONS = [
    "ln(x double precision) returns double precision language sql as 'select 0::float8'",
    "floor(x bigint) returns bigint language sql as 'select 0::bigint'",
    "floor(x integer) returns integer language sql as 'select 0'",
    "abs(x bigint) returns bigint language sql as 'select 0::bigint'",
    "mod(x bigint, y integer) returns bigint language sql as 'select 0::bigint'",
    "md5(x varchar) returns text language sql as $$select 'same'$$",
]
OPERATORS = [
    ("+", "bigint", "integer", "bigint", "select 0::bigint"),
    ("*", "numeric", "bigint", "numeric", "select 0::numeric"),
    ("=", "varchar", "text", "boolean", "select true"),
    ("=", "text", "text", "boolean", "select true"),
    ("<", "bigint", "integer", "boolean", "select true"),
]
SETTINGS = {
    "timezone": "Asia/Tokyo",
    "datestyle": "German",
    "intervalstyle": "iso_8601",
    "extra_float_digits": "-10",
    "standard_conforming_strings": "off",
    "bytea_output": "escape",
    "transform_null_equals": "on",
}


@pytest.fixture
def there(urls: Mapping[str, str]) -> Iterator[PostgresPlace]:
    with place("postgres", urls) as found:
        assert isinstance(found, PostgresPlace)
        found.make_table("people", COLUMNS, RECORDS)
        yield found


@pytest.fixture
def expected(there: PostgresPlace) -> tuple[list[Row], list[Row]]:
    """The release and its metrics where nothing is in the way."""
    return made(there, release="expected")


def made(
    there: PostgresPlace, source: Any = "people", release: str = "rel", **declared: Any
) -> tuple[list[Row], list[Row]]:
    """The rows and the metrics of a release."""
    asked = DEALT | ASKED | declared
    sqlanon.anonymize(source, connection=there.connection, **asked | {"release": release}).close()
    return lasting(there, release)


def lasting(there: PostgresPlace, name: str = "rel") -> tuple[list[Row], list[Row]]:
    """The rows and the metrics of the release that stays, whatever else has its name."""
    here = rows(there, "select pg_catalog.current_schema()")[0][0]
    names = [f'"{here}"."{name}{part}"' for part in ("", "__metrics")]
    found = [multiset(rows(there, f"select * from {text}")) for text in names]
    return found[0], found[1]


def rows(there: PostgresPlace, query: str) -> list[Row]:
    return list(there.connection.execute(query).fetchall())


def test_a_temporary_table_is_neither_read_nor_measured(
    there: PostgresPlace, expected: Any
) -> None:
    """It stands first in every search path: as the source, the release or its metrics."""
    run = there.connection.execute
    run("create temporary table people as select * from people limit 10")
    run("create temporary table rel as select 1 as q, 's' as s, 1 as n")
    run(
        "create temporary table rel__metrics as select 'k' as metric, null::text as attribute, "
        "1000::float8 as value, '4' as threshold, true as passed, 0 as failing_classes"
    )
    assert made(there) == expected
    assert rows(there, "select * from rel") == [(1, "s", 1)]
    same = [(i, i % 9, "one", i % 5) for i in range(60)]
    there.make_table("alike", COLUMNS, same)
    with pytest.raises(InfeasibleError, match="nothing was published"):
        made(there, "alike", sensitive={"s": {"l": 2}})


@pytest.mark.parametrize("release", ["pg_temp.rel", "pg_catalog.rel", "information_schema.rel"])
def test_a_release_is_not_made_where_nothing_lasts(there: PostgresPlace, release: str) -> None:
    error = refused(
        SpecError, "people", connection=there.connection, **ASKED | {"release": release}
    )
    assert str(error).startswith("release: there is no schema")


@pytest.mark.parametrize("first", [True, False])
def test_functions_and_operators_of_the_path_do_not_act(
    there: PostgresPlace, expected: Any, first: bool
) -> None:
    """Whether they stand before the server's own, or only fit better."""
    run = there.connection.execute
    here = rows(there, "select current_schema()")[0][0]
    for function in FUNCTIONS:
        run(f'create function "{here}".{function}')
    for number, (name, left, right, result, body) in enumerate(OPERATORS):
        run(
            f'create function "{here}".wrong_{number}(x {left}, y {right}) returns {result} '
            f"language sql as '{body}'"
        )
        run(
            f'create operator "{here}".{name} (leftarg = {left}, rightarg = {right}, '
            f'function = "{here}".wrong_{number})'
        )
    run(f'set search_path = "{here}"{", pg_catalog" if first else ""}')
    before = rows(there, "show search_path")
    assert made(there) == expected
    assert rows(there, "show search_path") == before


def test_functions_of_the_users_own_go_on_working(there: PostgresPlace, expected: Any) -> None:
    """In the source's query and in a view; a function finds others as it would without a run."""
    run = there.connection.execute
    run("create function inner_same(x integer) returns integer language sql as 'select x'")
    run(
        "create function same(x integer) returns integer language plpgsql "
        "as 'begin return inner_same(x); end'"
    )
    run("create view seen as select id, same(q) as q, s, n from people")
    assert made(there, {"query": "select id, same(q) as q, s, n from people"}) == expected
    assert made(there, "seen") == expected
    for source in ({"query": "select same(q) as q, s from people"}, "seen"):
        found = sqlanon.check(
            source, connection=there.connection, quasi_identifiers="q", sensitive="s"
        )
        assert found.measure("records") == 60


def test_a_function_does_not_act_on_a_query(there: PostgresPlace) -> None:
    run = there.connection.execute
    run("create function count_one(x bigint, y text) returns bigint language sql as 'select 1'")
    run("create aggregate count(text) (sfunc = count_one, stype = bigint, initcond = '1')")
    query = {"query": "select * from people"}
    asked = ASKED | {"identifiers": ["id"]}
    error = refused(SpecError, query, connection=there.connection, **asked)
    assert "the function count of your own has the name of one of PostgreSQL's" in str(error)


def test_settings_of_the_session_do_not_change_what_is_measured(
    there: PostgresPlace, expected: Any
) -> None:
    for name, value in SETTINGS.items():
        there.connection.execute(f"set {name} = '{value}'")
    before = rows(there, "select name, setting from pg_settings order by name")
    release = sqlanon.anonymize("people", connection=there.connection, **DEALT | ASKED)
    assert rows(there, "select name, setting from pg_settings order by name") == before
    release.close()
    assert lasting(there) == expected


@pytest.mark.parametrize("name", [*SETTINGS, "search_path"])
def test_a_setting_that_changes_the_meaning_is_refused(there: PostgresPlace, name: str) -> None:
    given = {name: SETTINGS.get(name, "public")}
    error = refused(SpecError, "people", connection=there.connection, settings=given, **ASKED)
    assert name in str(error)


@pytest.mark.parametrize("source", ["people", {"query": "select q, s, n from people"}])
def test_a_script_finds_its_own(there: PostgresPlace, expected: Any, source: Any) -> None:
    """Compiled where it runs, it calls every relation by its full name."""
    script = sqlanon.compile(source, connection=there.connection, all_metrics=True, **DEALT | ASKED)
    run = there.connection.execute
    here = rows(there, "select current_schema()")[0][0]
    run(f'create function "{here}".{FUNCTIONS[0]}')
    run("create temporary table rel__metrics as select 1 as one")
    for name, value in SETTINGS.items():
        run(f"set {name} = '{value}'")
    with pytest.raises(psycopg.Error, match="standard_conforming_strings must be on"):
        run(script)  # it is read as a whole before it is run
    run("rollback; set standard_conforming_strings = on")
    run(script)
    run("reset all")
    assert lasting(there) == expected


def test_a_script_for_another_server_refuses_functions_of_the_path(there: PostgresPlace) -> None:
    with duckdb.connect() as connection:
        make_table(connection, "people", COLUMNS, RECORDS)
        asked = DEALT | ASKED | {"dialect": "postgres"}
        script = sqlanon.compile("people", connection=connection, **asked)
    run = there.connection.execute
    run("create temporary table people as select * from people limit 5")
    run(script)
    found = lasting(there)
    assert len(found[0]) == len(RECORDS)
    run("create function ln(x bigint) returns float8 language sql as 'select 0::float8'")
    with pytest.raises(psycopg.Error, match="the function ln of your own has the name of one"):
        run(script)
    run("rollback")
    assert lasting(there) == found


@pytest.mark.parametrize(
    ("made", "dropped", "says"),
    [
        (
            "function pg_catalog.ln(x bigint) returns double precision language sql "
            "as 'select 0::float8'",
            "function pg_catalog.ln(bigint)",
            "function pg_catalog.ln",
        ),
        (
            "operator pg_catalog.>= (leftarg = bigint, rightarg = text, function = texteq_of)",
            "operator pg_catalog.>= (bigint, text)",
            "operator pg_catalog.>=",
        ),
        (
            "cast (date as bigint) with function day_of(date) as implicit",
            "cast (date as bigint)",
            "cast of date to bigint",
        ),
    ],
)
def test_what_a_superuser_put_beside_postgresqls_own_is_refused(
    there: PostgresPlace, made: str, dropped: str, says: str
) -> None:
    """No search path leaves it out."""
    there.make_table("t", COLUMNS, RECORDS)
    there.connection.execute(
        "create function texteq_of(bigint, text) returns boolean language sql as 'select true'; "
        "create function day_of(date) returns bigint language sql as 'select 1::bigint'"
    )
    there.connection.execute(f"create {made}")
    there.connection.commit()
    try:
        with pytest.raises(SpecError, match=f"the {says} hides one of PostgreSQL's own"):
            sqlanon.anonymize("t", connection=there.connection, **ASKED)
    finally:
        there.connection.execute(f"drop {dropped}")
        there.connection.commit()
    sqlanon.anonymize("t", connection=there.connection, **ASKED).close()
