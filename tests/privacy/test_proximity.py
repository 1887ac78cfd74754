"""(ε, m)-anonymity: worked by hand, the oracle on random tables, searches and refusals."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import database, examples, make_table, read, refused, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

METHODS = ("split_or_deal", "mondrian", "optimal", *slow("stack_and_deal", "top_down"))
DECLARED: dict[str, Any] = {
    "quasi_identifiers": {"age": {"hierarchy": {"bands": [5, 10, 20]}}},
    "k": 2,
    "seed": 1,
}
# Salaries of the dissertation's table 2.11: three different ones each, of which the first are near.
SALARIES = [[3000, 4000, 5000], [6000, 11000, 8000], [7000, 9000, 10000]]


def test_the_oracle_by_hand() -> None:
    """Within 1,000 of 4,000 are all of the first class, and of 9,000 two of the third."""
    found = oracle.proximity(SALARIES, 1000)
    assert found.per_class == (Fraction(1), Fraction(1, 3), Fraction(2, 3))
    assert oracle.proximity(SALARIES, 999).maximum == Fraction(1, 3)
    assert oracle.proximity([[None, None, 1], [0, 2, None]], 1).per_class == (
        Fraction(2, 3),
        Fraction(1, 3),
    )


def test_the_worked_example_is_measured() -> None:
    rows = [(number, one) for number, values in enumerate(SALARIES) for one in values]
    with database() as connection:
        make_table(connection, "t", {"label": "integer", "salary": "integer"}, rows)

        for epsilon, m, value, passed in (
            (1000, 1, 1, True),
            (1000, 2, 1, False),
            (999, 3, 1 / 3, True),
        ):
            asked = {"salary": {"proximity": {"epsilon": epsilon, "m": m}}}
            found = sqlanon.check(
                "t", connection=connection, quasi_identifiers=["label"], sensitive=asked
            )
            (one,) = (metric for metric in found.measures if metric.metric == "proximity")
            assert one.value == pytest.approx(value)
            assert one.passed is passed
            assert one.threshold == f"epsilon = {epsilon}, m = {m}"


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@examples(3, 40)
@given(
    st.lists(
        st.tuples(st.integers(20, 59), st.one_of(st.none(), st.integers(-9, 9))),
        min_size=2,
        max_size=40,
    ),
    st.integers(0, 4),
    st.integers(1, 3),
)
def test_a_release_holds_what_the_oracle_counts(
    method: str, rows: list[tuple[int, int | None]], epsilon: int, m: int
) -> None:
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "pay": "tinyint"}, rows)
        asked = {"pay": {"proximity": {"epsilon": epsilon, "m": m}}}
        declared = {**DECLARED, "sensitive": asked, "method": method}
        try:
            made = sqlanon.anonymize("people", connection=connection, **declared)
        except InfeasibleError:
            # Whole classes may fail where their parts do not, so only a search is held to more.
            if method == "optimal":
                assert oracle.proximity([[row for _, row in rows]], epsilon).maximum * m > 1
            return
        _, released = read(connection, "anonymized")
        classes: dict[Any, list[int | None]] = defaultdict(list)
        for age, pay in released:
            classes[age].append(pay)
        found = oracle.proximity(list(classes.values()), epsilon).maximum
        assert made.measure("proximity", "pay") == pytest.approx(float(found))
        assert found * m <= 1
        assert sqlanon.check("anonymized", connection=connection).passed


def test_a_class_may_pass_whose_parts_fail_and_the_reverse() -> None:
    """Why a search may skip nothing: it is monotone in neither direction."""
    two, other = [0, 0, 2, 2], [1, 1, 9, 9]
    assert oracle.proximity([two, other], 1).maximum == Fraction(1, 2)
    assert oracle.proximity([two + other], 1).maximum == Fraction(3, 4)
    assert oracle.proximity([[0], [9]], 1).maximum == 1
    assert oracle.proximity([[0, 9]], 1).maximum == Fraction(1, 2)


@pytest.mark.further
@pytest.mark.slow
def test_what_one_class_of_all_violates_may_be_met_by_its_parts() -> None:
    """So a refusal claims of no k that it does not help, and names no threshold as feasible."""
    rows = [(20, number) for number in (0, 0, 2, 2)] + [(50, 1), (50, 9)]
    asked = {"pay": {"proximity": {"epsilon": 1, "m": 2}}}
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "pay": "integer"}, rows)
        declared = {**DECLARED, "sensitive": asked, "connection": connection}
        made = sqlanon.anonymize("people", **declared, method="optimal")
        assert (made.measure("classes"), made.measure("proximity", "pay")) == (2, 0.5)
        refusing = {**declared, "method": "stack_and_deal", "k": 6}
        error = refused(InfeasibleError, "people", **refusing)
        assert "no k helps" not in str(error)
        found = sqlanon.why("people", **refusing)
        (limit,) = (one for one in found.limits if one.attribute == "pay")
        assert (limit.best, limit.possible, limit.holds, limit.feasible) == (
            None,
            True,
            False,
            None,
        )
        assert "do not tell whether another release can" in found.conclusion


def test_several_near_numbers_of_a_person_count_for_each() -> None:
    """Never too little: two persons of three have a number near 5, one of them two."""
    rows = [("a", 1, 5), ("a", 1, 6), ("b", 1, 50), ("c", 1, 5)]
    columns = {"who": "varchar", "age": "integer", "pay": "integer"}
    with database() as connection:
        make_table(connection, "visits", columns, rows)
        made = sqlanon.anonymize(
            "visits",
            connection=connection,
            quasi_identifiers=["age"],
            sensitive={"pay": {"proximity": {"epsilon": 1, "m": 1}}},
            person="who",
            k=2,
            method="stack_and_deal",
            seed=1,
        )
        assert made.measure("proximity", "pay") == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"epsilon": 1}, "sensitive.pay.proximity.m: it is missing"),
        ({"epsilon": -1, "m": 2}, "sensitive.pay.proximity.epsilon: it must be greater than or"),
        ({"epsilon": 0.5, "m": 2}, "sensitive.pay.proximity.epsilon: it must be a whole number"),
        ({"epsilon": 1, "m": 0}, "sensitive.pay.proximity.m: it must be greater than or"),
        (3, "sensitive.pay.proximity: it must be a mapping such as {epsilon: 5, m: 2}"),
    ],
    ids=str,
)
def test_what_is_no_threshold_is_refused(asked: Any, said: str) -> None:
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "pay": "integer"}, [(1, 1)])
        declared = {**DECLARED, "sensitive": {"pay": {"proximity": asked}}}
        error = refused(SpecError, "people", connection=connection, **declared)
        assert said in str(error)


@pytest.mark.parametrize("kind", ["varchar", "double", "date"])
def test_other_than_whole_numbers_are_refused(kind: str) -> None:
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "pay": kind}, [])
        declared = {**DECLARED, "sensitive": {"pay": {"proximity": {"epsilon": 1, "m": 2}}}}
        error = refused(SpecError, "people", connection=connection, **declared)
        assert "(ε, m)-anonymity of 'pay' needs whole numbers" in str(error)


def test_a_sensitive_quasi_identifier_is_refused() -> None:
    """Its classes are measured by codes, whose distances are not those of its numbers."""
    asked = {"proximity": {"epsilon": 1, "m": 2}}
    with database() as connection:
        make_table(connection, "people", {"pay": "integer"}, [(1,)])
        for quasi, more in (({"sensitive": asked}, {}), ({"sensitive": {"t": 0.5}}, asked)):
            declared = {"quasi_identifiers": {"pay": quasi}, "privacy": {"k": 1, **more}}
            error = refused(SpecError, "people", connection=connection, **declared)
            said = "quasi_identifiers.pay.sensitive.proximity: the cells hide codes"
            assert said in str(error)
