"""Searches with nothing to choose: fixed levels, cells of a recipe. Their steps are a plan's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb
import pytest
from people import COLUMNS, GROUPED, people_rows
from servers import PostgresPlace, place
from support import Connection, database, make_table, read, slow

import sqlanon
from sqlanon.engines import DuckDBEngine
from sqlanon.plan import Search
from sqlanon.planning.prepare import prepare
from sqlanon.spec import parse_spec
from sqlanon.uses.release.script import release_script

PLAIN: dict[str, Any] = {
    "source": {"table": "people"},
    "release": "public",
    "quasi_identifiers": GROUPED,
    "sensitive": {"ill": {"l": 2}},
    "privacy": {"k": 4},
    "method": "optimal",
    "seed": 7,
}
FIXED = {"levels": {"age": 2, "job": 2, "zip": 2}}
LEFT_OUT = {"levels": {"age": 1, "job": 1, "zip": 2}, "suppression": {"records": "0.9"}}
CASES: dict[str, dict[str, Any]] = {
    "fixed": FIXED,
    "left out": LEFT_OUT,
    "t": {**LEFT_OUT, "sensitive": {"ill": {"t": "0.6"}}},
    "datafly": {**LEFT_OUT, "method": "datafly"},
    "subsets": {**LEFT_OUT, "privacy": {"k": 4, "subsets": [{"columns": ["age"], "k": 9}]}},
    "k alone": {**LEFT_OUT, "sensitive": []},
}
LATER = sorted(CASES.keys() - {"fixed", "left out"})


@pytest.fixture
def people() -> Iterator[Connection]:
    with database() as connection:
        make_table(connection, "people", COLUMNS, people_rows(200))
        yield connection


def script(connection: Connection, **declared: Any) -> tuple[str, bool]:
    """The script of a spec, and whether its plan holds a search once all is foreseen."""
    engine = DuckDBEngine(connection=connection)
    prepared = prepare(parse_spec({**PLAIN, **declared}), engine)
    searches = any(isinstance(step, Search) for step in prepared.plan.foreseen())
    text = release_script(prepared, engine)
    engine.close()
    return text, searches


def made(connection: Connection, release: str = "public") -> list[Any]:
    parts = ("", "__classes", "__metrics")
    return [sorted(read(connection, f"{release}{part}")[1], key=repr) for part in parts]


@pytest.mark.one_in(2)
@pytest.mark.sampled
@pytest.mark.parametrize("case", ["fixed", "left out", *slow(*LATER)])
def test_a_script_of_fixed_levels_makes_the_release_of_a_run(people: Connection, case: str) -> None:
    text, searches = script(people, **CASES[case])
    assert not searches
    sqlanon.anonymize(parse_spec({**PLAIN, **CASES[case]}), connection=people).close()
    with duckdb.connect() as other:
        make_table(other, "people", COLUMNS, people_rows(200))
        other.execute(text)
        assert made(other) == made(people)


def test_its_data_is_not_asked_what_the_script_is(people: Connection) -> None:
    """Of a table that has the same columns and other values the script is the same."""
    text, _ = script(people, **LEFT_OUT)
    people.execute("delete from people where ill = 'flu' or age > 40")
    again, _ = script(people, **LEFT_OUT)
    assert without_number(text) == without_number(again)


def without_number(text: str) -> str:
    """A script without the number that is drawn for its release."""
    number = re.search(r"sqlanon release ([0-9a-f]{32})", text)
    assert number is not None
    return text.replace(number[1], "")


def test_a_script_of_fixed_levels_publishes_nothing_that_violates(people: Connection) -> None:
    text, _ = script(people, levels={"age": 0, "job": 0, "zip": 0})
    with duckdb.connect() as other:
        make_table(other, "people", COLUMNS, people_rows(200))
        with pytest.raises(duckdb.Error, match="does not reach what the spec asks for"):
            other.execute(text)
        other.rollback()
        found = other.execute("select count(*) from duckdb_tables() where not temporary")
        assert found.fetchone() == (1,)


@pytest.mark.slow
def test_levels_that_may_be_chosen_are_searched_for(people: Connection) -> None:
    assert script(people)[1]
    chosen = {**LEFT_OUT, "levels": {"age": 1, "job": [0, 1], "zip": 2}}
    assert script(people, **chosen)[1]


def test_a_script_of_a_recipes_levels_has_nothing_to_search(people: Connection) -> None:
    sqlanon.anonymize(parse_spec({**PLAIN, "release": "first"}), connection=people).close()
    assert not script(people, recipe="first")[1]


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", ["mondrian", *slow("split_or_deal", "top_down")])
def test_a_script_of_a_recipes_cells_makes_the_release_of_a_run(
    people: Connection, method: str
) -> None:
    quasi = GROUPED if method == "top_down" else ["age", "job", "zip"]
    declared: dict[str, Any] = {"quasi_identifiers": quasi, "method": method}
    sqlanon.anonymize(
        parse_spec({**PLAIN, **declared, "release": "first"}), connection=people
    ).close()
    declared |= {"recipe": "first", "suppression": {"records": "0.9"}}
    text, searches = script(people, **declared)
    assert not searches
    sqlanon.anonymize(parse_spec({**PLAIN, **declared}), connection=people).close()
    expected = made(people)
    for part in ("", "__classes", "__metrics", "__run", "__suppressed"):
        people.execute(f"drop table if exists public{part}")
    people.execute(text)
    assert made(people) == expected


def test_a_script_refuses_records_that_lie_in_no_cell(people: Connection) -> None:
    declared = {"quasi_identifiers": ["age", "job", "zip"], "method": "mondrian"}
    sqlanon.anonymize(
        parse_spec({**PLAIN, **declared, "release": "first"}), connection=people
    ).close()
    text, _ = script(people, **declared, recipe="first")
    people.execute("insert into people values (99, 'e', '999', 'flu')")
    with pytest.raises(duckdb.Error, match="1 records lie in no cell of 'first', with 1 comb"):
        people.execute(text)
    people.rollback()


@pytest.mark.parametrize("case", [*slow("fixed", "left out")])
def test_postgresql_makes_it_by_a_script_too(case: str, urls: Mapping[str, str]) -> None:
    with place("postgres", urls) as there:
        assert isinstance(there, PostgresPlace)
        there.make_table("people", COLUMNS, people_rows(200))
        spec = {**PLAIN, **CASES[case]}
        text = sqlanon.compile(parse_spec(spec), connection=there.connection, all_metrics=True)
        sqlanon.anonymize(parse_spec(spec), connection=there.connection).close()
        expected = [sorted(there.read(name)[1], key=repr) for name in ("public", "public__metrics")]
        for part in ("", "__classes", "__metrics", "__run", "__suppressed"):
            there.connection.execute(f"drop table if exists public{part}")
        there.connection.execute(text.encode())
        assert [
            sorted(there.read(name)[1], key=repr) for name in ("public", "public__metrics")
        ] == expected
