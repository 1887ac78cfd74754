"""Microaggregation against plain Python, and what it keeps whatever the records are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import oracle.microaggregation as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.privacy import ordered_distance
from support import database, examples, make_table, quoted, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.methods.grow.microaggregation import groups
from sqlanon.methods.grow.microaggregation.groups import group_size
from sqlanon.spec import parse_spec

pytestmark = pytest.mark.slow

COLUMNS = {"id": "integer", "age": "integer", "sex": "varchar", "pay": "integer"}
UNITS = 500_000_000  # the share of each of two quasi-identifiers in the loss
SWAPPED = {"name": "microaggregation", "order": "k_anonymity_first"}
CLOSE_FIRST = {"name": "microaggregation", "order": "t_closeness_first"}
Row = tuple[int | None, str | None, int | None]
ROWS = st.lists(
    st.tuples(
        st.sampled_from([20, 21, 30, 34, 40, 57, None]),
        st.sampled_from(["F", "M", None, "o'Ünknown"]),
        st.sampled_from([1, 2, 5, 8, None]),
    ),
    min_size=1,
    max_size=40,
)
Classes = list[Counter[Row]]


def declared(k: int, t: str, **fields: Any) -> dict[str, Any]:
    return {
        "quasi_identifiers": ["age", "sex"],
        "sensitive": {"pay": {"t": t, "distance": "ordered"}},
        "insensitive": {"id": {"accept": "a test finds the records by it"}},
        "privacy": {"k": k},
        "method": "microaggregation",
        "seed": 1,
        **fields,
    }


def released(rows: Sequence[Row], fields: dict[str, Any]) -> tuple[sqlanon.Release, Classes]:
    """A release, and the records of each of its classes: those that are published alike."""
    records = [(number, *row) for number, row in enumerate(rows)]
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        made = sqlanon.anonymize("t", connection=connection, **fields, release=quoted("out"))
        names = [one[0] for one in connection.execute("describe out").fetchall()]
        shown = ", ".join(name for name in names if name not in ("id", "pay"))
        classes: dict[Any, Counter[Row]] = defaultdict(Counter)
        for number, *cells in connection.execute(f"select id, {shown} from out").fetchall():
            classes[tuple(cells)][rows[number]] += 1
        made.close()
    return made, list(classes.values())


def first(value: Any) -> tuple[bool, Any]:
    """NULL comes before all values."""
    return value is not None, value if value is not None else 0


def by_code(row: Row) -> Any:
    return first(row[0]), (row[1] is not None, row[1] or ""), first(row[2])


def expected(
    rows: Sequence[Row],
    k: int,
    t: str,
    order: str = "merging",
    gamma: str | None = None,
    equal: bool = False,
) -> Classes:
    """The classes by the oracle, those that are published alike as one."""
    ages = [age for age, _, _ in rows if age is not None]
    sexes = sorted({sex for _, sex, _ in rows}, key=lambda one: (one is not None, one or ""))
    pays = sorted({pay for _, _, pay in rows}, key=first)

    def point(age: int | None, sex: str | None) -> tuple[int, int]:
        length = max(ages, default=0) - min(ages, default=0)
        along = 0 if age is None or not length else (age - min(ages)) / length * UNITS + 0.5
        among = 0.0 if len(sexes) == 1 else sexes.index(sex) / (len(sexes) - 1) * UNITS + 0.5
        return int(along), int(among)

    # Both have few values: records come by the one with fewer, then by the other.
    ages_first = len({row[0] for row in rows}) <= len(sexes)
    kinds = sorted(set(rows), key=by_code)
    cells = {row: oracle.Cell(index, point(*row[:2]), row[2]) for index, row in enumerate(kinds)}
    row_of = {cell.place: row for row, cell in cells.items()}
    shares = Counter(row[2] for row in rows)
    table = [Fraction(shares[pay], len(rows)) for pay in pays]

    def distance(values: Sequence[Any]) -> Fraction:
        held = Counter(values)
        there = [Fraction(held[pay], len(values)) for pay in pays]
        if equal:
            return sum((abs(a - b) for a, b in zip(there, table, strict=True)), Fraction(0)) / 2
        return ordered_distance(there, table)

    def short(values: Sequence[Any]) -> int:
        found, size, far = 0, len(values), distance(values)
        if size < k:
            found += 1 + (k - size) * 1000 // k
        if far > Fraction(t):
            found += 1 + int((far - Fraction(t)) * 1000 / far)
        return found

    def along(cell: oracle.Cell) -> Any:
        age, sex, _ = by_code(row_of[cell.place])
        return (age, sex) if ages_first else (sex, age)

    records = [cells[row] for row in rows]
    if order == "t_closeness_first":
        size = max(k, oracle.group_size(len(rows), Fraction(t)))
        groups = oracle.close_first(oracle.bins(records, size, along, pays.index))
    elif gamma is not None:
        groups = oracle.v_mdav(records, k, Fraction(gamma))
    else:
        groups = oracle.mdav(records, k)
    if order == "free":
        groups = oracle.k_first(records, k, distance, Fraction(t), pays.index)
    if order == "k_anonymity_first":
        groups = oracle.swapped(groups, distance, Fraction(t), pays.index, 2 * k)
    alike: dict[Any, Counter[Row]] = defaultdict(Counter)
    for one in oracle.joined(groups, short):
        held = Counter(row_of[cell.place] for cell in one)
        among = {age for age, _, _ in held}
        whole = None in among and len(among) > 1  # NULL and others: the whole domain
        box = "*" if whole else (min(among, key=first), max(among, key=first))
        alike[box, frozenset(sex for _, sex, _ in held)] += held
    return list(alike.values())


def as_set(classes: Classes) -> Counter[Any]:
    return Counter(frozenset(one.items()) for one in classes)


@examples(1, 25)
@given(
    rows=ROWS,
    k=st.sampled_from([1, 2, 3, 5]),
    t=st.sampled_from(["0.1", "0.25", "1"]),
    order=st.sampled_from(["merging", "k_anonymity_first", "t_closeness_first"]),
)
def test_the_classes_are_the_oracles(rows: list[Row], k: int, t: str, order: str) -> None:
    """No record is lost, and every class keeps k and t."""
    if k > len(rows):
        return
    method = {"name": "microaggregation", "order": order}
    _, found = released(rows, declared(k, t, method=method))
    assert as_set(found) == as_set(expected(rows, k, t, order))
    assert sum(found, Counter()) == Counter(rows)
    assert min(one.total() for one in found) >= k


@examples(1, 25)
@given(
    rows=ROWS,
    k=st.sampled_from([1, 2, 3, 5]),
    t=st.sampled_from(["0.25", "1"]),
    gamma=st.sampled_from(["1/5", "1.1", "3", "1000000000"]),
)
def test_groups_of_varying_size_are_the_oracles(
    rows: list[Row], k: int, t: str, gamma: str
) -> None:
    """No record is lost, and every class keeps k and t."""
    if k > len(rows):
        return
    method = {"name": "microaggregation", "gamma": gamma}
    _, found = released(rows, declared(k, t, method=method))
    assert as_set(found) == as_set(expected(rows, k, t, gamma=gamma))
    assert sum(found, Counter()) == Counter(rows)
    assert min(one.total() for one in found) >= k


@examples(2, 25)
@given(
    rows=ROWS,
    k=st.sampled_from([1, 2, 3, 5]),
    t=st.sampled_from(["0.1", "0.25", "1"]),
    order=st.sampled_from(["merging", "k_anonymity_first"]),
)
def test_the_classes_are_the_oracles_by_the_equal_distance(
    rows: list[Row], k: int, t: str, order: str
) -> None:
    if k > len(rows):
        return
    method = {"name": "microaggregation", "order": order}
    fields = declared(k, t, method=method, sensitive={"pay": {"t": t, "distance": "equal"}})
    _, found = released(rows, fields)
    assert as_set(found) == as_set(expected(rows, k, t, order, equal=True))
    assert sum(found, Counter()) == Counter(rows)


FREE = {**SWAPPED, "swaps": "free"}


@examples(1, 20)
@given(
    rows=ROWS,
    k=st.sampled_from([1, 2, 3, 5]),
    t=st.sampled_from(["0.1", "0.25"]),
    equal=st.booleans(),
)
def test_groups_that_swap_with_free_records_are_the_oracles(
    rows: list[Row], k: int, t: str, equal: bool
) -> None:
    """Candidate after candidate, where the method takes the next one that helps."""
    if k > len(rows):
        return
    sensitive = {"pay": {"t": t, "distance": "equal" if equal else "ordered"}}
    _, found = released(rows, declared(k, t, method=FREE, sensitive=sensitive))
    assert as_set(found) == as_set(expected(rows, k, t, "free", equal=equal))
    assert sum(found, Counter()) == Counter(rows)
    assert min(one.total() for one in found) >= k


@pytest.mark.parametrize("method", [{"swaps": "free"}, {**FREE, "gamma": 2}])
def test_free_records_are_swapped_under_one_order_alone(method: dict[str, Any]) -> None:
    fields = declared(3, "0.2", source={"table": "t"}, release="o")
    with pytest.raises(SpecError, match=r"method\.swaps: groups of k swap"):
        parse_spec({**fields, "method": {"name": "microaggregation", **method}})


def test_swaps_bring_groups_within_t_that_would_be_joined() -> None:
    """Pairs of neighbours of one value are far from the table; swapped, each has both values."""
    rows: Sequence[Row] = [(100 * pair + at, "F", pair % 2) for pair in range(8) for at in (0, 1)]
    fields = {"sensitive": {"pay": {"t": "0.1"}}}
    _, joined = released(rows, declared(2, "0.1", **fields))
    assert [one.total() for one in joined] == [4] * 4
    for method in (SWAPPED, FREE):
        _, swapped = released(rows, declared(2, "0.1", **fields, method=method))
        assert [one.total() for one in swapped] == [2] * 8


@pytest.mark.sampled
@pytest.mark.parametrize("method", [{}, {"order": "k_anonymity_first"}])
def test_every_model_holds_where_classes_are_compared_along_orders(
    method: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where there are too many classes to compare each with all."""
    monkeypatch.setattr(groups, "FEW", 2)
    rows = drawn(240)
    fields = declared(3, "0.15", method={"name": "microaggregation", "block": 60, **method})
    made, classes = released(rows, fields)
    assert min(one.total() for one in classes) >= 3
    assert sum(classes, Counter()) == Counter(rows)
    assert len(classes) > 1
    t = made.measure("t_closeness", "pay")
    assert t is not None
    assert t <= 0.15


