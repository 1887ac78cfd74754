"""What `plan` tells of a run before it: its size, what can be met, what takes the time, phases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from support import Connection, database, make_table

import sqlanon
from sqlanon.engines import open_engine
from sqlanon.outlook.outlook import Outlook, outlook
from sqlanon.plan import Search, Step, phases
from sqlanon.planning.prepare import Prepared, prepare
from sqlanon.source.source import RECORDS
from sqlanon.spec import parse_spec

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
    assert not found.untold


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
    assert "generalized" in found.untold


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
    found = phases(prepared.plan)
    assert list(dict.fromkeys(found)) == [
        "reading the source",
        "looking at the columns",
        "forming classes",
        "publishing",
        "measuring what is published",
        "the gate",
    ]
    assert found == sorted(found, key=list(dict.fromkeys(found)).index)
    for step, phase in zip(prepared.plan, found, strict=True):
        if isinstance(step, Search):
            assert phase == "forming classes"
        if isinstance(step, Step) and step.output == prepared.release:
            assert phase == "publishing"
        if step.title.startswith("measuring"):
            assert phase == "measuring what is published"
        if step.title == "every declared model holds":
            assert phase == "the gate"
