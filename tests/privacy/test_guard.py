"""Guarding nodes: the share that a class tells, against plain Python on what is published."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.guard import Member, guarded_share
from support import Connection, database, examples, make_table, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.spec import parse_spec

TREE = {"*": {"lungs": ["flu", "cold"], "stomach": ["ulcer", "gastritis"]}}
UNDER: dict[str, set[Any]] = {
    "lungs": {"flu", "cold"},
    "stomach": {"ulcer", "gastritis"},
    "*": {"flu", "cold", "ulcer", "gastritis", None},
    **{text: {text} for text in ("flu", "cold", "ulcer", "gastritis")},
}
COLUMNS = {"id": "integer", "age": "integer", "disease": "varchar", "asks": "varchar"}
BANDS: dict[str, Any] = {"hierarchy": {"bands": [20, 40]}}


def declared(p: str = "1/2", **more: Any) -> dict[str, Any]:
    """A spec whose records guard what their column says."""
    attribute = {
        "distance": "hierarchical",
        "hierarchy": {"tree": TREE},
        "guard": {"column": "asks", "p": p},
    }
    return {
        "quasi_identifiers": {"age": BANDS},
        "sensitive": {"disease": attribute},
        "insensitive": {"id": {"accept": "a test finds the records by it"}},
        "privacy": {"k": 2},
        "method": "stack_and_deal",
        "seed": 1,
        **more,
    }


Record = tuple[int, int | None, str | None, str | None]
ASKED: list[tuple[str | None, str | None]] = [
    ("flu", None),
    ("flu", "flu"),
    ("flu", "lungs"),
    ("cold", None),
    ("ulcer", "stomach"),
    ("gastritis", None),
    (None, None),
]
ROWS = st.lists(
    st.tuples(st.sampled_from([20, 30, 50, None]), st.sampled_from(ASKED)), min_size=6, max_size=24
)


def records_of(rows: list[tuple[int | None, tuple[str | None, str | None]]]) -> list[Record]:
    return [(number, age, *asked) for number, (age, asked) in enumerate(rows)]


def released(
    connection: Connection, records: Sequence[Record], **spec: Any
) -> tuple[Fraction, float | None]:
    """The greatest share among the published tuples by the oracle, and what the run measured."""
    make_table(connection, "t", COLUMNS, records)
    made = sqlanon.anonymize("t", connection=connection, release="out", **spec)
    classes = defaultdict(list)
    asked = {number: (value, node) for number, _, value, node in records}
    names = [one[0] for one in connection.execute("describe out").fetchall()]
    assert "asks" not in names
    for age, number, value in connection.execute("select age, id, disease from out").fetchall():
        assert asked[number][0] == value
        classes[age].append(asked[number])
    assert sum(map(len, classes.values())) == len(records)
    assert all(len(entry) >= 2 for entry in classes.values())
    measured = made.measure("guarded_share", "disease")
    made.close()
    return max(guarded_share(entry, UNDER) for entry in classes.values()), measured


def test_the_oracle_in_numbers_worked_by_hand() -> None:
    """Two of four have the lungs; one of four the flu; who guards nothing is told of anything."""
    members = [("flu", "lungs"), ("cold", None), ("ulcer", None), (None, None)]
    assert guarded_share(members, UNDER) == Fraction(1, 2)
    assert guarded_share([("flu", "flu"), *members[1:]], UNDER) == Fraction(1, 4)
    assert guarded_share(members[1:], UNDER) == 0
    assert guarded_share([(None, "*"), *members], UNDER) == 1
    # A union of classes that meet a half may fail it: 1 of 2, and 2 of 2 whom nobody guards.
    first: list[Member] = [("flu", "flu"), ("cold", None)]
    second: list[Member] = [("flu", None)] * 2
    assert guarded_share(first, UNDER) == Fraction(1, 2) > guarded_share(second, UNDER)
    assert guarded_share(first + second, UNDER) == Fraction(3, 4)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "method",
    [
        "stack_and_deal",
        *slow("mondrian", "optimal", "microaggregation", "split_or_deal"),
        *slow("top_down", "cell_suppression"),
    ],
)
@examples(3, 20)
@given(rows=ROWS, p=st.sampled_from(["1/3", "1/2", "2/3"]))
def test_no_class_tells_more_than_its_members_allow(
    method: str, rows: list[tuple[int | None, tuple[str | None, str | None]]], p: str
) -> None:
    """A refusal is one of all classes: at the worst all records are one, which fails."""
    records = records_of(rows)
    asked = declared(p, method=method)
    with database() as connection:
        try:
            reached, measured = released(connection, records, **asked)
        except InfeasibleError:
            whole = guarded_share([(value, node) for _, _, value, node in records], UNDER)
            assert whole > Fraction(p) or method in ("mondrian", "split_or_deal")
            return
    assert reached <= Fraction(p)
    assert measured == pytest.approx(float(reached))


def test_equality_holds_and_a_little_less_does_not() -> None:
    """One of two has the flu, which one guards."""
    records = [(1, 20, "flu", "flu"), (2, 20, "ulcer", None)]
    with database() as connection:
        assert released(connection, records, **declared("1/2")) == (Fraction(1, 2), 0.5)
        with pytest.raises(InfeasibleError) as found:
            released(connection, records, **declared("0.499"))
    (short,) = found.value.shortfalls
    assert (short.model, short.attribute, short.reached) == ("guarded_share", "disease", 0.5)


def test_classes_that_show_the_same_are_joined() -> None:
    """Dealt classes of one band are one to a reader; failing ones join their neighbours."""
    records: list[Record] = [
        (number, 20 + number, "flu" if number % 3 else "ulcer", "flu" if number % 6 == 1 else None)
        for number in range(12)
    ]
    with database() as connection:
        reached, measured = released(connection, records, **declared("2/3"))
    assert reached == Fraction(2, 3)
    assert measured == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("value", "node", "says"),
    [
        ("flu", "lung", "1 records hold 1 labels that the hierarchy does not have"),
        ("flu", "stomach", "1 records name a node that their own value does not lie under"),
        (None, "lungs", "1 records name a node that their own value does not lie under"),
    ],
)
def test_a_guard_is_a_node_above_the_own_value(value: str | None, node: str, says: str) -> None:
    """The message counts records, and holds no cell of theirs."""
    records: list[Record] = [(1, 20, value, node), (2, 20, "ulcer", None), (3, 20, "cold", "*")]
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        with pytest.raises(SpecError, match=says) as found:
            sqlanon.anonymize("t", connection=connection, **declared())
    assert "sensitive.disease.guard.column" in str(found.value)
    assert "stomach" not in str(found.value)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"p": 0}, "sensitive.disease.guard.p"),
        ({"p": "3/2"}, "sensitive.disease.guard.p"),
        ({"column": "id"}, "give it one role"),
        ({"pp": 1}, "pp"),
    ],
)
def test_a_wrong_guard_is_named(more: dict[str, Any], says: str) -> None:
    """With its place."""
    fields = {"source": {"table": "t"}, "release": "r", **declared()}
    fields["sensitive"]["disease"]["guard"] = {"column": "asks", "p": "1/2", **more}
    with pytest.raises(SpecError, match=says):
        parse_spec(fields)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"person": "who"}, "asks for persons to be counted"),
        (
            {"publish": {"name": "permuted", "group": 2}, "privacy": {"k": 1}},
            "publish: generalized",
        ),
        ({"sensitive": {"disease": {"guard": {"column": "asks", "p": 1}}}}, "it has none"),
    ],
)
def test_what_a_guard_does_not_go_with(changes: dict[str, Any], says: str) -> None:
    """Persons, exact rows, and an attribute without a hierarchy."""
    fields = {"source": {"table": "t"}, "release": "r", **declared(), **changes}
    with pytest.raises(SpecError, match=says):
        parse_spec(fields)


def test_a_column_of_labels_must_be_there_and_be_text() -> None:
    """A missing one is named with the nearest; the table has it as a number here."""
    with database() as connection:
        make_table(connection, "t", {**COLUMNS, "asks": "integer"}, [(1, 20, "flu", None)])
        with pytest.raises(
            SpecError, match="as labels of the hierarchy are text, and 'asks' is INTEGER"
        ):
            sqlanon.anonymize("t", connection=connection, **declared())
        make_table(connection, "t", {**COLUMNS, "ask": "varchar"}, [(1, 20, "flu", None, None)])
        spec = declared()
        spec["sensitive"]["disease"]["guard"] = {"column": "askd", "p": 1}
        with pytest.raises(SpecError, match="no such column"):
            sqlanon.anonymize("t", connection=connection, **spec)
