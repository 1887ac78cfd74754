"""Bands of fractions and between declared edges: exact, readable, and never a value's neighbour."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import DEALT, Connection, database, refused

import sqlanon
from sqlanon.errors import SpecError

FLAT: dict[str, Any] = {"method": "optimal", "k": 1}


def labels(values: list[Any], type_: str, bands: Any, level: int = 1) -> list[tuple[Any, str]]:
    """The label of each value at a level, as a release of labels of that level shows it."""
    with database() as fresh, sqlanon.open(fresh) as db:
        fresh.execute(f"create table t (v {type_}, own varchar)")
        fresh.executemany("insert into t values (?, ?)", [(value, str(value)) for value in values])
        db.run(
            "t",
            quasi_identifiers={"v": {"hierarchy": {"bands": bands}, "publish": "level"}},
            insensitive={"own": {"accept": "the test compares"}},
            levels={"v": level},
            release="r",
            seed=1,
            **FLAT,
        )
        rows = fresh.execute("select own, v from r").fetchall()
    return sorted(rows)


def band(value: Fraction, width: Fraction, digits: int) -> str:
    low = floor(value / width) * width
    return f"[{low.numerator / Decimal(low.denominator):.{digits}f}, " + (
        f"{(low + width).numerator / Decimal((low + width).denominator):.{digits}f})"
    )


@pytest.mark.slow
@settings(max_examples=12)
@given(
    values=st.lists(
        st.decimals("-1000", "1000", places=3, allow_nan=False), min_size=1, max_size=8, unique=True
    ),
    width=st.sampled_from(["0.5", "0.1", "0.025", "2.5"]),
    double=st.booleans(),
)
def test_a_band_of_a_fraction_is_that_of_exact_arithmetic(
    values: list[Decimal], width: str, double: bool
) -> None:
    """A double is the decimal that it is written as: 0.3 lies in [0.3, 0.4)."""
    some = [float(value) for value in values] if double else values
    found = labels(some, "double" if double else "decimal(9, 3)", width)
    digits = len(width.partition(".")[2])
    expected = [
        (str(one), band(Fraction(str(one)), Fraction(width), digits)) for one in dict.fromkeys(some)
    ]
    assert found == sorted(expected)


def test_a_double_next_to_zero_stays_below_it() -> None:
    found = labels([-1e-300, -1e-30, 0.0, 1e-30], "double", 0.5)
    assert [label for _, label in found] == ["[-0.5, 0.0)"] * 2 + ["[0.0, 0.5)"] * 2


@pytest.mark.parametrize(
    ("type_", "edges", "expected"),
    [
        ("integer", [0, 18, 65, 120], ["[0, 17]", "[0, 17]", "[18, 64]", "[65, 119]"]),
        ("decimal(5, 1)", [0, 18, 65, 120], ["[0, 18)", "[0, 18)", "[18, 65)", "[65, 120)"]),
        ("decimal(5, 1)", [None, 0.5, 18, None], ["< 0.5", "[0.5, 18)", ">= 18", ">= 18"]),
        ("integer", [0, 1, None], ["[0, 0]", ">= 1", ">= 1", ">= 1"]),
    ],
)
def test_unequal_bands_begin_at_their_edges(
    type_: str, edges: list[Any], expected: list[str]
) -> None:
    found = dict(labels([0, 17, 18, 119], type_, [edges]))
    assert [found[text] for text in ("0", "17", "18", "119")] == expected


def test_edges_stand_over_widths_and_over_more_edges() -> None:
    bands = [5, [0, 20, 65, 120], [0, 65, 120]]
    for level, label in ((1, "[60, 64]"), (2, "[20, 64]"), (3, "[0, 64]")):
        assert dict(labels([0, 64, 119], "integer", bands, level))["64"] == label


@pytest.fixture
def ages() -> Any:
    with database() as fresh:
        fresh.execute("create table t as select i as age, i / 4.0 as share from range(100) as r(i)")
        yield fresh


@pytest.mark.parametrize("settings_of", [DEALT, {"method": "optimal", "levels": {"age": 1}}])
def test_values_outside_the_edges_are_counted_and_refused(
    ages: Connection, settings_of: dict[str, Any]
) -> None:
    hierarchy = {"hierarchy": {"bands": [[18, 30, 65]]}}
    error = refused(
        SpecError, "t", connection=ages, quasi_identifiers={"age": hierarchy}, k=2, **settings_of
    )
    said = str(error)
    assert "quasi_identifiers.age.hierarchy" in said
    assert "does not cover 53 of the column's 100 values, in 53 records" in said
    assert "open that end, such as [null, 18, 65, null]" in said


@pytest.mark.parametrize(
    ("bands", "said"),
    [
        ([0, 18, 65], "a width must be greater than 0; the edges of unequal bands are a list of"),
        ([18, 65], "the edges of unequal bands are a list of their own"),
        ([[18]], "edges are two numbers or more"),
        ([[None, None]], "edges are two numbers or more"),
        ([[0, None, 5]], "edges are two numbers or more; null first or last opens that end"),
        ([[5, 5]], "edges must rise"),
        ([[0, 18, 65], [0, 20, 65]], "must be some of the edges of the level before it"),
        ([[0, 18, 65], [0, 18]], "with the same first and last"),
        ([[0, 65], 100], "must be some of the edges of the level before it"),
        ([5, [0, 18, 65]], "each edge must be a multiple of the width before it, 5"),
        ([0.5, 0.75], "bands of 0.75 do not hold whole bands of 0.5"),
        ("1/3", "at most 6 digits behind the point"),
        (0.0000001, "at most 6 digits behind the point"),
        (0.5, "bands of fractions need numbers that are not whole"),
        ([], "name a width, such as 5"),
        ([True], "it must be a number"),
        ("wide", "it must be a number"),
    ],
    ids=str,
)
def test_bands_that_are_refused(ages: Connection, bands: Any, said: str) -> None:
    declared = {"age": {"hierarchy": {"bands": bands}}}
    error = refused(SpecError, "t", connection=ages, quasi_identifiers=declared, k=2, **DEALT)
    assert "quasi_identifiers.age.hierarchy" in str(error)
    assert said in str(error)


def test_numbers_that_fractions_do_not_reach_are_refused(ages: Connection) -> None:
    for value, said in (("1e13", "1 * 10^13"), ("cast(1e19 as decimal(38, 1))", "10^18")):
        ages.execute(f"create or replace table u as select {value} as v from range(3)")
        declared = {"v": {"hierarchy": {"bands": 0.5}}}
        error = refused(SpecError, "u", connection=ages, quasi_identifiers=declared, k=2, **DEALT)
        assert f"3 records hold numbers of {said} or more" in str(error)


def test_a_recorded_spec_declares_the_same_bands() -> None:
    """The check of a release reads the spec that its run kept."""
    with database() as fresh, sqlanon.open(fresh) as db:
        fresh.execute("create table t as select i % 7 / 4.0 as v, i as n from range(28) as r(i)")
        some = {
            "v": {"hierarchy": {"bands": [0.5, 1]}},
            "n": {"hierarchy": {"bands": [[0, 9, None]]}},
        }
        db.run("t", quasi_identifiers=some, k=2, release="r", **DEALT)
        assert db.check("r").passed
