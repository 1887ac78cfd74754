"""What a plan says of the size of its relations, and what a run tells of its steps."""

from __future__ import annotations

import itertools
import json
import os
import pty
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from support import slow

import sqlanon
import sqlanon.session.progress
from sqlanon.api.declared import Declared, Fields
from sqlanon.cli.main import cli
from sqlanon.engines import DuckDBEngine, open_engine
from sqlanon.errors import InterruptedRunError
from sqlanon.plan import Materialization
from sqlanon.planning.prepare import prepare
from sqlanon.privacy import MODELS
from sqlanon.session import Event
from sqlanon.session.progress import watching
from sqlanon.spec import Spec, parse_spec
from sqlanon.sql.names import Relation
from sqlanon.uses.outlook.dry_run import dry_run
from sqlanon.uses.outlook.outlook import most_rows

pytestmark = pytest.mark.slow

ROWS = 300
METHODS: list[dict[str, Any]] = [
    {"name": "stack_and_deal"},
    {"name": "stack_and_deal", "locality": "curve"},
    {"name": "stack_and_deal", "locality": "stripes", "stripe": 50},
    {"name": "deal_tree"},
    {"name": "split_or_deal"},
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    lines = [f"{row % 61},{'mf'[row % 2]},{row * 7 % 5}" for row in range(ROWS)]
    file = tmp_path / "people.csv"
    file.write_text("\n".join(["age,sex,illness", *lines]), encoding="utf-8")
    return file


def declared(source: Path, method: dict[str, Any]) -> dict[str, Any]:
    return {
        "source": str(source),
        "release": "published",
        "quasi_identifiers": ["age", "sex"],
        "sensitive": {"illness": {"t": 0.5}},
        "privacy": {"k": 7},
        "method": method,
    }


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS, ids=lambda one: "-".join(map(str, one.values())))
def test_no_relation_has_more_rows_than_the_plan_said(source: Path, method: dict[str, Any]) -> None:
    spec = parse_spec(declared(source, method))
    engine = open_engine(None)
    with dry_run(prepare(spec, engine), engine) as dry:
        most = most_rows(dry)
    engine.close()
    assert {"published", "sqlanon_assigned", "published__classes"} <= set(most)
    with sqlanon.anonymize(spec) as release:
        rows = {step["relation"]: step["rows"] for step in release.steps}
        assert rows["published"] == ROWS
        assert rows["published__classes"] == release.measure("classes")
    for relation, known in most.items():
        assert rows[relation] is None or rows[relation] <= known, relation


def test_events_tell_rows_and_seconds(source: Path) -> None:
    events: list[Event] = []
    sqlanon.anonymize(
        parse_spec(declared(source, {"name": "stack_and_deal"})), progress=events.append
    ).close()
    ended = {event.title: event for event in events if event.kind == "end"}
    assert ended["reading the source"].rows == ROWS
    assert ended["writing the release"].rows == ROWS
    assert ended["the source has records"].rows is None
    assert {event.total for event in events} == {len(ended)}


@pytest.mark.sampled
@pytest.mark.parametrize(
    "asked",
    [
        {"method": "stack_and_deal", "k": 7},
        {"method": "split_or_deal", "k": 7},
        *slow({"method": "mondrian", "k": 7, "sensitive": {"illness": {"l": 2}}}),
        {"method": "stack_and_deal", "k": 7, "choose": {"k": "7-9", "privacy_weight": 0.5}},
    ],
    ids=["steps", "search", "levels", "choice"],
)
def test_what_is_done_never_falls(
    source: Path, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if asked["method"] == "mondrian":  # level by level: one query does not tell how far it has come
        monkeypatch.setattr("sqlanon.methods.workspace.FEW_CELLS", 0)
    events: list[Event] = []
    wanted = declared(source, {"name": asked["method"]}) | {"privacy": {"k": asked["k"]}}
    wanted |= {name: asked[name] for name in asked if name not in ("method", "k")}
    sqlanon.anonymize(**wanted, progress=events.append).close()
    done = [event.done for event in events]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0.0, 1.0)
    assert max(after - before for before, after in itertools.pairwise(done)) < 0.5
    numbers = [event.number for event in events]
    assert numbers == sorted(numbers)


def test_a_log_has_a_line_for_a_slow_step(capfd: pytest.CaptureFixture[str]) -> None:
    with watching(True, log=True) as listener:
        assert listener is not None
        listener(Event("end", "writing the release", 3, 9, 1.0, 12.34, 1_000_000))
        listener(Event("end", "counting", 4, 9, 1.0, 0.1, 1))
    assert capfd.readouterr().err == ("step 3 of 9: writing the release, 1,000,000 rows, 12.3 s\n")


def test_a_script_that_nobody_watches_says_nothing(
    source: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlanon.session.progress, "SLOW_SECONDS", 0.0)
    sqlanon.anonymize(**declared(source, {"name": "stack_and_deal"})).close()
    assert capfd.readouterr() == ("", "")


