"""The prosecutor's and the marketer's risk: worked examples, and the oracle on drawn tables."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import oracle
from hypothesis import given
from hypothesis import strategies as st
from support import DEALT, database, examples, make_table, select

import sqlanon
from sqlanon.sql.names import Relation, Sql
from sqlanon.sql.templates import load_template

PEOPLE = {"p1": "integer", "x0": "integer"}


def test_the_oracle_in_numbers_worked_by_hand() -> None:
    """Of two persons each is guessed with 1/2; one who has a class alone is found for sure."""
    assert oracle.right_guesses([["Ann", "Bob"]]) == [Fraction(1, 2)] * 2
    assert oracle.right_guesses([["Ann", "Ann", "Bob"], ["Cid", "Cid"]]) == [
        *[Fraction(1, 2)] * 3,
        *[Fraction(1)] * 2,
    ]


def risks(rows: list[tuple[int | None, int]], persons: bool) -> tuple[float, float]:
    """Both risks of records, each of a class and a person."""
    published = {"published": (Sql("p1"),)}
    names = {name: Relation(name) for name in ("measured", "classes", "persons")}
    with database() as connection:
        make_table(connection, "measured", PEOPLE, rows)
        made = {"classes": ("measure/classes", ["measured"])}
        if persons:
            made["persons"] = ("units/class_persons", ["measured", "classes"])
        for name, (template, read) in made.items():
            sql = load_template(template).render({text: names[text] for text in read}, published)
            connection.execute(f"create table {name} as {sql}")
        sql = load_template("measure/risks").render({name: names[name] for name in made}, {})
        ((prosecutor, marketer),) = select(connection, sql)[1]
        return prosecutor, marketer


@examples(20, 200)
@given(
    st.lists(
        st.tuples(st.one_of(st.none(), st.integers(0, 4)), st.integers(0, 6)),
        min_size=1,
        max_size=30,
    ),
    st.booleans(),
)
def test_both_risks_are_the_oracles(rows: list[tuple[int | None, int]], persons: bool) -> None:
    classes = defaultdict(list)
    for number, (label, person) in enumerate(rows):
        classes[label].append(person if persons else number)
    right = oracle.right_guesses(list(classes.values()))
    expected = [max(right), sum(right, Fraction()) / len(right)]
    for found, exact in zip(risks(rows, persons), expected, strict=True):
        assert abs(Fraction(found) - exact) <= Fraction(1, 10**9)


def test_a_release_of_persons_says_both() -> None:
    """Three persons look alike, one of them with two records."""
    with database() as connection:
        rows = [(20, 1), (20, 1), (20, 2), (20, 3)]
        make_table(connection, "people", {"age": "integer", "who": "integer"}, rows)
        roles = {"quasi_identifiers": ["age"], "sensitive": [], "privacy": {"k": 2}}
        for person, expected in (("who", Fraction(1, 3)), (None, Fraction(1, 4))):
            asked: dict[str, Any] = {**roles, **DEALT, "person": person}
            made = sqlanon.anonymize("people", connection=connection, **asked)
            for name in ("prosecutor_risk", "marketer_risk"):
                assert made.measure(name) == round(float(expected), 9)
