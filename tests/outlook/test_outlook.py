"""What `plan` tells of a run before it: its size, what can be met, what takes the time, phases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from commands import sqlanon as command
from support import Connection, database, make_table

import sqlanon
from sqlanon.engines import open_engine
from sqlanon.engines.driver import Driver
from sqlanon.plan import Search, Step
from sqlanon.planning.prepare import Prepared, prepare
from sqlanon.source.source import RECORDS
from sqlanon.spec import parse_spec
from sqlanon.uses.outlook.outlook import Outlook, outlook

ROWS = [
    (20 + row % 7, "FM"[row % 2], ("flu", "cold", None)[row % 3], row // 2, row % 5)
    for row in range(60)
]
ROLES: dict[str, Any] = {
    "source": "people",
    "release": "public",
    "quasi_identifiers": {"age": {}, "sex": {"hierarchy": {"tree": {"*": ["F", "M"]}}}},
    "sensitive": ["disease"],
    "insensitive": {"ward": {"accept": "it is public"}},
    "privacy": {"k": 5},
}
DEALT = {"method": "stack_and_deal"}
EVERY: dict[str, dict[str, Any]] = {
    "searched": {},
    "dealt": DEALT,
    "lattice": {
        "method": "optimal",
        "quasi_identifiers": {"sex": {"hierarchy": {"tree": {"*": ["F", "M"]}}}},
        "suppression": {"records": 0.5},
    },
    "persons": {"person": "id", "insensitive": {}},
    "anatomy": {
        **DEALT,
        "publish": {"name": "anatomy", "group": 5},
        "privacy": {"k": 1, "l": 2},
    },
    "population": {**DEALT, "privacy": {"k": 5, "population": {"source": "people", "k_map": 5}}},
    "transformed": {"sensitive": {"ward": {"transform": {"round": 2}}}, "insensitive": {}},
}


@pytest.fixture
def people() -> Iterator[Connection]:
    columns = {"age": "integer", "sex": "varchar", "disease": "varchar", "id": "integer"}
    with database() as connection:
        make_table(connection, "people", {**columns, "ward": "integer"}, ROWS)
        yield connection


def ahead(connection: Connection, **declared: Any) -> tuple[Prepared, Outlook]:
    with closing(open_engine(connection=connection)) as engine:
        prepared = prepare(parse_spec({**ROLES, **declared}), engine)
        return prepared, outlook(prepared, engine)


def test_the_size_of_the_job(people: Connection) -> None:
    _, found = ahead(people)
    assert found.records == len(ROWS)
    assert found.combinations == len({row[:2] for row in ROWS})
    _, of_persons = ahead(people, **EVERY["persons"])
    assert of_persons.best is not None
    assert (of_persons.records, of_persons.best.records) == (60, 30)


def test_what_one_class_meets_can_be_met(people: Connection) -> None:
    _, found = ahead(people, privacy={"k": 60, "l": 3, "t": 0.1})
    assert found.best is not None
    assert found.best.passed
    assert not found.why_unknown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "short"),
    [
        ({"l": 4}, ("distinct l-diversity", "disease", "3")),
        ({"alpha": "0.3"}, ("α", "disease", None)),
    ],
)
def test_what_one_class_does_not_meet_cannot(
    people: Connection, asked: dict[str, Any], short: tuple[str, str, str | None]
) -> None:
    _, found = ahead(people, privacy={"k": 2, **asked})
    assert found.best is not None
    (limit,) = found.best.binding
    assert limit.attribute == short[1]
    assert not limit.possible
    if short[2] is not None:
        assert (limit.title, limit.feasible) == (short[0], short[2])
    with pytest.raises(sqlanon.InfeasibleError):
        sqlanon.anonymize(parse_spec({**ROLES, "privacy": {"k": 2, **asked}}), connection=people)


def test_where_it_is_not_told_it_is_said_why(people: Connection) -> None:
    _, found = ahead(people, **EVERY["anatomy"])
    assert found.best is None
    assert "generalized" in found.why_unknown


def test_a_plan_says_with_which_uses_its_spec_goes(people: Connection, tmp_path: Path) -> None:
    """A sentence for each that it does not go with, and the same for programs."""
    rows = "20,F,flu,p\n30,M,cold,q\n" * 4
    (tmp_path / "people.csv").write_text(f"age,sex,disease,who\n{rows}")
    counted = {"person": "who", "privacy": {"k": 2}, "insensitive": {}, "materialize": "view"}
    spec = {**ROLES, **DEALT, "source": "people.csv", **counted}
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec))
    text = " ".join(command(tmp_path, "plan", "spec.yaml").stdout.split())
    assert "This spec goes with: compile, compile in another dialect than the database's," in text
    assert "It does not go with compile --dbt, because of materialize: a release made by" in text
    assert "It does not go with check --spec, check by roles alone, because of person: a" in text
    found = json.loads(command(tmp_path, "plan", "spec.yaml", "--json").stdout)["uses"]
    assert found["compile"] == found["sweep"] == []
    assert [one["where"] for one in found["compile --dbt"]] == ["materialize"]


def test_more_records_than_there_are(people: Connection) -> None:
    with pytest.raises(sqlanon.InfeasibleError, match="only 60 records"):
        ahead(people, privacy={"k": 61})


def test_what_takes_the_time(people: Connection) -> None:
    prepared, found = ahead(people)
    assert found.slowest
    assert all(isinstance(prepared.plan.steps[at - 1], Search) for at in found.slowest)
    prepared, found = ahead(people, **DEALT)
    made = {
        step.output for at in found.slowest if isinstance(step := prepared.plan.steps[at - 1], Step)
    }
    assert {RECORDS, prepared.release} <= made
    assert all(found.most_rows[str(relation)] == 60 for relation in made)


@pytest.mark.parametrize("declared", EVERY.values(), ids=EVERY)
def test_phases_come_one_after_the_other(people: Connection, declared: dict[str, Any]) -> None:
    prepared, _ = ahead(people, **declared)
    found = prepared.plan.phases
    assert list(dict.fromkeys(found)) == [
        "reading the source",
        "looking at the columns",
        "forming classes",
        "publishing",
        "measuring what is published",
        "the gate",
    ]
    assert list(found) == sorted(found, key=list(dict.fromkeys(found)).index)
    for step, phase in zip(prepared.plan, found, strict=True):
        if isinstance(step, Search):
            assert phase == "forming classes"
        if isinstance(step, Step) and step.output == prepared.release:
            assert phase == "publishing"
        if step.title.startswith("measuring"):
            assert phase == "measuring what is published"
        if step.title == "every declared model holds":
            assert phase == "the gate"


# What names the source and is no scan of the records: a text file's columns, and its first line.
LOOKS = {"describe": "a source's columns", "source/header": "whether a file has a header line"}
# The axes of a curve are chosen while the run is planned, by how many values each column has, and
# a plan is laid out before anything of it is carried out: so these methods count once before.
CURVES: dict[str, dict[str, Any]] = {
    "along a curve": {"method": {"name": "stack_and_deal", "locality": "curve"}},
    "sabre": {"method": "sabre", "privacy": {"k": 5, "t": 0.3}, "insensitive": {}},
}


def scans(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> list[str]:
    """What the statements of a command are for that read the records of ``people``, in order."""
    found, call = [], Driver.call

    def watched(driver: Driver, use: Any, step: str = "", sql: str = "") -> Any:
        named = '"people"' in sql or "people.csv" in sql
        if named and step not in LOOKS and sql.split()[0] not in LOOKS:
            found.append(step)
        return call(driver, use, step, sql)

    with monkeypatch.context() as patch:
        patch.setattr(Driver, "call", watched)
        done = command(Path(arguments[-1]).parent, *map(str, arguments))
    assert done.returncode == 0, done
    return found


@pytest.fixture(params=["file", "table"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """A source whose name is in every statement that reads it.

    A table is not copied: a view of it is made, and what reads the view is in its transaction.
    """
    stored = tmp_path / "place.duckdb"
    with duckdb.connect(stored) as connection:
        columns = "(age integer, sex varchar, disease varchar, id integer, ward integer)"
        connection.execute(f"create table people {columns}")
        connection.executemany("insert into people values (?, ?, ?, ?, ?)", ROWS)
        connection.execute(f"copy people to '{tmp_path / 'people.csv'}' (header)")
    if request.param == "file":
        return {"source": "people.csv"}
    return {"source": "people", "database": "place.duckdb"}


MOST_OF_A_FILE = 8  # its first lines, what its columns may be by these, and are by all


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "declared"),
    [*(("plan", text) for text in (*EVERY, *CURVES)), ("why", "searched"), ("why", "persons")],
)
def test_the_source_is_read_once(
    source: dict[str, str],
    told: str,
    declared: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = tmp_path / "spec.yaml"
    fields = {**ROLES, "seed": 1, **(EVERY | CURVES)[declared], **source}
    counted = ["source/distinct"] if declared in CURVES else []
    if declared == "population":  # it is another table, and here the same
        population = {**fields["privacy"]["population"], "source": source["source"]}
        fields["privacy"] = {**fields["privacy"], "population": population}
        counted = ["reading the population"]
    spec.write_text(yaml.safe_dump(fields))
    found = scans(monkeypatch, told, spec)
    if "database" in source:
        assert sorted(found) == sorted([*counted, "reading the source"])
    else:  # the types of a text file's columns are found first: a few questions, and no more
        assert {*found} - {"source/look"} == {*counted, "reading the source"}
        assert len(found) <= MOST_OF_A_FILE * (2 if declared == "population" else 1) + len(counted)
