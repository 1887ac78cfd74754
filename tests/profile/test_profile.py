"""A table's profile against plain Python, on every engine; no value is shown but codes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations, product
from math import log2
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from servers import Place, place
from support import Row, database, examples, make_table

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.uses.profile.names import meaning_of
from sqlanon.uses.profile.profile import Profile
from sqlanon.uses.profile.table import FEWER_MISSES, SHARED

TYPES = {"age": "bigint", "Größe ä": "varchar", "dose": "double", "born": "date", "x1": "varchar"}
ROWS: list[Row] = [
    (
        None if i % 11 == 0 else i % 40,
        "ABC"[i % 40 % 3] if i % 11 else None,
        i % 7 / 4,
        date(2000, 1, 1 + i * i % 28),
        ["?", "a", "b", None][i * i * i % 4],
    )
    for i in range(300)
]


def profiled(types: Mapping[str, str], rows: Sequence[Row]) -> Profile:
    with database() as connection:
        make_table(connection, "t", types, rows)
        return sqlanon.profile("t", connection=connection)


def fewest_missed(rows: Sequence[Row], number: int, other: int) -> int:
    """In how many records the other is not what is commonest beside the value of the one."""
    beside: dict[Any, Counter[Any]] = {}
    for row in rows:
        beside.setdefault(row[number], Counter())[row[other]] += 1
    return sum(counts.total() - max(counts.values()) for counts in beside.values())


def check(found: Profile, rows: Sequence[Row]) -> None:
    """Every figure of a profile against the definition."""
    names = [column.name for column in found.columns]
    assert found.records == len(rows)
    for at, column in enumerate(found.columns):
        times = Counter(row[at] for row in rows if row[at] is not None)
        counts = column.counts
        assert (counts.known, counts.used) == (times.total(), len(times))
        assert counts.single == sum(records == 1 for records in times.values())
        assert counts.commonest == max(times.values(), default=0)
        entropy = -sum(n / times.total() * log2(n / times.total()) for n in times.values())
        assert counts.entropy == pytest.approx(entropy, abs=2e-6)
        for name in column.determines:
            other = names.index(name)
            alone = Counter(row[other] for row in rows)
            missed = alone.total() - max(alone.values())
            assert FEWER_MISSES * fewest_missed(rows, at, other) <= missed > 0
            assert column.name in found.columns[other].determined_by
    for some in found.combinations:
        tuples = Counter(tuple(row[names.index(name)] for name in some.columns) for row in rows)
        assert some.tuples == len(tuples)
        assert some.single == sum(records == 1 for records in tuples.values())


VALUES = (
    st.one_of(st.none(), st.integers(-9, 12)),
    st.one_of(st.none(), st.sampled_from(["", "?", "N", "a b", "Ä", "7", "99"])),
    st.one_of(st.none(), st.sampled_from([0.0, 0.5, -8.0, 1e300, float("inf")])),
    st.one_of(st.none(), st.dates(date(2000, 1, 1), date(2000, 1, 9))),
    st.one_of(st.none(), st.sampled_from(["A00", "B01.2"])),
)


@examples(4, 100)
@given(st.lists(st.tuples(*VALUES), min_size=1, max_size=60))
def test_figures_are_those_of_the_definition(rows: list[Row]) -> None:
    check(profiled(TYPES, rows), rows)


def test_every_pair_that_is_told_is_found() -> None:
    """In a table that the sample holds whole: those that hold and no others, near-copies too."""
    rows: list[Row] = [
        (i % 20, f"v{i % 20 // 4}", i % 20 * 1.5, date(2000, 1, 1 + i % 3), "ab"[i * i % 5 % 2])
        for i in range(240)
    ]
    rows[7] = (3, "v4", 99.0, date(2000, 1, 2), "a")  # one typing error hides nothing
    found = profiled(TYPES, rows)
    check(found, rows)
    expected = set()
    for one, other in product(range(5), repeat=2):
        alone = Counter(row[other] for row in rows)
        missed = alone.total() - max(alone.values())
        holds = missed > 0 and FEWER_MISSES * fewest_missed(rows, one, other) <= missed
        if one != other and holds and SHARED * len({row[one] for row in rows}) <= len(rows):
            expected.add((one, other))
    names = list(TYPES)
    told = {(names.index(column.name), names.index(two)) for column in found.columns
            for two in column.determines}  # fmt: skip
    assert told == expected >= {(0, 1), (0, 2), (2, 0)}


def test_the_most_identifying_pair_is_found() -> None:
    found = profiled(TYPES, ROWS)
    check(found, ROWS)
    names = [column.name for column in found.columns]
    known = [
        at
        for at, column in enumerate(found.columns)
        if column.role.role in ("quasi_identifier", "unclear") and not column.counts.tells(2)
    ]
    alone: dict[tuple[int, ...], int] = {
        pair: sum(
            times == 1
            for times in Counter(tuple(row[number] for number in pair) for row in ROWS).values()
        )
        for pair in combinations(known, 2)
    }
    pairs = [combination for combination in found.combinations if len(combination.columns) == 2]
    assert pairs[0].single == max(alone.values()) > 0
    assert alone[tuple(sorted(names.index(name) for name in pairs[0].columns))] == pairs[0].single


def test_codes_are_named_from_the_known_list_alone() -> None:
    types = {"a": "bigint", "b": "varchar", "c": "double", "d": "varchar", "e": "bigint"}
    rows: list[Row] = [
        (
            -8 if i % 9 == 0 else i % 70,
            "N" if i % 8 == 0 else str(i % 50),
            999.0 if i % 6 == 0 else i % 90 / 2,
            ["?", "N", "Y"][i % 3],
            [1, 2, 9, 3][i % 4],
        )
        for i in range(360)
    ]
    found = profiled(types, rows)
    likely = {
        column.name: [(code.code, code.records) for code in column.counts.codes]
        for column in found.columns
    }
    assert likely == {
        "a": [("-8", 40)],
        "b": [("n", 45)],
        "c": [("999", 60)],
        "d": [("?", 120)],  # N beside Y is an answer
        "e": [("9", 90)],
    }


def test_a_scale_that_ends_in_nine_has_no_code() -> None:
    rows: list[Row] = [(i % 9 + 1, i % 100) for i in range(300)]
    found = profiled({"grade": "bigint", "age": "bigint"}, rows)
    assert not [code for column in found.columns for code in column.counts.codes]


def test_records_that_repeat_persons_are_seen() -> None:
    types = {"patient_id": "varchar", "visit": "bigint", "sex": "varchar", "site_id": "bigint"}
    rows: list[Row] = [(f"P{i // 4}", i, "mf"[i // 4 % 2], i % 8) for i in range(400)]
    found = profiled(types, rows)
    assert found.person == "patient_id"
    roles = {column.name: column.role.role for column in found.columns}
    assert roles == {
        "patient_id": "person",
        "visit": "identifier",
        "sex": "quasi_identifier",
        "site_id": "quasi_identifier",
    }
    rows = [(row, visit, "mf"[visit % 2], site) for row, visit, _, site in rows]
    found = profiled(types, rows)
    assert found.person is None, "a person has one sex"
    assert found.column("patient_id").role.role == "withheld"


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("Geburtsdatum", "date"),
        ("dateOfBirth", "date"),
        ("code_postal", "postcode"),
        ("AGEP", "age"),
        ("Straße", "place"),
        ("Prénom", "name"),
        ("icd10_code", "diagnosis"),
        ("marital-status", "quasi_identifier"),
        ("hosp.stay", "sensitive"),
        ("PWGTP", "weight"),
        ("site_id", "quasi_identifier"),
        ("q07", None),
    ],
)
def test_names_in_four_languages(name: str, meaning: str | None) -> None:
    assert meaning_of(name) == meaning


def test_the_command_shows_no_value(tmp_path: Path) -> None:
    lines = "\n".join(f"Zoe{i},{i % 40 + 4000},{'Ulcer' if i % 3 else 'Gout'}" for i in range(200))
    (tmp_path / "t.csv").write_text(f"name,zip,disease\n{lines}\n", encoding="utf-8")
    done = command(tmp_path, "profile", "t.csv")
    as_object = command(tmp_path, "profile", "t.csv", "--json")
    assert done.returncode == as_object.returncode == 0
    for text in (done.stdout, as_object.stdout, done.stderr):
        assert not any(word in text for word in ("Zoe", "400", "401", "Ulcer", "Gout")), text
    found = {load["column"]: load for load in json.loads(as_object.stdout)["columns"]}
    assert [found[name]["role"] for name in ("name", "zip", "disease")] == [
        "identifier",
        "quasi_identifier",
        "sensitive",
    ]
    assert found["name"]["unique_records"] == 200


def test_progress_runs_forward() -> None:
    heard: list[sqlanon.Event] = []
    with database() as connection:
        make_table(connection, "t", TYPES, ROWS)
        sqlanon.profile("t", connection=connection, progress=heard.append)
    done = [one.done for one in heard]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0.0, 1.0)
    assert 0.5 in done[1:-1]


def test_odd_tables(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no record"):
        profiled({"a": "bigint"}, [])
    found = profiled({"a": "bigint", "b": "bigint[]"}, [(None, [1]), (None, None)])
    assert [column.role.role for column in found.columns] == ["unclear", "withheld"]
    (tmp_path / "t.csv").write_text("1,2020-01-01\n2,2020-01-02\n", encoding="utf-8")
    with pytest.raises(SpecError, match="looks like a record"):
        sqlanon.profile(tmp_path / "t.csv")
    with duckdb.connect() as connection:
        frame = connection.sql("select i % 3 as sex from range(9) as t(i)").df()
    assert sqlanon.profile(frame).column("sex").counts.used == 3


@pytest.fixture(params=["duckdb", "postgres", "postgres_icu", "spark"])
def here(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


def test_the_same_on_every_engine(here: Place) -> None:
    """Also where the sample is a part of the records."""
    types = {**TYPES, "patient_id": "varchar", "kontakt": "varchar", "code": "varchar"}
    rows: list[Row] = [
        (
            i % 60, ["ä", "Ä", "z", "?"][i % 60 % 4], i % 60 / 8, date(1990, 1, 1 + i % 28),
            f"x{i % 17}", f"p{i // 3}", f"v{i}@mail.example",
            f"{'ABC'[i % 3]}{i % 10}{i % 9}.{i % 5}",
        )
        for i in range(1500)
    ]  # fmt: skip
    here.make_table("t", types, rows)
    given = {"database": here.url} if hasattr(here, "url") else {"connection": here.connection}
    found = sqlanon.profile("t", **given)
    check(found, rows)
    expected = profiled(types, rows)
    said, known = found.as_dict(), expected.as_dict()
    for one, other in zip(said["columns"], known["columns"], strict=True):
        assert {**one, "type": "", "entropy": 0} == {**other, "type": "", "entropy": 0}
    assert said["combinations"] == known["combinations"]
    assert (found.person, expected.column("kontakt").role.role) == ("patient_id", "identifier")
    assert expected.column("code").role.role == "sensitive"
