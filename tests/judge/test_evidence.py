"""The gate's evidence is its own: nothing that lies in a session, a file or a schema stands in.

Each test is named after what it prevents, on DuckDB; `test_evidence_engines` does the same on
PostgreSQL and Spark. The measure of all of them is the release that is made where nothing is in the
way: it must be the same, or there must be none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from support import (
    DEALT,
    Connection,
    Row,
    at,
    database,
    make_table,
    read,
    refused,
    relations,
    select,
)

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.sql.names import Relation

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
SETTINGS = {
    "default_order": "DESC",
    "default_null_order": "NULLS_FIRST",
    "default_collation": "NOCASE",
    "TimeZone": "Asia/Tokyo",
    "integer_division": "true",
    "ieee_floating_point_ops": "false",
    "preserve_insertion_order": "false",
}
# What the templates call, and operators: each by a macro that says something else.
MACROS = [
    "ln(x) as 0",
    "sum(x) as 0",
    "min(x) as 0",
    "max(x) as 0",
    "abs(x) as 0",
    "count(x) as 7",
    "count_star() as 7",
    "floor(x) as 0",
    "round(x, y) as 0",
    "md5(x) as 'same'",
    "row_number() as 1",
    "lower(x) as 'same'",
    "exp(x) as 0",
    "least(a, b) as 0",
    "greatest(a, b) as 0",
    '"+"(a, b) as 0',
    '"-"(a, b) as 0',
    '"*"(a, b) as 0',
    '"/"(a, b) as 0',
    "\"||\"(a, b) as 'same'",
    "duckdb_functions() as table select 1 as nothing",
    "duckdb_settings() as table select 1 as nothing",
    "read_csv(x) as table select 1 as nothing",
    "range(x) as table select 1 as range",
]


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database(own=True) as fresh:  # whose settings change
        make_table(fresh, "people", COLUMNS, RECORDS)
        yield fresh


@pytest.fixture(scope="module")
def expected() -> tuple[list[Row], list[Row]]:
    """The release and its metrics where nothing is in the way."""
    with database() as fresh:
        make_table(fresh, "people", COLUMNS, RECORDS)
        return made(fresh)


def made(
    connection: Connection, source: Any = "people", **declared: Any
) -> tuple[list[Row], list[Row]]:
    """The rows and the metrics of a release."""
    sqlanon.anonymize(source, connection=connection, **DEALT | ASKED | declared).close()
    return lasting(connection)


def lasting(connection: Connection, name: str = "rel") -> tuple[list[Row], list[Row]]:
    """The rows and the metrics of the release that stays, whatever else has its name."""
    here = select(connection, "select system.main.current_database()")[1][0][0]
    rows = [
        select(connection, f'from "{here}".main."{name}{part}"')[1] for part in ("", "__metrics")
    ]
    return rows[0], rows[1]


# --- relations -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("attack", ["before", "during"])
def test_a_temporary_table_of_metrics_is_not_believed(
    connection: Connection, expected: Any, attack: str
) -> None:
    """It says that everything holds: l = 1 would be published though 2 is asked for."""
    fake = (
        "create or replace temporary table rel__metrics as select 'k' as metric, "
        "null as attribute, 1000.0 as value, '4' as threshold, true as passed, "
        "0 as failing_classes"
    )

    def act() -> None:
        connection.execute(fake)

    alike = [(i, i % 9, "one", i % 5) for i in range(60)]
    make_table(connection, "alike", COLUMNS, alike)
    declared = {**DEALT, **ASKED, "sensitive": {"s": {"l": 2}}}
    if attack == "before":
        act()
    listener = None if attack == "before" else at("metrics", act, "end")
    with pytest.raises(InfeasibleError, match="nothing was published"):
        sqlanon.anonymize("alike", connection=connection, progress=listener or False, **declared)
    assert made(connection) == expected


def test_a_temporary_table_is_not_measured_in_place_of_the_release(
    connection: Connection, expected: Any
) -> None:
    for part in ("", "__classes", "__run", "__rows"):
        connection.execute(f"create temporary table rel{part} as select 1 as q, 's' as s, 1 as n")
    assert made(connection) == expected
    assert read(connection, "rel")[1] == [(1, "s", 1)]  # the caller's, as it was


def test_a_temporary_table_is_not_read_in_place_of_the_source(
    connection: Connection, expected: Any
) -> None:
    connection.execute("create temporary table people as select * from main.people limit 10")
    assert made(connection) == expected
    found = sqlanon.check("people", connection=connection, quasi_identifiers="q", sensitive="s")
    assert found.measure("records") == 60


def test_a_table_of_a_work_relations_name_is_neither_read_nor_written(
    connection: Connection, expected: Any
) -> None:
    for name in ("records", "size", "assigned", "classes", "measured"):
        connection.execute(f"create table sqlanon_{name} as select 7 as records")
    assert made(connection) == expected
    assert read(connection, "sqlanon_size")[1] == [(7,)]


def test_a_view_does_not_read_a_temporary_table(connection: Connection, expected: Any) -> None:
    rows, _ = made(connection, materialize="view")
    assert rows == expected[0]
    connection.execute("create temporary table rel__rows as select 1 as q, 's' as s, 1 as n")
    with pytest.raises(SpecError, match="temporary relation 'rel__rows' stands in the way"):
        made(connection, materialize="view")


def test_a_view_outlives_the_renaming_of_its_file(tmp_path: Path, expected: Any) -> None:
    with database(tmp_path / "before.duckdb") as fresh:
        make_table(fresh, "people", COLUMNS, RECORDS)
        made(fresh, materialize="view")
    (tmp_path / "before.duckdb").rename(tmp_path / "after.duckdb")
    with database(tmp_path / "after.duckdb") as fresh:
        assert lasting(fresh)[0] == expected[0]


@pytest.mark.parametrize("release", ["temp.rel", "temp.main.rel", "system.main.rel"])
def test_a_release_is_not_made_where_nothing_lasts(connection: Connection, release: str) -> None:
    error = refused(SpecError, "people", connection=connection, **ASKED | {"release": release})
    assert str(error).startswith("release: there is no schema")


# --- functions -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_macro_of_the_file_does_not_act(tmp_path: Path, expected: Any) -> None:
    """Through the command line, as through a connection; also one that comes during the run."""
    file = tmp_path / "people.duckdb"
    with database(file) as fresh:
        make_table(fresh, "people", COLUMNS, RECORDS)
        for macro in MACROS:
            fresh.execute(f"create macro {macro}")
        assert made(fresh) == expected
        assert fresh.execute("select sum(1)").fetchall() == [(0,)]  # the caller's path is back
    spec = {**DEALT, **ASKED, "source": "people", "database": str(file)}
    spec["privacy"] = {"k": spec.pop("k")}
    (tmp_path / "spec.yaml").write_text(json.dumps(spec), encoding="utf-8")
    done = CliRunner().invoke(cli, ["run", str(tmp_path / "spec.yaml")])
    assert done.exit_code == 0, done.output
    with database(file) as fresh:
        assert lasting(fresh) == expected


def test_a_macro_that_comes_during_the_run_does_not_act(
    connection: Connection, expected: Any
) -> None:
    def act() -> None:
        connection.execute("create macro memory.main.sum(x) as 0")
        connection.execute("create macro memory.main.ln(x) as 0")

    sqlanon.anonymize(
        "people", connection=connection, progress=at("metrics", act), **DEALT | ASKED
    ).close()
    assert lasting(connection) == expected


def test_entropy_is_not_measured_by_a_macro(connection: Connection) -> None:
    """With ln(x) = 0 an entropy l of 1 would hold for 2."""
    connection.execute("create macro ln(x) as 0")
    make_table(connection, "alike", COLUMNS, [(i, i % 9, "one", i % 5) for i in range(60)])
    with pytest.raises(InfeasibleError):
        made(connection, "alike", sensitive={"s": {"l": {"entropy": 2}}})


@pytest.mark.parametrize("macro", ["ln(x) as 0", "SUM(x) as 0", "range(x) as table select 1"])
def test_a_temporary_macro_is_refused_by_name(connection: Connection, macro: str) -> None:
    connection.execute(f"create temporary macro {macro}")
    error = refused(SpecError, "people", connection=connection, **ASKED)
    assert f"'{macro.split('(')[0]}'" in str(error)
    assert "drop it" in str(error)


@pytest.mark.slow
def test_macros_of_the_users_own_go_on_working(connection: Connection, expected: Any) -> None:
    """In the source's query, which is read as the user's session would, and in views."""
    connection.execute("create schema other")
    connection.execute("create table other.people as from people")
    connection.execute("create macro same(x) as x")
    connection.execute("create temporary macro other_same(x) as x")
    connection.execute("create view seen as select id, same(q) as q, s, n from people")
    query = "select id, same(other_same(q)) as q, s, n from other.people"
    assert made(connection, {"query": query}) == expected
    assert made(connection, "seen") == expected
    found = sqlanon.check(
        {"query": query}, connection=connection, quasi_identifiers="q", sensitive="s"
    )
    assert found.measure("records") == 60


def test_a_macro_does_not_act_on_a_query(connection: Connection) -> None:
    """There a name means what it means to the user: so it must not be that of a built-in."""
    connection.execute("create macro count(x) as 1")
    asked = ASKED | {"identifiers": ["id"]}
    error = refused(SpecError, {"query": "from people"}, connection=connection, **asked)
    assert "the macro 'count' stands in for a function of DuckDB's own" in str(error)


def test_a_view_of_the_users_means_what_it_meant(connection: Connection, expected: Any) -> None:
    connection.execute("create macro abs(x) as x + 1")
    connection.execute("create view seen as select id, abs(q) - 1 as q, s, n from people")
    assert made(connection, "seen") == expected


# --- settings ------------------------------------------------------------------------------------


def test_settings_of_the_session_do_not_change_what_is_measured(
    connection: Connection, expected: Any
) -> None:
    for name, value in SETTINGS.items():
        connection.execute(f"set {name} = '{value}'")
    before = settings(connection)
    assert made(connection) == expected
    assert settings(connection) == before
    with pytest.raises(InfeasibleError):
        made(connection, k=4000)
    assert settings(connection) == before


def test_settings_are_put_back_when_the_run_ends(connection: Connection) -> None:
    """Not only when the release is closed."""
    connection.execute("set TimeZone = 'Asia/Tokyo'")
    before = settings(connection)
    release = sqlanon.anonymize("people", connection=connection, **DEALT | ASKED)
    assert settings(connection) == before
    connection.execute("create table beside as select 1 as one")
    assert len(release.frame()) == 60
    release.close()
    assert settings(connection) == before


@pytest.mark.one_in(3)
@pytest.mark.parametrize("path", ["own", "own,main", "memory.own"])
def test_the_search_path_is_put_back(connection: Connection, path: str) -> None:
    connection.execute("create schema own")
    connection.execute("create table own.people as from people")
    connection.execute(f"set search_path = '{path}'")
    sqlanon.anonymize("people", connection=connection, **DEALT | ASKED).close()
    assert select(connection, "select current_schema(), current_database()")[1] == [
        ("own", "memory")
    ]
    connection.execute("create table own.beside as select 1 as one")
    assert read(connection, "beside")[1] == [(1,)]
    assert len(select(connection, "from memory.own.rel")[1]) == 60


@pytest.mark.parametrize("name", [*SETTINGS, "search_path", "schema", "null_order"])
def test_a_setting_that_changes_the_meaning_is_refused(connection: Connection, name: str) -> None:
    given = {name.upper(): SETTINGS.get(name, "main")}
    error = refused(SpecError, "people", connection=connection, settings=given, **ASKED)
    assert name.upper() in str(error)


def test_a_setting_that_cannot_be_fixed_is_refused_by_name(connection: Connection) -> None:
    connection.execute("set default_order = 'desc'; set lock_configuration = true")
    error = refused(SpecError, "people", connection=connection, **ASKED)
    assert "DuckDB refuses the setting" in str(error)


def settings(connection: Connection) -> list[Row]:
    """All that a session has set."""
    query = "select name, value from duckdb_settings() where name <> 'temp_directory' order by name"
    return [*select(connection, query)[1], *select(connection, "select current_schemas(true)")[1]]


def test_the_version_has_the_settings_that_are_fixed() -> None:
    """One that was renamed would be left as the user set it."""
    with duckdb.connect() as fresh:
        there = {name for (name,) in fresh.execute("select name from duckdb_settings()").fetchall()}
    assert set(SETTINGS) <= there


# --- scripts -------------------------------------------------------------------------------------


@pytest.fixture
def script(connection: Connection) -> str:
    return sqlanon.compile("people", connection=connection, all_metrics=True, **DEALT | ASKED)


def test_a_script_sets_what_changes_its_meaning(
    connection: Connection, expected: Any, script: str
) -> None:
    for name, value in SETTINGS.items():
        connection.execute(f"set {name} = '{value}'")
    connection.execute(script)
    assert lasting(connection) == expected


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("create temporary table REL as select 1 as q", "the temporary table REL"),
        ("create temporary view rel__metrics as select 1 as q", "the temporary view rel__metrics"),
        ("create temporary table people as from memory.main.people", "the temporary table people"),
        ("create macro sum(x) as 0", "the macro sum"),
        ("create temporary macro ln(x) as 0", "the macro ln"),
        ('create macro "+"(a, b) as 0', "the macro +"),
        ("create macro duckdb_functions() as table select 1", "the macro duckdb_functions"),
    ],
)
def test_a_script_refuses_what_would_stand_in(
    connection: Connection, script: str, statement: str, what: str
) -> None:
    connection.execute(statement)
    with pytest.raises(duckdb.Error, match=f"{re.escape(what)} stands in for another: drop"):
        connection.execute(script)
    connection.execute("rollback")
    assert "rel__run" not in relations(connection)


def test_a_script_reads_its_own_work_relations(
    connection: Connection, expected: Any, script: str
) -> None:
    connection.execute("create table sqlanon_size as select 7 as records")
    connection.execute("create macro mine(x) as x")
    connection.execute(script)
    assert lasting(connection) == expected
    assert read(connection, "sqlanon_size")[1] == [(7,)]


@pytest.mark.parametrize(
    ("name", "types", "gives"),
    [("ln", ["BIGINT"], "DOUBLE"), ("abs", ["VARCHAR"], "BIGINT"), ("LN", ["INTEGER"], "DOUBLE")],
)
def test_a_python_function_beside_one_of_duckdbs_own_is_refused(
    name: str, types: list[Any], gives: str
) -> None:
    """DuckDB lists it as its own, and a call whose arguments fit it better finds it."""
    with duckdb.connect() as connection:
        connection.execute("create table t as select i % 5 as a, i % 3 as s from range(60) as n(i)")
        connection.create_function(name, lambda value: 0, types, gives)
        declared: dict[str, Any] = {
            "quasi_identifiers": ["a"],
            "sensitive": {"s": {"l": {"entropy": "3/2"}}},
            "k": 4,
        }
        says = f"the function '{name.lower()}' was made with the name of one of DuckDB's own"
        with pytest.raises(SpecError, match=says):
            sqlanon.anonymize("t", connection=connection, release="r", **declared)
        with pytest.raises(SpecError, match=says):
            sqlanon.check("t", connection=connection, **declared)


@pytest.mark.slow
def test_a_python_function_of_a_name_of_its_own_may_be_there() -> None:
    with duckdb.connect() as connection:
        connection.execute("create table t as select i % 5 as a, i % 3 as s from range(60) as n(i)")
        connection.create_function("mine", lambda value: 0, ["BIGINT"], "BIGINT")
        connection.execute("load json")
        declared: dict[str, Any] = {
            "quasi_identifiers": ["a"],
            "sensitive": ["s"],
            "k": 4,
            "release": "r",
        }
        sqlanon.anonymize("t", connection=connection, **declared).close()


def test_a_database_that_a_run_cannot_publish_in_takes_no_release(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MySQL, attached: it commits at every table, so half a release could stay."""
    connection.execute("attach ':memory:' as other")
    engine = DuckDBEngine(connection=connection)
    assert engine.foreign_kind(Relation.parse("other.main.public")) is None
    engine.close()
    monkeypatch.setattr(DuckDBEngine, "foreign_kind", lambda self, relation: "mysql")
    asked = {**DEALT, **ASKED, "release": "other.main.public"}
    says = "release: it would stand in an attached database of the kind mysql, .*: .*and copy from"
    with pytest.raises(SpecError, match=says):
        sqlanon.anonymize("people", connection=connection, **asked)
