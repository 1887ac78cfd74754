"""Distinct l-diversity of a hierarchy's groups: measured, held, searched for, and refused."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.hierarchy import Tree
from support import database, examples, make_table, read, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

LUNGS = {"airways": ["flu", "cold"], "deep": ["asthma"]}
TREE = {"*": {"lungs": LUNGS, "gut": {"deep gut": ["ulcer", "gout"]}}}
CHAINS: Tree = {
    "flu": ("airways", "lungs", "*"),
    "cold": ("airways", "lungs", "*"),
    "asthma": ("deep", "lungs", "*"),
    "ulcer": ("deep gut", "gut", "*"),
    "gout": ("deep gut", "gut", "*"),
}
OF_GROUPS = {"distance": "hierarchical", "hierarchy": {"tree": TREE}}
DECLARED: dict[str, Any] = {
    "quasi_identifiers": {"age": {"hierarchy": {"bands": [5, 10, 20]}}},
    "k": 2,
    "seed": 1,
}
METHODS = (
    "split_or_deal",
    "mondrian",
    "optimal",
    *slow("microaggregation", "top_down", "k_optimize"),
)
Rows = list[tuple[int, str | None]]
ROWS = st.lists(
    st.tuples(st.integers(20, 59), st.sampled_from([*CHAINS, None])), min_size=4, max_size=40
)


def test_the_oracle_by_hand() -> None:
    classes: list[list[Any]] = [
        ["flu", "cold"],
        ["flu", "asthma"],
        ["flu", "ulcer", None],
        [None, None],
    ]
    assert oracle.distinct_groups_l(classes, CHAINS, 0).per_class == (2, 2, 3, 1)
    assert oracle.distinct_groups_l(classes, CHAINS, 1).per_class == (1, 2, 3, 1)
    assert oracle.distinct_groups_l(classes, CHAINS, 2).per_class == (1, 1, 3, 1)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("level", [1, 2])
@examples(3, 40)
@given(rows=ROWS)
def test_a_release_holds_what_the_oracle_counts(method: str, level: int, rows: Rows) -> None:
    asked = {**OF_GROUPS, "l": {"distinct": 2, "level": level}}
    whole = oracle.distinct_groups_l([[ill for _, ill in rows]], CHAINS, level).minimum
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "ill": "varchar"}, rows)
        declared = {**DECLARED, "sensitive": {"ill": asked}, "method": method}
        if whole < 2:
            with pytest.raises(InfeasibleError):
                sqlanon.anonymize("people", connection=connection, **declared)
            return
        made = sqlanon.anonymize("people", connection=connection, **declared)
        columns, released = read(connection, "anonymized")
        classes: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
        for row in released:
            classes[row[:-1]].append(row[-1])
        assert columns[-1] == "ill"
        found = oracle.distinct_groups_l(list(classes.values()), CHAINS, level)
        assert made.measure("distinct_groups_l", "ill") == found.minimum >= 2
        assert sqlanon.check("anonymized", connection=connection).passed


@pytest.mark.further
@pytest.mark.slow
def test_values_that_differ_and_mean_the_same_are_not_enough() -> None:
    rows = [(20 + i, ("flu", "cold")[i % 2]) for i in range(8)]
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "ill": "varchar"}, rows)
        of_values = {**DECLARED, "sensitive": {"ill": {**OF_GROUPS, "l": 2}}}
        assert sqlanon.anonymize("people", connection=connection, **of_values)
        of_groups = {**OF_GROUPS, "l": {"distinct": 2, "level": 1}}
        with pytest.raises(InfeasibleError, match="distinct_groups_l of ill: asked for"):
            sqlanon.anonymize(
                "people", connection=connection, **{**DECLARED, "sensitive": {"ill": of_groups}}
            )


@pytest.mark.further
@pytest.mark.slow
def test_a_certificate_says_that_groups_are_not_certified() -> None:
    rows = [(20 + i, ("flu", "ulcer")[i % 2]) for i in range(8)]
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "ill": "varchar"}, rows)
        asked = {**OF_GROUPS, "l": {"distinct": 2, "level": 1}}
        declared = {**DECLARED, "sensitive": {"ill": asked}}
        made = sqlanon.anonymize("people", connection=connection, **declared)
        found = sqlanon.verify(made.certificate(), "anonymized", connection=connection)
        assert found.passed
        assert "it counts groups of a hierarchy, which is not certified" in found.unknown.values()


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"sensitive": {"ill": {"l": {"distinct": 2, "level": 1}}}}, "and 'ill' has none"),
        (
            {"sensitive": ["ill"], "l": {"distinct": 2, "level": 1}},
            "privacy.l.level: it counts groups of a hierarchy",
        ),
        (
            {"sensitive": {"ill": {**OF_GROUPS, "l": {"distinct": 2, "level": 3}}}},
            "there are no groups of level 3 of 'ill': the highest below * is 2",
        ),
        (
            {"sensitive": {"ill": {**OF_GROUPS, "l": {"level": 1}}}},
            "sensitive.ill.l: level stands with distinct",
        ),
        (
            {"sensitive": {"ill": {**OF_GROUPS, "l": {"distinct": 2, "level": 0}}}},
            "sensitive.ill.l.level: it must be greater than or equal to 1",
        ),
        (
            {
                "sensitive": {"ill": {**OF_GROUPS, "l": {"distinct": 2, "level": 1}}},
                "person": "who",
            },
            "groups are counted on records, and the spec names a person",
        ),
    ],
    ids=str,
)
def test_groups_that_are_not_there_are_refused(declared: dict[str, Any], said: str) -> None:
    with database() as connection:
        columns = {"age": "integer", "ill": "varchar", "who": "integer"}
        make_table(connection, "people", columns, [(20 + i, "flu", i) for i in range(6)])
        with pytest.raises(SpecError) as caught:
            sqlanon.anonymize("people", connection=connection, **{**DECLARED, **declared})
        assert said in str(caught.value)
