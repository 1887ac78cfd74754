"""Columns that follow another: their cells against plain Python, and classes that never split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.followers import STAR, interval, listed, node, values_of
from support import Connection, database, examples, make_table, read, slow

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.methods import METHODS
from sqlanon.spec import parse_spec

COLUMNS = {
    "id": "integer",
    "zip": "varchar",
    "tö wn": "varchar",
    "born": "integer",
    "age": "integer",
    "band": "varchar",
    "ill": "varchar",
}
TREE = {"*": {"north": ["Åbo", "Bo'ness"], "south": ["Cork"]}}
CHAINS = {"Åbo": ("north", "*"), "Bo'ness": ("north", "*"), "Cork": ("south", "*")}
# One town, one district and one year of each code, so that they are functions of it.
TOWNS = {"101": "Åbo", "102": "Bo'ness", "103": "Cork", "201": "Cork", None: None}
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["101", "102", "103", "201", None]),
        st.sampled_from([1950, 1951, 1970]),
        st.sampled_from([20, 30, 31, 50]),
        st.sampled_from(["flu", "cold"]),
    ),
    min_size=4,
    max_size=20,
)
QUASI: dict[str, Any] = {
    "tö wn": {"hierarchy": {"tree": TREE}, "follows": "zip"},
    "born": {"publish": "interval", "follows": "zip"},
    "age": {"hierarchy": {"bands": [10, 40]}},
    "band": {"follows": "age"},
    "zip": {"hierarchy": {"prefix": [2, 1]}},
}
# Stretches of values, and no labels.
STRETCHES: dict[str, Any] = {
    **QUASI,
    "age": {"hierarchy": {"bands": [10, 40]}, "publish": "set"},
    "zip": {"publish": "set"},
}
# Every cell is its value or *.
STARRED = {**QUASI, "born": {"follows": "zip"}}
OWN = [name for name, one in METHODS.items() if name not in ("anatomy", "uhra")]
OTHERWISE = {"k_optimize": STRETCHES, "cell_suppression": STARRED}
SENSITIVE: dict[str, Any] = {
    "fragmentation": {"distance": "ordered", "order": "frequency", "t": 1},
    "sabre": {"t": 1},
}
Record = tuple[Any, ...]


def records_of(rows: Sequence[tuple[str | None, int, int, str]]) -> list[Record]:
    return [
        (number, code, TOWNS[code], born, age, "ab"[age > 30], ill)
        for number, (code, born, age, ill) in enumerate(rows)
    ]


def spec_of(method: str, **more: Any) -> dict[str, Any]:
    return {
        "release": "out",
        "quasi_identifiers": OTHERWISE.get(method, QUASI),
        "sensitive": {"ill": SENSITIVE.get(method, {})},
        "insensitive": {"id": {"accept": "a test finds the records by it"}},
        "privacy": {"k": 2},
        "method": method,
        "seed": 1,
        **more,
    }


def made(connection: Connection, records: Sequence[Record], **asked: Any) -> list[dict[str, Any]]:
    """The rows of a release, by their columns; its own evidence is that of all columns."""
    make_table(connection, "t", COLUMNS, records)
    release = sqlanon.anonymize("t", connection=connection, **asked)
    columns, rows = read(connection, "out")
    assert columns == (*asked["quasi_identifiers"], *asked["sensitive"], "id")
    sizes = Counter(row[: len(asked["quasi_identifiers"])] for row in rows)
    assert release.measure("k_anonymity") == min(sizes.values())
    release.close()
    return [dict(zip(columns, row, strict=True)) for row in rows]


def holds(found: list[dict[str, Any]], records: Sequence[Record], stars: bool = False) -> None:
    """Every follower shows what its definition says, and tells nothing that its leader does not."""
    there = {one[0]: dict(zip(COLUMNS, one, strict=True)) for one in records}
    for follower, leader, written in (
        ("tö wn", "zip", lambda values: node(values, CHAINS)),
        ("born", "zip", interval),
        ("band", "age", listed),
    ):
        shown = [row[leader] for row in found]
        of = values_of(shown, [there[row["id"]][follower] for row in found])
        for row in found:
            values = of[row[leader]]
            if stars:
                expected = STAR if len(values) > 1 else next(iter(values))
                expected = None if expected is None else str(expected)
            else:
                expected = written(values)
            assert row[follower] == expected, (follower, row)
    with_all = Counter(tuple(row[name] for name in QUASI) for row in found)
    led = Counter((row["age"], row["zip"]) for row in found)
    assert sorted(with_all.values()) == sorted(led.values())
    assert min(led.values()) >= 2


@pytest.mark.parametrize("method", ["stack_and_deal", *slow("mondrian", "optimal")])
@examples(3, 25)
@given(rows=ROWS)
def test_a_follower_shows_what_records_with_its_leaders_cell_share(
    method: str, rows: list[tuple[str | None, int, int, str]]
) -> None:
    """A year is no function of a code, and a town is: both are held to the same definition."""
    records = records_of(rows)
    with database() as connection:
        found = made(connection, records, **spec_of(method))
    assert len(found) == len(records)
    holds(found, records)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", [*OWN, "along a curve"])
def test_followers_go_with_every_method(method: str) -> None:
    records = records_of(
        [
            (
                list(TOWNS)[one % 5],
                1950 + one * one % 7,
                20 + one * 7 % 40,
                ["flu", "cold"][one % 2],
            )
            for one in range(40)
        ]
    )
    with database() as connection:
        asked = spec_of("stack_and_deal" if method not in METHODS else method)
        if method not in METHODS:
            asked["method"] = {"locality": "curve"}
        found = made(connection, records, **asked)
    assert len(found) == len(records)
    holds(found, records, stars=method == "cell_suppression")


def test_where_the_leader_is_exact_what_is_a_function_of_it_is_exact() -> None:
    """And what is none shows what all records of the code have, though a class of them agrees."""
    rows = [("101", 1950 + age // 50, age, "flu") for age in (20, 20, 50, 50)]
    with database() as connection:
        found = made(connection, records_of(rows), **spec_of("mondrian"))
    assert {(row["zip"], row["tö wn"], row["age"], row["band"]) for row in found} == {
        ("101", "Åbo", "20", "a"),
        ("101", "Åbo", "50", "b"),
    }
    assert {row["born"] for row in found} == {"[1950, 1951]"}


def test_a_follower_is_suppressed_with_its_leader_and_reports_who_was_left_out() -> None:
    rows = [("101", 1950, 20, "flu")] * 4 + [("201", 1970, 50, "flu")]
    asked = spec_of("optimal", suppression={"records": "1/4"}, privacy={"k": 2})
    with database() as connection:
        found = made(connection, records_of(rows), **asked)
    assert len(found) == 4
    assert {row["tö wn"] for row in found} == {"Åbo"}


@pytest.mark.slow
def test_persons_values_and_guards_are_held_with_followers() -> None:
    """A follower may be sensitive itself; persons are counted in the same classes."""
    records = records_of(
        [(list(TOWNS)[one % 4], 1950 + one % 3, 20 + one % 4 * 10, "flu") for one in range(24)]
    )
    quasi = {**QUASI, "born": {"publish": "interval", "follows": "zip", "sensitive": {"l": 2}}}
    with database() as connection:
        found = made(connection, records, **spec_of("mondrian", quasi_identifiers=quasi))
        holds(found, records)
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        asked = {**spec_of("stack_and_deal", person="id"), "insensitive": {}}
        release = sqlanon.anonymize("t", connection=connection, **asked)
        assert (release.measure("k_anonymity") or 0) >= 2
        release.close()


@pytest.mark.parametrize(
    ("quasi", "more", "where", "what"),
    [
        ({"band": {"follows": "agee"}}, {}, "quasi_identifiers.band.follows", "did you mean"),
        ({"band": {"follows": "band"}}, {}, "quasi_identifiers.band.follows", "another"),
        ({"band": {"follows": "tö wn"}}, {}, "quasi_identifiers.band.follows", "itself"),
        ({}, {"levels": {"band": 0}}, "levels.band", "follows 'age'"),
        (
            {},
            {"suppression": {"records": "1/4", "within": "band"}},
            "suppression.within",
            "name 'age'",
        ),
        ({"band": {"follows": "age", "publish": "mode"}}, {}, "quasi_identifiers.band", "mode"),
        (
            {"born": {"hierarchy": {"bands": [5]}, "publish": "level", "follows": "zip"}},
            {},
            "quasi_identifiers.born",
            "level",
        ),
    ],
)
def test_what_a_spec_says_wrong_of_a_follower(
    quasi: dict[str, Any], more: dict[str, Any], where: str, what: str
) -> None:
    asked = {**spec_of("mondrian", **more), "quasi_identifiers": {**QUASI, **quasi}}
    with pytest.raises(SpecError) as found:
        parse_spec({"source": "t", **asked}, Path())
    assert any(one.where == where and what in one.what for one in found.value.problems), found.value


def test_a_background_is_known_by_columns_that_classes_form_by() -> None:
    background = {"ill": {"background": {"estimate": {"by": ["band"]}}}}
    with database() as connection:
        make_table(connection, "t", COLUMNS, records_of([("101", 1950, 20, "flu")] * 4))
        with pytest.raises(SpecError, match="somebody knows more") as found:
            sqlanon.anonymize(
                "t", connection=connection, **spec_of("mondrian", sensitive=background)
            )
    assert found.value.problems[0].where == "quasi_identifiers.band.follows"