CLUSTERS: Sequence[Row] = [
    (100 * middle + i * i, "F", None)
    for middle, size in enumerate([4, 5, 3, 4, 5])
    for i in range(size)
]


@pytest.mark.parametrize(
    ("gamma", "sizes"), [(None, [3, 3, 3, 3, 3, 3, 3]), ("2", [3, 4, 4, 5, 5])]
)
def test_groups_are_clusters_where_these_have_k_to_2k_less_1(
    gamma: str | None, sizes: list[int]
) -> None:
    """By a gamma each cluster is a group; groups of k each reach from one to the next."""
    method = {"name": "microaggregation", **({} if gamma is None else {"gamma": gamma})}
    made, classes = released(CLUSTERS, declared(3, "1", method=method))
    assert sorted(one.total() for one in classes) == sizes
    assert made.measure("k_anonymity") == 3


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ({"gamma": 0}, "greater than 0"),
        ({"gamma": "near"}, "a number such as"),
        ({"gamma": "1/3000000000"}, "whole numbers up to 1,000,000,000"),
        ({"gamma": 1.1, "order": "t_closeness_first"}, "take order merging"),
    ],
)
def test_a_gamma_is_a_positive_number_for_groups_by_quasi_identifiers(
    method: dict[str, Any], says: str
) -> None:
    fields = declared(3, "0.2", source={"table": "t"}, release="o")
    with pytest.raises(SpecError) as caught:
        parse_spec({**fields, "method": {"name": "microaggregation", **method}})
    assert "method.gamma" in str(caught.value)
    assert says in str(caught.value)


