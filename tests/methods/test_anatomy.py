"""Anatomy's own grouping: as many groups as Anatomize makes, and no value twice in any."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.anatomy import all_different, anatomize, eligible, reconstruction_error
from support import (
    Connection,
    Outcome,
    anonymized,
    database,
    examples,
    facts,
    make_table,
    multiset,
    refused,
    slow,
)

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.spec import parse_spec

COLUMNS = {"id": "integer", "age": "integer", "town": "varchar", "disease": "varchar"}
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age", "town"],
    "insensitive": [],
    "key": ["id"],
    "privacy": {"k": 1},
    "publish": "anatomy",
    "method": "anatomy",
    "seed": 1,
}


def rows_of(values: list[Any]) -> list[tuple[Any, ...]]:
    """A record for each value, some without a quasi-identifier."""
    return [
        (index, None if index % 7 == 3 else index * 5 % 11, "ab"[index % 2], value)
        for index, value in enumerate(values)
    ]


def groups_of(outcome: Outcome) -> list[list[Any]]:
    """The sensitive values of every group that was formed."""
    groups: dict[int, list[Any]] = {}
    for group, values in zip(outcome.assigned.class_ids, outcome.assigned.values, strict=True):
        groups.setdefault(group, []).append(values[-1])
    return list(groups.values())


def made_of(connection: Connection, values: list[Any], l: int, **others: Any) -> Outcome:  # noqa: E741
    make_table(connection, "patients", COLUMNS, rows_of(values))
    declared = {**ROLES, "sensitive": {"disease": {"l": l}}, **others}
    return anonymized(connection, "patients", **declared)


# --- the oracle ----------------------------------------------------------------------------------


@examples(50, 1000)
@given(st.lists(st.sampled_from("abcdef"), min_size=2, max_size=20), st.integers(2, 5))
def test_anatomize_makes_groups_of_different_values(values: list[str], l: int) -> None:  # noqa: E741
    if not eligible(values, l):
        with pytest.raises(ValueError, match="more than"):
            anatomize(values, l)
        return
    groups = [[values[place] for place in places] for places in anatomize(values, l)]
    assert len(groups) == len(values) // l
    assert all_different(groups)
    assert min(map(len, groups)) >= l
    assert multiset([(one,) for group in groups for one in group]) == multiset([*zip(values)])


# --- the groups ----------------------------------------------------------------------------------

VALUES = st.lists(st.sampled_from(["flu", "cold", "ulcer", "Flu", None]), min_size=2, max_size=24)


def holds(values: list[Any], l: int, method: dict[str, Any]) -> None:  # noqa: E741
    """What the method makes of values is as good as what Anatomize makes; else it is refused."""
    with database() as connection:
        if not eligible(values, l):
            with pytest.raises(InfeasibleError):
                made_of(connection, values, l, method=method)
            return
        outcome = made_of(connection, values, l, method=method)
        groups = groups_of(outcome)
        e = len(values) // l
        assert len(groups) == e == len(anatomize(values, l))
        assert all_different(groups)
        over = len(values) % e
        assert Counter(map(len, groups)) == Counter(
            {len(values) // e: e - over} | ({len(values) // e + 1: over} if over else {})
        )
        if len(values) % l <= e:
            assert set(map(len, groups)) <= {l, l + 1}
        theirs = [[values[place] for place in places] for places in anatomize(values, l)]
        error = reconstruction_error(groups)
        assert error == len(values) - e == reconstruction_error(theirs)
        assert multiset([row[1:] for row in outcome.rows]) == multiset(
            [row[1:3] for row in rows_of(values)]
        )
        assert outcome.measure("distinct_l", "disease") == min(map(len, groups))
        shown = connection.execute(
            "select disease, sum(records) from anonymized__sensitive group by all"
        ).fetchall()
        assert {value: int(records) for value, records in shown} == Counter(values)


@examples(3, 25)
@given(VALUES, st.integers(2, 4), st.sampled_from(["none", "curve"]))
def test_groups_are_as_good_as_those_of_anatomize(
    values: list[Any],
    l: int,  # noqa: E741
    locality: str,
) -> None:
    holds(values, l, {"name": "anatomy", "locality": locality})


@pytest.mark.parametrize(
    ("values", "l"),
    [
        (["a", "b", "c", "a", "b", "c", "d", None], 4),  # of 8 records two groups
        (["a", "b", None, "c", "d"], 3),  # one group, of 5 records
        pytest.param(["a", "b", "c", "d", "e", "f", "g"], 4, marks=pytest.mark.slow),
        pytest.param(["a", None], 2, marks=pytest.mark.slow),
    ],
)
def test_small_tables(values: list[Any], l: int) -> None:  # noqa: E741
    holds(values, l, {"name": "anatomy"})


def test_a_curve_changes_no_group_of_values() -> None:
    """Only which record of a value a group gets."""
    values = ["abcdef"[place * place % 7 % 6] for place in range(40)]
    made = []
    with database() as connection:
        for locality in ("none", "curve"):
            method = {"name": "anatomy", "locality": locality}
            groups = groups_of(made_of(connection, values, 2, method=method))
            made.append(sorted(sorted(group) for group in groups))
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "others",
    [
        {"publish": "permuted"},
        {"publish": {"name": "sliced", "columns": [["age"], ["town"], ["disease"]]}},
        {"publish": {"name": "anatomy", "group": 2}},
        {"publish": "generalized", "privacy": {"k": 3}},
        *slow({"publish": "generalized", "privacy": {"k": 2, "l": 3}, "sensitive": ["disease"]}),
    ],
)
def test_every_publication_and_k_up_to_l(others: dict[str, Any]) -> None:
    values = ["abcd"[place % 4] for place in range(13)]
    with database() as connection:
        outcome = made_of(connection, values, 3, **others)
        assert outcome.measure("distinct_l", "disease") >= 3
        assert facts(connection)["records_out"] == "13"
        assert all_different(groups_of(outcome))


def test_an_ordered_attribute_is_stacked_in_its_order() -> None:
    """Then the bound of Stack & Deal holds as well: a distance below 1 / l."""
    values = list("aabbbccddd")
    ordered = {"distance": "ordered", "order": ["a", "b", "c", "d"], "l": 3}
    with database() as connection:
        outcome = made_of(connection, values, 3, sensitive={"disease": ordered})
        assert outcome.measure("t_closeness", "disease") < Fraction(1, 3)


# --- what is refused -----------------------------------------------------------------------------


def test_a_value_that_is_too_frequent_is_refused_and_not_named() -> None:
    rows = rows_of(["secret", "secret", "secret", None, "b", "c", "d"])
    with database() as connection:
        make_table(connection, "patients", COLUMNS, rows)
        declared = {**ROLES, "sensitive": {"disease": {"l": 3}}, "connection": connection}
        said = str(refused(InfeasibleError, "patients", **declared))
        assert "secret" not in said
        assert "a value (or NULL) may be in 2 of the 7 records at most, and one is in 3" in said
        assert "the greatest l that would do is 2" in said
        declared["sensitive"] = {"disease": {"l": 2}}
        sqlanon.anonymize("patients", **declared).close()


def test_no_records_are_refused() -> None:
    with database() as connection:
        make_table(connection, "patients", COLUMNS, [])
        declared = {**ROLES, "sensitive": {"disease": {"l": 2}}, "connection": connection}
        assert "no records" in str(refused(SpecError, "patients", **declared))


@pytest.mark.parametrize(
    ("fields", "where", "said"),
    [
        ({"sensitive": []}, "method", "none is declared"),
        ({"sensitive": {"disease": {"l": 3}, "id": {"l": 3}}}, "method", "2 are declared"),
        ({"sensitive": {"disease": {"t": 0.5}}}, "sensitive.disease.l", "no distinct l"),
        ({"sensitive": {"disease": {"l": 1}}}, "sensitive.disease.l", "whole number from 2"),
        (
            {"sensitive": {"disease": {"l": {"entropy": 3}}}},
            "sensitive.disease.l",
            "no distinct l is asked for",
        ),
        ({"publish": {"name": "permuted", "group": 4}}, "publish.group", "3 at most"),
        ({"publish": "generalized", "privacy": {"k": 4}}, "privacy.k", "raise l to 4"),
        ({"publish": "generalized", "choose": {}}, "choose", "for any k"),
        ({"privacy": {"k": 1, "alpha": "1/4"}}, "privacy.alpha", "raise l to 4"),
        (
            {"sensitive": {"disease": {"l": {"distinct": 3, "entropy": 3.5}}}},
            "sensitive.disease.l",
            "needs groups of 4 records",
        ),
        ({"publish": "generalized", "key": [], "person": ["id"]}, "method", "counts records"),
        ({"method": {"name": "anatomy", "stack": "value"}}, "method.stack", "unknown key"),
    ],
)
def test_specs_that_do_not_fit(fields: dict[str, Any], where: str, said: str) -> None:
    declared = {
        **ROLES,
        "source": "patients.csv",
        "release": "public",
        "sensitive": {"disease": {"l": 3}},
        **fields,
    }
    with pytest.raises(SpecError) as caught:
        parse_spec(declared)
    (problem,) = [one for one in caught.value.problems if one.where == where]
    assert said in problem.what


def test_settings_without_a_name_are_never_of_anatomy() -> None:
    """What a spec with ``method: {locality: curve}`` means stays what it was."""
    declared = {**ROLES, "source": "patients.csv", "release": "public", "publish": "generalized"}
    declared |= {"method": {"locality": "curve"}, "sensitive": {"disease": {"l": 3}}}
    assert parse_spec(declared).method.name == "stack_and_deal"
