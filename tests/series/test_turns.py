"""Two runs of the same persons at the same time: one of them publishes, and the other is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from servers import Place, SparkPlace, place
from support import slow

import sqlanon
from sqlanon.engines import open_engine
from sqlanon.errors import SpecError
from sqlanon.planning.prepare import prepare
from sqlanon.session import Event
from sqlanon.spec import parse_spec
from sqlanon.uses.release.run import publish

COLUMNS = {"who": "integer", "age": "integer", "disease": "varchar"}
DECLARED: dict[str, Any] = {
    "quasi_identifiers": ["age"],
    "sensitive": ["disease"],
    "person": "who",
    "k": 2,
    "method": "stack_and_deal",
    "seed": 1,
}
PLACES = ["duckdb", *slow("postgres")]
MEANWHILE = r"another run has published second, of persons named by who too.* run again"
UNDER_WAY = r"another run is under way .* published nothing: run again"


@pytest.fixture(params=PLACES)
def here(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        rows = [(i, 20 + i % 3, f"d{i % 2}") for i in range(12)]
        found.make_table("visits", COLUMNS, rows)
        found.make_table(
            "renamed", {"whom": "integer", **COLUMNS}, [(row[0], *row) for row in rows]
        )
        yield found


@contextmanager
def another(here: Place) -> Iterator[Any]:
    """A connection of another run's."""
    if isinstance(here, SparkPlace):
        yield here.connection.newSession()
    elif hasattr(here, "url"):
        import psycopg

        with psycopg.connect(here.url, autocommit=True) as connection:
            yield connection
    else:
        with here.connection.cursor() as connection:
            yield connection


def run(connection: Any, release: str, source: str = "visits", **given: Any) -> None:
    declared = {**DECLARED, "release": release, "series": {}, "progress": False, **given}
    sqlanon.anonymize(source, connection=connection, **declared).close()


def at(moment: Callable[[Event], bool], act: Callable[[], None]) -> Callable[[Event], None]:
    """A listener that acts once, at a moment of a run."""
    done: list[Event] = []

    def listen(event: Event) -> None:
        if not done and moment(event):
            done.append(event)
            act()

    return listen


def begun(event: Event) -> bool:
    return event.kind == "end"


def ending(event: Event) -> bool:
    return event.kind == "end" and event.number == event.total


def published(here: Place) -> set[str]:
    return here.relations() & {"first", "second"}


@pytest.mark.parametrize("moment", [begun, ending])
def test_one_of_two_runs_of_the_same_persons_publishes(
    here: Place, moment: Callable[[Event], bool]
) -> None:
    told = []

    def run_another() -> None:
        with another(here) as connection:
            try:
                run(connection, "second")
            except SpecError as error:
                told.append(str(error))

    try:
        run(here.connection, "first", progress=at(moment, run_another))
    except SpecError as error:
        told.append(str(error))
    assert len(told) == len(published(here)) == 1, told
    assert re.search(f"{MEANWHILE}|{UNDER_WAY}", told[0])
    with pytest.raises(SpecError, match="12 of the persons are in"):
        run(here.connection, "third")


@pytest.mark.parametrize("here", slow("spark"), indirect=True)
def test_a_run_on_spark_is_told_before_it_publishes(here: Place) -> None:
    test_one_of_two_runs_of_the_same_persons_publishes(here, begun)


def test_a_run_is_told_of_a_release_that_its_plan_does_not_know(here: Place) -> None:
    declared = {**DECLARED, "source": "visits", "release": "first", "series": {}}
    declared["privacy"] = {"k": declared.pop("k")}
    engine = open_engine(connection=here.connection)
    prepared = prepare(parse_spec(declared), engine)
    with another(here) as connection:
        run(connection, "second")
    with pytest.raises(SpecError, match=MEANWHILE):
        publish(prepared, engine)
    engine.close()
    assert published(here) == {"second"}


def test_a_run_that_is_refused_leaves_the_turn_to_others(here: Place) -> None:
    with pytest.raises(sqlanon.InfeasibleError):
        run(here.connection, "first", k=99)
    with another(here) as connection:
        run(connection, "second")
        with pytest.raises(SpecError, match="12 of the persons are in second"):
            run(here.connection, "first")
        run(here.connection, "first", after="second")


def test_runs_without_a_series_and_of_other_columns_are_nobodys_turn(here: Place) -> None:
    def run_others() -> None:
        with another(here) as connection:
            alone = {**DECLARED, "release": "plain", "progress": False}
            sqlanon.anonymize("visits", connection=connection, **alone).close()
            run(connection, "second", "renamed", person="whom")

    run(here.connection, "first", progress=at(begun, run_others))
    assert published(here) == {"first", "second"}
