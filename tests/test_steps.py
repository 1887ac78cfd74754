"""What a plan says of the size of its relations, and what a run tells of its steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.cli.progress import watching
from sqlanon.engines import open_engine
from sqlanon.plan import Event
from sqlanon.release import most_rows, prepare
from sqlanon.spec import parse_spec

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


@pytest.mark.parametrize("method", METHODS, ids=lambda one: "-".join(map(str, one.values())))
def test_no_relation_has_more_rows_than_the_plan_said(source: Path, method: dict[str, Any]) -> None:
    spec = parse_spec(declared(source, method))
    engine = open_engine(None)
    most = most_rows(prepare(spec, engine), engine)
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


def test_a_log_has_a_line_for_a_slow_step(capfd: pytest.CaptureFixture[str]) -> None:
    with watching(silent=False) as listener:
        assert listener is not None
        listener(Event("end", "writing the release", 3, 9, 1.0, 12.34, 1_000_000))
        listener(Event("end", "counting", 4, 9, 1.0, 0.1, 1))
    assert capfd.readouterr().err == ("step 3 of 9: writing the release, 1,000,000 rows, 12.3 s\n")


def test_nothing_is_said_where_nothing_is_wanted() -> None:
    with watching(silent=True) as listener:
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
    steps = {one["relation"]: one for one in json.loads(planned.output)["steps"]}
    assert steps["published"]["most_rows"] == ROWS
    assert steps["published__classes"]["most_rows"] == ROWS // 7
