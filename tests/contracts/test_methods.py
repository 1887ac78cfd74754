"""What every method must keep, by being registered: records, k, NULLs, one class, any threads."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fuzz.combined import COLUMNS, HIERARCHIES, Draft, fitted
from support import Connection, Row, database, make_table, read

import sqlanon
from sqlanon.methods import METHODS
from sqlanon.publish import PUBLICATIONS
from sqlanon.publish.groups import OfGroups

pytestmark = pytest.mark.slow

Rows = Sequence[Row]
NAMES = tuple(COLUMNS)
every_method = pytest.mark.parametrize("method", sorted(METHODS))


def record(number: int, **given: Any) -> Row:
    """A record of the fuzz's table; what is not given is alike in all."""
    plain = {"id": number, "who": f"p{number}", "age": 30, "town": "Aa", "ill": "flu", "pay": 10}
    values = {**plain, "grade": "low", "note": "x", "tag": f"t{number}", **given}
    return tuple(values.get(name) for name in NAMES)


def mixed(count: int) -> list[Row]:
    """Records with ties, NULLs and every grade as often as the others."""
    ages, towns = (20, 20, 35, None, 50, 51), ("Aa", "Bé", None, "C'c")
    return [
        record(
            number,
            age=ages[number % 6],
            town=towns[number % 4],
            grade=("low", "mid", "high")[number % 3],
        )
        for number in range(count)
    ]


def asked(method: str, k: int, **more: Any) -> dict[str, Any]:
    """A spec that the method takes: k, and what it cannot do without."""
    spec: dict[str, Any] = {
        "release": "public",
        "quasi_identifiers": {name: {} for name in ("age", "town")},
        "sensitive": {"grade": {}},
        "insensitive": {"tag": {"accept": "the number of the record"}},
        "privacy": {"k": k},
        "method": {"name": method},
        "seed": 1,
        **more,
    }
    if METHODS[method].Settings.publishes == "level":
        spec["quasi_identifiers"] = {
            name: {"hierarchy": HIERARCHIES[name], "publish": "level"} for name in ("age", "town")
        }
    return fitted(Draft(Random(1), 0, spec)).spec


def released(
    rows: Rows, spec: Mapping[str, Any], connection: Connection
) -> tuple[tuple[str, ...], list[Row]]:
    make_table(connection, "people", COLUMNS, rows)
    parsed = sqlanon.parse_spec({"source": "people", **spec}, Path())
    sqlanon.anonymize(parsed, connection=connection, progress=False).close()
    return read(connection, "public")


def refusal(rows: Rows, spec: Mapping[str, Any]) -> sqlanon.SqlanonError | None:
    """What a run is refused with; nothing is left of it then."""
    with database() as connection:
        try:
            released(rows, spec, connection)
        except sqlanon.SqlanonError as error:
            left = connection.execute("select table_name from duckdb_tables()").fetchall()
            assert [name for (name,) in left] == ["people"]
            return error
    return None


def classes(columns: Sequence[str], rows: Rows) -> list[list[int]]:
    """The numbers of the records that a reader sees alike."""
    hidden = [at for at, name in enumerate(columns) if name not in ("grade", "tag", "ill")]
    found: dict[Row, list[int]] = defaultdict(list)
    for row in rows:
        found[tuple(row[at] for at in hidden)].append(int(row[columns.index("tag")][1:]))
    return list(found.values())


def hides_rows(spec: Mapping[str, Any]) -> bool:
    """Whether k holds of the tuples that are published."""
    name = spec.get("publish", {}).get("name", next(iter(PUBLICATIONS)))
    return not isinstance(PUBLICATIONS[name], OfGroups)


@every_method
def test_records_are_conserved_and_no_class_is_below_k(method: str) -> None:
    rows, spec = mixed(24), asked(method, 3)
    with database() as connection:
        columns, found = released(rows, spec, connection)
    tag, grade = columns.index("tag"), columns.index("grade") if "grade" in columns else None
    assert sorted(row[tag] for row in found) == sorted(row[NAMES.index("tag")] for row in rows)
    if not hides_rows(spec):
        return
    assert min(map(len, classes(columns, found))) >= 3
    assert grade is not None
    source = {row[NAMES.index("tag")]: row[NAMES.index("grade")] for row in rows}
    assert {row[tag]: row[grade] for row in found} == source


@pytest.mark.sampled
@pytest.mark.slow
@every_method
def test_all_records_alike_are_one_class(method: str) -> None:
    """In their quasi-identifiers; also where these are NULL."""
    grades = ("low", "mid", "high")
    for values in ({"age": 30, "town": "Aa"}, {"age": None, "town": None}):
        rows = [record(number, grade=grades[number % 3], **values) for number in range(6)]
        spec = asked(method, 6)
        with database() as connection:
            columns, found = released(rows, spec, connection)
        assert len(found) == 6
        if hides_rows(spec):
            assert len(classes(columns, found)) == 1


@pytest.mark.sampled
@pytest.mark.slow
@every_method
def test_k_of_all_records_is_one_class_and_more_is_refused(method: str) -> None:
    rows, spec = mixed(12), asked(method, 12)
    if not hides_rows(spec):
        pytest.skip("its groups have a size of their own")
    with database() as connection:
        columns, found = released(rows, spec, connection)
    assert [len(entry) for entry in classes(columns, found)] == [12]
    error = refusal(rows, asked(method, 13))
    assert error is not None
    assert error.exit_code == 1


@pytest.mark.slow
@every_method
def test_a_table_without_records_is_refused(method: str) -> None:
    error = refusal([], asked(method, 2))
    assert error is not None
    assert error.exit_code == 2


@pytest.mark.slow
@pytest.mark.further  # so few records are one thread's: tests/release/test_determinism.py has many
@every_method
def test_a_release_is_the_same_on_any_number_of_threads(method: str) -> None:
    rows, spec = mixed(60), asked(method, 4)
    found = []
    for threads in (1, 4):
        with database(own=True) as connection:
            connection.execute(f"set threads = {threads}")
            found.append(Counter(released(rows, spec, connection)[1]))
    assert found[0] == found[1]


@pytest.mark.sampled
@pytest.mark.slow
@every_method
def test_records_of_a_person_stay_together_or_the_method_says_no(method: str) -> None:
    rows = [record(number, who=f"p{number // 2}", age=20 + number % 5) for number in range(16)]
    spec = asked(method, 3, person="who")
    if not METHODS[method].Settings.counts_persons or not hides_rows(spec):
        error = refusal(rows, spec)
        assert error is not None
        assert error.exit_code == 2
        assert "persons" in str(error)
        return
    with database() as connection:
        columns, found = released(rows, spec, connection)
    for members in classes(columns, found):
        persons = Counter(number // 2 for number in members)
        assert len(persons) >= 3
        assert set(persons.values()) == {2}
