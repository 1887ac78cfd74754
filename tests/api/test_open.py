"""A database that is open: call after call, and what becomes of it when one fails."""

from __future__ import annotations

import inspect
import signal
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import duckdb
import pandas as pd
import psycopg
import pytest
from servers import place
from support import DEALT, Connection, interruptible, make_table

import sqlanon
from sqlanon import api
from sqlanon.cli.commands import COMMANDS
from sqlanon.errors import EngineError, InfeasibleError, InterruptedRunError, SpecError

ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age"],
    "sensitive": {"ill": {"l": 2}},
    "k": 4,
    **DEALT,
}
ROWS = [(i % 4, f"ill{i % 3}") for i in range(12)]
PEOPLE = pd.DataFrame(ROWS, columns=["age", "ill"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A DuckDB file that holds the table people."""
    path = tmp_path / "held.duckdb"
    with duckdb.connect(str(path)) as connection:
        make_table(connection, "people", {"age": "integer", "ill": "varchar"}, ROWS)
    return path


@pytest.fixture
def own() -> Iterator[Connection]:
    with duckdb.connect() as connection:
        make_table(connection, "people", {"age": "integer", "ill": "varchar"}, ROWS)
        yield connection


def test_a_mapping_of_fields_is_a_spec(own: Connection) -> None:
    with sqlanon.open(own) as db:
        named = db.run("people", release="named", **ROLES)
        mapped = db.run({"source": "people", "release": "mapped", **ROLES})
        table = {"table": "people"}
        assert db.run({"source": table, **ROLES}).relation.name == "anonymized"
        assert db.run(table, release="tabled", **ROLES).measures == named.measures
        assert mapped.measures == named.measures
        with pytest.raises(SpecError, match="source: missing"):
            db.run(ROLES)
        with pytest.raises(SpecError, match="must be in it"):
            db.run({"source": "people", **ROLES}, release="elsewhere")


def _of_levels(db: sqlanon.Database) -> sqlanon.Release:
    """A release of a method that searches for levels."""
    ages = {"age": {"hierarchy": {"bands": [2]}}}
    roles = {name: value for name, value in ROLES.items() if name not in DEALT}
    declared = {**roles, "quasi_identifiers": ages, "method": "optimal"}
    return db.run("people", release="of_levels", **declared)


def calls(db: sqlanon.Database, release: Any, folder: Path) -> Mapping[str, Any]:
    """Every call, to be made."""
    roles = {name: value for name, value in ROLES.items() if name != "k"}
    known: dict[str, Any] = {"quasi_identifiers": ["age"]}
    return {
        "run": lambda: db.run("people", release="again", **ROLES),
        "plan": lambda: db.plan("people", **ROLES),
        "predict": lambda: db.predict("people", **ROLES),
        "sweep": lambda: db.sweep("people", k=[4, 6], **roles),
        "why": lambda: db.why("people", **ROLES),
        "compile": lambda: db.compile("people", **ROLES),
        "profile": lambda: db.profile("people"),
        "init": lambda: db.init("people", folder),
        "hierarchy": lambda: db.hierarchy("people", "age"),
        "risk": lambda: db.risk("people", **known),
        "check": lambda: db.check("people", k=2, **known),
        "compare": lambda: db.compare(release),
        "attack": lambda: db.attack(release, external="people"),
        "utility": lambda: db.utility(release, queries=0),
        "report": lambda: db.report(release, folder / "x.html"),
        "nodes": lambda: db.nodes(_of_levels(db)),
        "export": lambda: db.export(release, folder / "x.csv"),
        "certificate": lambda: db.certificate(release),
        "recipe": lambda: db.recipe(release),
        "verify": lambda: db.verify(db.certificate(release), "public"),
    }


def methods() -> dict[str, Any]:
    """The calls of a database, by name."""
    found = inspect.getmembers(sqlanon.Database, inspect.isfunction)
    return {name: call for name, call in found if name[0] != "_" and name not in ("open", "close")}


@pytest.mark.slow
def test_every_call_works_after_every_other(file: Path, tmp_path: Path) -> None:
    with sqlanon.open(file) as db:
        release = db.run("people", release="public", **ROLES)
        made = calls(db, release, tmp_path)
        assert set(made) == set(methods())
        for name, call in made.items():
            assert call() is not None, name
        assert db.certificate("public") == db.certificate(release)


def test_no_call_is_made_after_the_database_is_closed(file: Path, tmp_path: Path) -> None:
    with sqlanon.open(file) as db:
        release = db.run("people", release="public", **ROLES)
    db.close()  # once more does no harm
    assert db.closed
    assert repr(db).endswith(", closed)")
    for name, call in calls(db, "public", tmp_path).items():
        with pytest.raises(SpecError, match="was closed: open it again"):
            pytest.fail(f"{name} gave {call()}")
    with pytest.raises(SpecError, match="was closed"), db:
        pass
    with pytest.raises(EngineError, match="open the database again"):
        release.frame()
    duckdb.connect(str(file)).close()  # nothing holds it any more


@pytest.mark.slow
def test_two_runs_stand_beside_each_other_until_the_end() -> None:
    with sqlanon.open(progress=False) as db:
        with db.run(PEOPLE, release="first", **ROLES) as first:
            second = db.run(PEOPLE, release="second", **ROLES)
        assert (len(first.frame()), len(second.frame())) == (12, 12)
        with db.sweep(PEOPLE, **{**ROLES, "k": [4]}) as swept:
            pass
        assert len(swept.frame()) == 1
        assert db.check("first", quasi_identifiers=["age"], k=4).passed


def test_a_connection_of_the_callers_is_between_calls_as_they_left_it(own: Connection) -> None:
    own.execute("set timezone = 'Asia/Tokyo'")
    with sqlanon.open(own) as db:
        for name in ("first", "second"):
            release = db.run("people", release=name, **ROLES)
            zone = own.execute("select current_setting('timezone')").fetchone()
            assert zone == ("Asia/Tokyo",)
        assert db.attack(release).release == "second"
        own.execute("create temp macro sum(x) as 1")  # a run would take it for the sum
        with pytest.raises(SpecError, match="'sum' stands in for a function"):
            db.run("people", release="third", **ROLES)
        own.execute("drop macro sum")
        db.run("people", release="third", **ROLES)
    assert own.execute("select count(*) from third").fetchone() == (12,)
    assert len(release.frame()) == 12


@pytest.mark.parametrize("setting", ["timezone = 'Asia/Tokyo'", "default_order = 'desc'"])
def test_a_release_is_read_as_its_run_wrote_it_whatever_the_caller_sets(
    own: Connection, setting: str, tmp_path: Path
) -> None:
    """A time with a zone, and the order by which content is hashed, follow the fixed settings."""
    own.execute(f"set {setting}")
    own.execute(
        "create table seen as select *, timestamptz '2024-03-05 14:30:00+00' as at from people"
    )
    asked = {**ROLES, "insensitive": {"at": {"accept": "a test"}}}
    release = sqlanon.anonymize("seen", connection=own, release="first", progress=False, **asked)
    assert len(release.frame()) == release.arrow().num_rows == 12
    release.export(tmp_path / "first.csv")
    assert "2024-03-05 14:30:00+00" in (tmp_path / "first.csv").read_text()
    assert sqlanon.attack(release).release == "first"
    name = setting.split()[0]
    (kept,) = own.execute(f"select lower(current_setting('{name}'))").fetchone() or ("",)
    assert kept in ("asia/tokyo", "desc", "descending")


def test_a_connection_that_reads_no_files_carries_a_run(own: Connection, tmp_path: Path) -> None:
    own.execute("set enable_external_access = false")
    release = sqlanon.anonymize("people", connection=own, progress=False, **ROLES)
    assert len(release.frame()) == 12
    (tmp_path / "people.csv").write_text("age,ill\n30,flu\n")
    with pytest.raises(SpecError, match="its settings forbid files: enable_external_access"):
        sqlanon.anonymize(tmp_path / "people.csv", connection=own, progress=False, **ROLES)


def test_the_name_of_a_release_stands_for_its_table_though_it_has_a_point(own: Connection) -> None:
    with sqlanon.open(own) as db:
        release = db.run("people", release='"odd.name"', **ROLES)
        assert db.check(release).passed
        assert db.check(release.relation).passed
        found = db.check(release.relation, quasi_identifiers=["age"], k=4)
        assert found.passed
        assert db.certificate(release.relation).text == db.certificate('"odd.name"').text
        assert db.attack(release.relation).release == db.attack(release).release
        assert db.profile(release.relation).columns == db.profile({"table": '"odd.name"'}).columns
        with pytest.raises(SpecError, match=r"a release is given: release\.why\(\) says"):
            db.why(release)
        with pytest.raises(SpecError, match=r"source: it is a release: give its table by name"):
            db.run(release, **ROLES)


def test_a_release_is_found_where_it_was_made_whatever_the_schema_is_now(own: Connection) -> None:
    with sqlanon.open(own) as db:
        release = db.run("people", release="public", **ROLES)
        own.execute("create schema other; create table other.public as select 1 as age; use other")
        assert db.attack(release).release == "public"
        own.execute("use main")


def test_a_call_that_fails_leaves_the_database_open(file: Path) -> None:
    with sqlanon.open(file) as db:
        with pytest.raises(InfeasibleError):
            db.run("people", release="public", **{**ROLES, "k": 13})
        with pytest.raises(SpecError, match="nothing"):
            db.run("nothing", **ROLES)
        assert len(db.run("people", release="public", **ROLES).frame()) == 12


def test_an_error_in_the_block_closes_the_database(file: Path) -> None:
    db = sqlanon.open(file)
    with pytest.raises(ZeroDivisionError), db:
        raise ZeroDivisionError
    assert db.closed


def test_after_an_interrupted_run_the_next_one_is_made(file: Path) -> None:
    pressed: list[str] = []

    def press(event: sqlanon.Event) -> None:
        if event.number > 3 and not pressed:
            pressed.append(event.title)
            signal.raise_signal(signal.SIGINT)

    with sqlanon.open(file, progress=press) as db:
        with interruptible(), pytest.raises(InterruptedRunError):
            db.run("people", release="public", **ROLES)
        with pytest.raises(SpecError, match="public"):
            db.certificate("public")
        assert len(db.run("people", release="public", **ROLES).frame()) == 12
        assert db.certificate("public").text
    assert pressed


def test_a_call_within_a_call_is_refused(file: Path) -> None:
    refused: list[str] = []

    def meddle(event: sqlanon.Event) -> None:
        if not refused:
            with pytest.raises(SpecError) as caught:
                db.check("people", quasi_identifiers=["age"], k=2)
            refused.append(str(caught.value))

    with sqlanon.open(file, progress=meddle) as db:
        assert len(db.run("people", release="public", **ROLES).frame()) == 12
    assert "another call is at work" in refused[0]


def test_a_connection_is_one_threads_at_a_time(file: Path) -> None:
    """Else one run would read what another's statement found, its gate too."""
    refused: list[str] = []

    def meddle(event: sqlanon.Event) -> None:
        def call(work: Callable[[], object]) -> None:
            with pytest.raises(SpecError) as caught:
                work()
            refused.append(str(caught.value))

        if event.number > 3 and not refused:
            check = partial(sqlanon.check, "people", quasi_identifiers=["age"], k=2)
            for work in (partial(check, connection=connection), first.frame):
                thread = Thread(target=call, args=[work])
                thread.start()
                thread.join()

    with duckdb.connect(str(file)) as connection:
        first = sqlanon.anonymize("people", connection=connection, release="first", **ROLES)
        second: dict[str, Any] = {"connection": connection, "release": "second", **ROLES}
        assert len(sqlanon.anonymize("people", progress=meddle, **second).frame()) == 12
        assert len(first.frame()) == 12
    assert len(refused) == 2
    assert all("another thread is at work on this connection" in text for text in refused)


def test_a_spec_of_another_database_is_not_run_in_memory(file: Path) -> None:
    spec = sqlanon.parse_spec(
        {"source": "people", "release": "public", "database": str(file), "privacy": {"k": 4}}
        | {name: value for name, value in ROLES.items() if name != "k"}
    )
    with sqlanon.open() as db, pytest.raises(SpecError, match="the spec names") as caught:
        db.run(spec)
    assert caught.value.problems[0].where == "database"
    with sqlanon.open(file) as db:
        db.run(spec)
    assert len(sqlanon.anonymize(spec).frame()) == 12


def test_a_release_of_another_database_is_refused() -> None:
    with sqlanon.open() as one, sqlanon.open() as other:
        release = one.run(PEOPLE, release="public", **ROLES)
        other.run(PEOPLE, release="public", **ROLES)
        with pytest.raises(SpecError, match="lies in another database"):
            other.attack(release)
        with sqlanon.open(release.engine) as same:
            assert same.attack(release).release == "public"
        assert len(release.frame()) == 12  # it was lent, and is open


def test_what_keeps_a_database_from_being_opened_is_told_at_once(
    file: Path, own: Connection
) -> None:
    with pytest.raises(SpecError, match="refuses the setting threads"):
        sqlanon.open(own, settings={"threads": "many"})
    text = file.with_name("text.duckdb")
    text.write_text("no database")
    with pytest.raises(SpecError, match="exists and is no DuckDB database"):
        sqlanon.open(text)
    with sqlanon.open(file), pytest.raises(EngineError, match="open in this process already"):
        sqlanon.open(file)


def test_settings_last_until_the_database_is_closed(file: Path) -> None:
    with sqlanon.open(file, settings={"threads": 1}) as db:
        for name in ("first", "second"):
            engine = db.run("people", release=name, **ROLES).engine
            found = engine.driver.execute("select current_setting('threads')").rows
            assert found == [(1,)]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["postgres"])
def test_frames_are_read_one_after_the_other_on_postgres(
    engine: str, urls: Mapping[str, str]
) -> None:
    with place(engine, urls) as here:
        with sqlanon.open(urls[engine], progress=False) as db:
            for name, rows in (("first", 12), ("second", 8)):
                made = db.run(PEOPLE.head(rows), release=name, **ROLES)
                assert len(made.frame()) == rows
            assert db.attack("second", external=PEOPLE.head(8)).release == "second"
            assert db.check("first", quasi_identifiers=["age"], k=4).passed
        with psycopg.connect(urls[engine], autocommit=True) as connection:
            with sqlanon.open(connection) as db:
                assert db.attack("first").release == "first"
            assert connection.execute("select 1").fetchone() == (1,)
        assert {"first", "second"} <= here.relations()


def test_every_function_is_a_call_of_a_database() -> None:
    renamed = {"anonymize": "run"}
    opening = set(inspect.signature(sqlanon.open).parameters)
    functions = set(api.__all__) - {"Database", "open"}
    assert {renamed.get(name, name) for name in functions} < set(methods())
    for name in functions:
        call = inspect.signature(getattr(sqlanon.Database, renamed.get(name, name)))
        _, *expected = call.parameters.values()
        shown = inspect.signature(getattr(sqlanon, name)).parameters
        assert opening <= set(shown), name
        left = [parameter for parameter in shown.values() if parameter.name not in opening]
        assert [(parameter.name, parameter.kind, parameter.default) for parameter in left] == [
            (parameter.name, parameter.kind, parameter.default) for parameter in expected
        ]


def test_an_argument_that_no_function_has_is_no_database() -> None:
    with pytest.raises(
        TypeError, match=r"risk\(\) .* argument 'qi'; did you mean quasi_identifiers"
    ):
        sqlanon.risk("people", quasi_identifiers=["age"], qi=["age"])  # type: ignore[call-arg]
    with pytest.raises(SpecError, match="not both"):
        sqlanon.risk("people", quasi_identifiers=["age"], database="a", connection=duckdb.connect())


@pytest.mark.parametrize("is_attached", [False, True])
def test_a_connection_that_is_only_to_be_read_is_told_so_before_the_work(
    file: Path, is_attached: bool
) -> None:
    """What reads a release works there; a release goes to another database that is attached."""
    with sqlanon.open(file, progress=False) as db:
        db.run("people", release="first", **ROLES)
    before = file.read_bytes()
    refusal = r"^release: the database 'held' is attached to be read only$"
    with duckdb.connect() if is_attached else duckdb.connect(str(file), read_only=True) as own:
        if is_attached:
            own.execute(f"attach '{file}' as held (read_only); use held")
        with sqlanon.open(own, progress=False) as db:
            assert db.check("first").passed
            assert db.plan("people", release="again", **ROLES).plan.steps
            with pytest.raises(SpecError, match=refusal):
                db.run("people", release="again", **ROLES)
            with pytest.raises(SpecError, match=refusal):
                db.attack("first", external="people", keep=True)
            with pytest.raises(SpecError, match=refusal):
                db.sweep("people", **{**ROLES, "k": [2, 3]})
            if is_attached:
                made = db.run("people", release="memory.main.again", **ROLES)
                assert len(made.frame()) == len(ROWS)
    assert file.read_bytes() == before


def test_a_connection_is_named_as_in_the_functions() -> None:
    with duckdb.connect() as own:
        own.execute("create table people as select i % 3 as age from range(9) as numbers (i)")
        with sqlanon.open(connection=own, progress=False) as db:
            assert db.profile("people").records == 9
        assert own.execute("select count(*) from people").fetchone() == (9,)
        with pytest.raises(SpecError, match="give a database or a connection, not both"):
            sqlanon.open("a.duckdb", connection=own)
        for wrong in (7, object(), [own], own.sql("select 1 as one"), sqlite3.connect(":memory:")):
            with pytest.raises(SpecError, match=r"no database .* a DuckDB or psycopg connection"):
                sqlanon.open(connection=wrong)
            with pytest.raises(SpecError, match=r"no database .* a DuckDB or psycopg connection"):
                sqlanon.profile("people", connection=wrong)


def test_every_call_says_what_it_does() -> None:
    for name, call in methods().items():
        assert call.__doc__, name


def test_all_commands_open_a_database_by_the_same_options() -> None:
    shared = {"database", "show_database_errors"}
    loaded = [one.load() for one in COMMANDS]
    for command in loaded:
        named = {parameter.name: parameter for parameter in command.params}
        if shared & set(named):
            assert shared <= set(named), command.name
            assert named["database"].help == loaded[1].params[1].help, command.name