@given(n=st.integers(1, 60), t=st.fractions(0, 1, max_denominator=20))
def test_the_size_of_a_group_is_its_definition(n: int, t: Fraction) -> None:
    assert group_size(n, t) == oracle.group_size(n, t)


def drawn(number: int) -> Sequence[Row]:
    """Records that are drawn by arithmetic."""
    return [(20 + i * 7919 % 41, "FM"[i * 31 % 2], i * 104_729 % 97 // 4) for i in range(number)]


@pytest.mark.sampled
@pytest.mark.parametrize(
    "method", [{"block": 50}, {"block": 2}, {"order": "t_closeness_first", "block": 60}]
)
def test_blocks_change_no_promise(method: dict[str, Any]) -> None:
    rows = drawn(300)
    fields = declared(4, "0.2", method={"name": "microaggregation", **method})
    made, classes = released(rows, fields)
    assert min(one.total() for one in classes) >= 4
    assert sum(classes, Counter()) == Counter(rows)
    t = made.measure("t_closeness", "pay")
    assert t is not None
    assert t <= 0.2


def test_groups_have_k_records_where_k_alone_is_asked() -> None:
    """Of 300 records that all differ 42 groups of seven, and one of six more."""
    rows: Sequence[Row] = [(i * i, "F", None) for i in range(300)]
    made, classes = released(rows, declared(7, "1"))
    assert sorted(one.total() for one in classes) == [7] * 41 + [13]
    assert made.measure("k_anonymity") == 7


@pytest.mark.further
@pytest.mark.parametrize("t", ["0.05", *slow("0.1")])
def test_groups_from_every_part_of_the_range_are_close(t: str) -> None:
    """Where all values differ, and groups come out even, none has to be joined."""
    rows: Sequence[Row] = [(i * 7919 % 641, "F", i) for i in range(600)]
    size = group_size(600, Fraction(t))
    even = next(number for number in range(size, 600) if 600 % number == 0)
    _, classes = released(rows, declared(even, t, method=CLOSE_FIRST))
    assert len(classes) == 600 // even
    assert {one.total() for one in classes} == {even}


@pytest.mark.parametrize("method", [CLOSE_FIRST, SWAPPED])
def test_what_comes_before_joining_is_for_one_attribute_with_a_t(method: dict[str, Any]) -> None:
    fields = declared(3, "0.2", source={"table": "t"}, release="o", method=method)
    tree = {"hierarchy": {"tree": {"*": [1, 2]}}, "distance": "hierarchical"}
    for sensitive in (
        *(
            [{"pay": {"t": 0.2, "distance": "equal"}}]
            if method is CLOSE_FIRST
            else [{"pay": {"t": 0.2, **tree}}]
        ),
        {"pay": {"distance": "ordered"}},
        {"pay": {"t": 0.2, "distance": "ordered"}, "sex": {"t": 0.2}},
    ):
        changed = {**fields, "sensitive": sensitive, "quasi_identifiers": ["age"]}
        with pytest.raises(SpecError) as caught:
            parse_spec(changed)
        assert "method.order" in str(caught.value)


def test_what_cannot_be_met_is_refused() -> None:
    rows: Sequence[Row] = [(i, "F", i % 2) for i in range(20)]
    asked = {"sensitive": {"pay": {"l": 3}}}
    with pytest.raises(InfeasibleError):
        released(rows, declared(2, "1", **asked))
    with pytest.raises(SpecError):
        released([], declared(2, "1"))