@pytest.mark.further
@pytest.mark.slow
def test_a_bar_is_drawn_in_a_terminal(source: Path) -> None:
    """A pseudo-terminal is one to the program; a dumb one gets no bar."""
    program = (
        f"import sqlanon; sqlanon.anonymize(**{declared(source, {'name': 'stack_and_deal'})!r})"
    )
    for term, drawn in (("xterm", True), ("dumb", False)):
        ours, theirs = pty.openpty()
        given = {**os.environ, "TERM": term, "COLUMNS": "100"}
        with subprocess.Popen([sys.executable, "-c", program], stderr=theirs, env=given) as run:
            os.close(theirs)
            shown = b""
            with suppress(OSError):  # how the end of a pseudo-terminal is said
                while read := os.read(ours, 4096):
                    shown += read
            os.close(ours)
        assert run.returncode == 0
        assert (b"100%" in shown) == drawn, shown
        assert drawn or not shown


def test_the_arguments_are_the_fields_of_a_spec() -> None:
    """The keyword arguments that editors complete are those that a spec takes."""
    fields = set(Spec.model_fields) - {"source", "database"}
    own = ("guard", "population")  # which name a column and a table
    models = {model.field.name for model in MODELS if model.per not in own}
    assert set(Declared.__annotations__) | set(Fields.__annotations__) == fields | models


def test_nothing_is_said_where_nothing_is_wanted() -> None:
    with watching(False) as listener:
        assert listener is None


def test_run_shows_every_step_with_its_rows(source: Path) -> None:
    spec = source.with_name("spec.yaml")
    spec.write_text(json.dumps(declared(source, {"name": "stack_and_deal"})), encoding="utf-8")
    database = str(source.with_name("out.duckdb"))
    with_steps = CliRunner().invoke(cli, ["run", str(spec), "--database", database, "--steps"])
    assert with_steps.exit_code == 0, with_steps.output
    assert "Every step" in with_steps.output
    assert [line.split()[-3:-1] for line in with_steps.output.splitlines() if "dealing" in line]
    without = CliRunner().invoke(cli, ["run", str(spec), "--database", database])
    assert "Every step" not in without.output
    planned = CliRunner().invoke(cli, ["plan", str(spec), "--json"])
    steps = {load["relation"]: load for load in json.loads(planned.output)["steps"]}
    assert steps["published"]["most_rows"] == ROWS
    assert steps["published__classes"]["most_rows"] == ROWS // 7


# --- what a search lets go of --------------------------------------------------------------------


def changed_midway(source: Path, change: str) -> list[tuple[Any, ...]]:
    """A release whose source is changed by another connection while classes are cut."""
    with duckdb.connect() as connection:
        connection.execute(f"create table people as from read_csv('{source}')")
        fields = {**declared(source, {"name": "split_or_deal"}), "source": "people"}

        def meddle(event: Event) -> None:
            if event.title == "cutting classes: level 2":
                with connection.cursor() as other:
                    other.execute(change)

        sqlanon.anonymize(parse_spec(fields), connection=connection, progress=meddle).close()
        return connection.execute("from published").fetchall()


@pytest.mark.slow
def test_a_release_is_of_one_state_of_the_source(source: Path) -> None:
    """A search gives up its transaction to let go of what it has dropped."""
    found = changed_midway(source, "update people set age = 99 - age, illness = 4 - illness")
    assert found == changed_midway(source, "select 1")


def test_what_was_dropped_takes_no_room() -> None:
    made, select = (
        Relation("sqlanon_made"),
        "select range as one, hash(range) as two from range(200000)",
    )
    with closing(DuckDBEngine()) as engine, engine.transaction():
        sizes = []
        for _ in range(5):
            engine.create(made, select, Materialization.WORK_TABLE)
            engine.reclaim_space()
            sizes.append(
                engine.fetch_portable("select sum(memory_usage_bytes) from duckdb_memory()").rows[
                    0
                ][0]
            )
        assert max(sizes) < 1.5 * sizes[0] < 10 * sizes[0]


def test_a_search_that_is_interrupted_leaves_nothing(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the caller's connection too, though its transaction was begun anew."""
    monkeypatch.setattr("sqlanon.methods.workspace.FEW_CELLS", 0)

    def interrupt(event: Event) -> None:
        if event.title == "cutting classes: level 3":
            raise KeyboardInterrupt

    with duckdb.connect() as connection:
        with pytest.raises(InterruptedRunError):
            sqlanon.anonymize(
                parse_spec(declared(source, {"name": "split_or_deal"})),
                connection=connection,
                progress=interrupt,
            )
        assert connection.execute("select table_name from duckdb_tables()").fetchall() == []
        views = "select view_name from duckdb_views() where not internal"
        assert connection.execute(views).fetchall() == []
        connection.execute("begin; commit")


def test_no_space_is_reclaimed_once_something_is_published() -> None:
    """What is published becomes visible at once with the rest, or not at all."""
    with duckdb.connect() as connection:
        engine = DuckDBEngine(connection=connection)
        with suppress(RuntimeError), engine.transaction():
            engine.create(Relation("sqlanon_work"), "select 1 as one", Materialization.WORK_TABLE)
            engine.reclaim_space()
            engine.create(Relation("release"), "from sqlanon_work", Materialization.TABLE)
            engine.reclaim_space()
            raise RuntimeError
        engine.close()
        assert connection.execute("select table_name from duckdb_tables()").fetchall() == []
