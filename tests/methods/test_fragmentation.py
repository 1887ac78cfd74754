"""Fragmentation: bounds of every conforming class, and classes that hold what is asked."""

from __future__ import annotations

import json
import random
from collections import Counter
from contextlib import nullcontext
from fractions import Fraction
from itertools import product
from typing import Any

import oracle
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support import Outcome, anonymized, database, examples, facts, make_table, multiset, refused

import sqlanon
from sqlanon.errors import InfeasibleError
from sqlanon.methods.deal.fragmentation.fragments import (
    Axis,
    Fragment,
    Matrix,
    Strategy,
    aggregate_bounds,
    find_fragmentation,
)
from sqlanon.methods.deal.fragmentation.sizing import Envelope, common_divisor, most_classes

pytestmark = pytest.mark.slow

Cells = dict[tuple[int, ...], int]
THRESHOLDS = st.fractions(0, 1, max_denominator=12)
STRATEGIES: st.SearchStrategy[Strategy] = st.sampled_from(["sum", "excess"])


@st.composite
def matrices(draw: st.DrawFn, most: int = 4) -> Matrix:
    """Small matrices over one to three attributes, with empty cells."""
    sizes = draw(st.lists(st.integers(1, most), min_size=1, max_size=3))
    every = list(product(*map(range, sizes)))
    counts = draw(st.lists(st.integers(0, 5), min_size=len(every), max_size=len(every)))
    cells = {cell: count for cell, count in zip(every, counts, strict=True) if count}
    assume(cells)
    return Matrix(tuple(Axis.of_values(size) for size in sizes), cells)


def sizes_of(matrix: Matrix) -> list[int]:
    return [len(axis.points) for axis in matrix.axes]


def split_at_random(matrix: Matrix, steps: int, rng: random.Random) -> list[Fragment]:
    fragments = [matrix.whole]
    for _ in range(steps):
        ways = [(fragment, split) for fragment in fragments for split in fragment.splits()]
        if not ways:
            break
        one, split = rng.choice(ways)
        fragments.remove(one)
        fragments += one.cut(split)
    return fragments


def records_of(fragment: Fragment) -> list[tuple[int, ...]]:
    return [cell for cell in fragment.cells for _ in range(fragment.matrix.cells[cell])]


def distances(matrix: Matrix, records: list[tuple[int, ...]]) -> list[Fraction]:
    """The oracle's distance of some records from the table, along each axis."""
    table = [cell for cell, count in matrix.cells.items() for _ in range(count)]
    return [
        oracle.emd_ordered(
            [[cell[axis] for cell in records]], [cell[axis] for cell in table], range(size)
        ).maximum
        for axis, size in enumerate(sizes_of(matrix))
    ]


# --- fragments -----------------------------------------------------------------------------------


@given(matrices(), st.integers(0, 8), st.randoms(use_true_random=False))
def test_bounds_are_the_oracles(matrix: Matrix, steps: int, rng: random.Random) -> None:
    fragments = split_at_random(matrix, steps, rng)
    boxes = [fragment.box for fragment in fragments]
    expected = oracle.aggregate_bounds(matrix.cells, sizes_of(matrix), boxes)
    assert list(aggregate_bounds(matrix, fragments)) == expected
    assert sum(fragment.records for fragment in fragments) == matrix.records
    assert [matrix.fragment(box).cells for box in boxes] == [
        fragment.cells for fragment in fragments
    ]


@examples(8, 60)
@given(matrices(3), st.lists(THRESHOLDS, min_size=3, max_size=3), STRATEGIES)
def test_fragments_are_the_oracles(matrix: Matrix, t: list[Fraction], strategy: Strategy) -> None:
    """On the way of every step, ties among them."""
    t = t[: len(matrix.axes)]
    found = find_fragmentation(matrix, t, strategy)
    assert found is not None
    number = 1 if strategy == "sum" else 2
    expected = oracle.find_fragmentation(matrix.cells, sizes_of(matrix), t, number)
    assert tuple(fragment.box for fragment in found) == expected.boxes
    assert all(b <= limit for b, limit in zip(aggregate_bounds(matrix, found), t, strict=True))


@given(matrices(), st.integers(0, 8), st.integers(1, 4), st.randoms(use_true_random=False))
def test_every_conforming_class_is_within_the_bounds(
    matrix: Matrix, steps: int, times: int, rng: random.Random
) -> None:
    """One part in so many of every fragment, whichever records: one attribute to three."""
    cells = {cell: count * times for cell, count in matrix.cells.items()}
    matrix = Matrix(matrix.axes, cells)
    fragments = split_at_random(matrix, steps, rng)
    assert common_divisor([fragment for fragment in fragments if fragment.records]) % times == 0
    taken = [
        record
        for fragment in fragments
        for record in rng.sample(records_of(fragment), fragment.records // times)
    ]
    bounds = aggregate_bounds(matrix, fragments)
    assert all(d <= b for d, b in zip(distances(matrix, taken), bounds, strict=True))


@given(matrices(), st.integers(0, 6), st.randoms(use_true_random=False))
def test_a_split_lowers_its_own_bound_and_no_other(
    matrix: Matrix, steps: int, rng: random.Random
) -> None:
    """By the domain's norm: along its axis the bound never rises, along the others it never falls.

    It may rise there: the print's Figure 4.6.
    """
    for fragment in split_at_random(matrix, steps, rng):
        for split in fragment.splits():
            before, after = fragment.spreads(), [side.spreads() for side in fragment.cut(split)]
            change = tuple(a + b - c for a, b, c in zip(*after, before, strict=True))
            assert change == split.change
            assert change[split.axis] <= 0
            assert all(more >= 0 for axis, more in enumerate(change) if axis != split.axis)


def test_too_many_fragments_are_none() -> None:
    matrix = Matrix((Axis.of_values(4),), {(place,): 1 for place in range(4)})
    assert find_fragmentation(matrix, [Fraction(0)], "sum", most=3) is None
    found = find_fragmentation(matrix, [Fraction(0)], "sum", most=4)
    assert found is not None
    assert len(found) == 4


# --- the envelope --------------------------------------------------------------------------------


def dealt(fragments: list[Fragment], classes: int, rng: random.Random) -> list[list[Any]]:
    """The classes that dealing round robin gives, each fragment shuffled; with their fragments."""
    deck = []
    for index, fragment in enumerate(fragments):
        own = records_of(fragment)
        rng.shuffle(own)
        deck += [(index, record) for record in own]
    return [deck[number::classes] for number in range(classes)]


@given(matrices(), st.integers(0, 8), st.integers(1, 12), st.randoms(use_true_random=False))
def test_the_envelope_is_the_oracles_and_bounds_every_class(
    matrix: Matrix, steps: int, classes: int, rng: random.Random
) -> None:
    assume(classes <= matrix.records)
    fragments = [fragment for fragment in split_at_random(matrix, steps, rng) if fragment.records]
    t = [Fraction(rng.randint(0, 10), 10) for _ in matrix.axes]
    envelope = Envelope(matrix, fragments, t)
    bounds = envelope.bounds(classes)
    expected = [Fraction(0)] * len(bounds)
    for hand in dealt(fragments, classes, rng):
        assert matrix.records // classes <= len(hand) <= -(-matrix.records // classes)
        found = distances(matrix, [record for _, record in hand])
        assert all(d <= b for d, b in zip(found, bounds, strict=True))
        taken = {
            fragments[place].box: n for place, n in Counter(place for place, _ in hand).items()
        }
        for axis, size in enumerate(sizes_of(matrix)):
            worst = oracle.worst_distance(matrix.cells, size, axis, taken)
            expected[axis] = max(expected[axis], worst)
    assert list(bounds) == expected
    assert envelope.holds(classes) == all(b <= limit for b, limit in zip(bounds, t, strict=True))


def test_classes_are_counted_down_to_one_that_holds() -> None:
    matrix = Matrix((Axis.of_values(3),), {(0,): 4, (1,): 3, (2,): 4})
    single = list(matrix.singletons())
    assert most_classes(Envelope(matrix, single, [Fraction(0)]), 11) == 1
    assert most_classes(Envelope(matrix, single, [Fraction(1)]), 11) == 11


# --- runs ----------------------------------------------------------------------------------------


def run(rows: list[tuple[Any, ...]], t: list[Any], k: int, **changed: Any) -> Outcome:
    """A release of rows (q, r, s1, s2, …) with a t for each sensitive attribute."""
    method = {"name": "fragmentation", **changed.pop("method", {})}
    names = [f"s {number}" for number in range(len(t))]
    types = {"q": "integer", "r": "varchar", **dict.fromkeys(names, "integer")}
    sensitive = {
        name: {"distance": "ordered", "t": str(limit), **changed.pop(name, {})}
        for name, limit in zip(names, t, strict=True)
    }
    with database() as connection:
        make_table(connection, "t", types, rows)
        outcome = anonymized(
            connection,
            "t",
            quasi_identifiers=["q", "r"],
            sensitive=sensitive,
            k=k,
            method=method,
            **changed,
        )
        tried, written = (
            json.loads(facts(connection)[item]) for item in ("search_tried", "search_fragments")
        )
    assert multiset([row[2:] for row in outcome.rows]) == multiset([row[2:] for row in rows])
    groups: dict[int, list[Any]] = {}
    for number, values in zip(outcome.assigned.class_ids, outcome.assigned.values, strict=True):
        groups.setdefault(number, []).append(values)
    assert len(groups) == tried[-1]["classes"]
    assert min(map(len, groups.values())) >= k
    if "bins" not in method:  # which are runs of values that an outcome does not tell
        said_of_fragments(written, rows, outcome)
    assert sum(one["records"] for one in written["fragments"]) == len(rows)
    for position, limit in enumerate(t, 2):
        table = [row[position] for row in rows]
        order = [value for _, value, _ in outcome.positions[f"s{position - 1}"]]
        classes = [[values[position] for values in group] for group in groups.values()]
        found = oracle.emd_ordered(classes, table, order).maximum
        assert found <= Fraction(str(limit))
    return outcome


def said_of_fragments(written: Any, rows: list[tuple[Any, ...]], outcome: Outcome) -> None:
    """What a run writes down of its fragments: boxes that hold all records, and their bounds."""
    orders = [
        [value for _, value, _ in outcome.positions[f"s{number}"]]
        for number, _ in enumerate(rows[0][2:], 1)
    ]
    cells = Counter(
        tuple(order.index(value) for order, value in zip(orders, row[2:], strict=True))
        for row in rows
    )
    boxes = [tuple((a - 1, b - 1) for a, b in one["box"]) for one in written["fragments"]]
    holding = [
        sum(
            records
            for cell, records in cells.items()
            if all(low <= at <= high for at, (low, high) in zip(cell, box, strict=True))
        )
        for box in boxes
    ]
    assert holding == [one["records"] for one in written["fragments"]]
    bounds = oracle.aggregate_bounds(cells, [len(entry) for entry in orders], boxes)
    assert written["bounds"] == pytest.approx([float(bound) for bound in bounds])


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[tuple[Any, ...]], list[Fraction], int]:
    attributes = draw(st.integers(1, 3))
    value = st.none() | st.integers(0, 5)
    rows = draw(
        st.lists(
            st.tuples(
                st.none() | st.integers(0, 9),
                st.none() | st.sampled_from(["a", "O'Brien", '"q"', "日本", "{{ x }}"]),
                *[value] * attributes,
            ),
            min_size=1,
            max_size=40,
        )
    )
    t = draw(st.lists(THRESHOLDS, min_size=attributes, max_size=attributes))
    return rows, t, draw(st.integers(1, min(6, len(rows))))


@pytest.mark.slow
@examples(6, 30)
@given(
    tables(),
    st.sampled_from(["envelope", "gcd"]),
    st.sampled_from([None, "sum", "excess"]),
    st.sampled_from(["curve", "nearest"]),
)
def test_any_table_gets_classes_that_hold(
    drawn: tuple[list[tuple[Any, ...]], list[Fraction], int],
    sizing: str,
    strategy: str | None,
    neighbours: str,
) -> None:
    """NULLs, ties, records alike in everything, any t, from one class to as many as records."""
    rows, t, k = drawn
    method = {"sizing": sizing, "strategy": strategy, "neighbours": neighbours}
    run(rows, t, k, method=method)


UNITS = 500_000_000  # the share of each of two quasi-identifiers in the loss
AGES, TOWNS = [None, 20, 21, 34, 57], [None, "a", "o'Ünknown"]


@pytest.mark.slow
@examples(8, 60)
@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=8),
    st.integers(1, 5),
    THRESHOLDS,
    st.integers(1, 3),
    st.randoms(use_true_random=False),
)
def test_classes_of_nearest_records_are_the_oracles(
    values: list[int], times: int, t: Fraction, k: int, rng: random.Random
) -> None:
    """Every value so many times, so that there are equal classes of several sizes."""
    rows = [(rng.choice(AGES), rng.choice(TOWNS), value) for value in values * times]
    k = min(k, len(rows))
    method = {"sizing": "gcd", "neighbours": "nearest"}
    assigned = run(rows, [t], k, method=method).assigned
    classes: dict[int, Counter[Any]] = {}
    for number, row in zip(assigned.class_ids, assigned.values, strict=True):
        classes.setdefault(number, Counter())[tuple(row)] += 1
    found = [classes[number] for number in sorted(classes)]
    assert found == nearest_classes(rows, t, k)


def nearest_classes(rows: list[tuple[Any, ...]], t: Fraction, k: int) -> list[Counter[Any]]:
    """The classes by the oracle, in the order in which they form."""
    order = sorted({row[2] for row in rows})
    counts: Cells = Counter((order.index(row[2]),) for row in rows)
    boxes = oracle.find_fragmentation(counts, [len(order)], [t], 2).boxes
    fragments = [box[0] for box in boxes]
    masses = [sum(low <= order.index(r[2]) <= high for r in rows) for low, high in fragments]
    q, size, shares = oracle.sizes_by_divisor(masses)
    classes = max(
        number for number in range(1, q + 1) if q % number == 0 and number * k <= len(rows)
    )
    share = {number: one * (q // classes) for number, one in enumerate(shares)}
    assert sum(share.values()) == size * (q // classes)
    ages = [row[0] for row in rows if row[0] is not None]
    towns = [town for town in TOWNS if town in {row[1] for row in rows}]
    length = max(ages, default=0) - min(ages, default=0)

    def placed(row: tuple[Any, ...]) -> oracle.Placed:
        age, town, value = row
        at = order.index(value)
        fragment = next(i for i, (low, high) in enumerate(fragments) if low <= at <= high)
        along = 0 if age is None or not length else (age - min(ages)) / length * UNITS + 0.5
        among = 0.0 if len(towns) == 1 else towns.index(town) / (len(towns) - 1) * UNITS + 0.5
        codes = (age is not None, age or 0), towns.index(town), at, row
        return oracle.Placed(fragment, (int(along), int(among)), codes)

    made = oracle.generate_classes([placed(row) for row in rows], [share] * classes)
    return [Counter(one.order[-1] for one in members) for members in made]


def test_the_nearest_records_lose_less_than_the_curve_where_there_are_few() -> None:
    rows = people(200, 8)
    curve, nearest = (
        run(rows, ["0.15", "0.25"], 5, method={"neighbours": text}).measure("gcp")
        for text in ("curve", "nearest")
    )
    assert nearest < curve


@pytest.mark.slow
@examples(3, 15)
@given(tables(), st.integers(1, 4))
def test_bins_promise_less_and_the_classes_hold_all_the_same(
    drawn: tuple[list[tuple[Any, ...]], list[Fraction], int], bins: int
) -> None:
    run(*drawn, method={"bins": bins})


def people(size: int, seed: int, sensitive: int = 2, values: int = 12) -> list[tuple[Any, ...]]:
    rng = random.Random(seed)
    powers = [rng.choice([1, 1.5, 2, 3]) for _ in range(sensitive)]
    return [
        (
            rng.randint(18, 90),
            rng.choice("abcde"),
            *(int(values * rng.random() ** power) for power in powers),
        )
        for _ in range(size)
    ]


@pytest.mark.further
@pytest.mark.slow
def test_half_of_all_classes_where_the_divisor_leaves_one() -> None:
    """On random tables of 60 to 400 records, on average; n / k is the most there can be."""
    shares, by_divisor = [], []
    for seed, size in enumerate([60, 101, 150, 199, 247, 301, 350, 400]):
        rows, t, k = people(size, seed), ["0.15", "0.25"], 5
        classes = len(set(run(rows, t, k).assigned.class_ids))
        shares.append(classes / (size // k))
        gcd = run(rows, t, k, method={"sizing": "gcd"})
        by_divisor.append(len(set(gcd.assigned.class_ids)))
    assert sum(shares) / len(shares) >= 0.5
    assert by_divisor == [1] * len(by_divisor)


@pytest.mark.further
@pytest.mark.parametrize("sizing", ["envelope", "gcd"])
def test_l_and_alpha_are_met_by_fewer_classes(sizing: str) -> None:
    """Closeness alone makes more classes than are diverse."""
    rows = people(120, 3, sensitive=1, values=4)
    plain = run(rows, ["0.4"], 3, method={"sizing": sizing})
    asked = {"l": {"distinct": 3, "entropy": 2, "recursive": {"c": 3, "l": 2}}, "alpha": "0.6"}
    diverse = run(rows, ["0.4"], 3, method={"sizing": sizing}, **{"s 0": asked})
    assert 1 <= diverse.measure("classes") <= plain.measure("classes")
    if sizing == "envelope":
        assert 1 < diverse.measure("classes") < plain.measure("classes")


def test_what_the_table_itself_does_not_meet_is_refused() -> None:
    with pytest.raises(sqlanon.InfeasibleError, match="distinct_l"):
        run([(i, "a", i % 2) for i in range(20)], ["0.5"], 2, **{"s 0": {"l": 3}})


def test_one_value_and_one_class() -> None:
    outcome = run([(i, "a", 7, 7) for i in range(12)], [0, 0], 3)
    assert outcome.measure("classes") == 4
    assert run(people(9, 1), [0, 0], 9).measure("classes") == 1


def test_more_than_there_are_is_infeasible() -> None:
    with pytest.raises(sqlanon.InfeasibleError, match="only 9 records"):
        run(people(9, 1), ["0.5", "0.5"], 10)


def test_records_of_a_class_are_neighbours() -> None:
    """Far less is lost than by dealing blindly, at the same closeness and as many classes."""
    rows = people(400, 8)
    found = run(rows, ["0.15", "0.25"], 5)
    rng = random.Random(1)
    strangers = [row[:2] for row in rows]
    rng.shuffle(strangers)
    names = ["s 0", "s 1"]
    with database() as connection:
        types = {"q": "integer", "r": "varchar", **dict.fromkeys(names, "integer")}
        make_table(connection, "t", types, rows)
        blind = anonymized(
            connection,
            "t",
            quasi_identifiers=["q", "r"],
            sensitive={name: {"distance": "ordered"} for name in names},
            k=5,
        )
    assert found.measure("classes") > 0.8 * blind.measure("classes")
    assert found.measure("gcp") < 0.8 * blind.measure("gcp")


@pytest.mark.slow
def test_threads_do_not_matter() -> None:
    rows = people(400, 4)
    one, two = (
        run(rows, ["0.1", "0.3"], 5, settings={"threads": threads}).rows for threads in (1, 2)
    )
    assert one == two


@pytest.mark.slow
def test_the_order_of_the_source_does_not_matter() -> None:
    rows = people(200, 6)
    assert run(rows, ["0.1", "0.3"], 5).rows == run(rows[::-1], ["0.1", "0.3"], 5).rows


@pytest.mark.slow
def test_a_compiled_script_makes_the_same_release() -> None:
    """What was dealt in vain is dealt again, and the last classes are the run's."""
    rows = people(150, 2)
    columns = {"q": "integer", "r": "varchar", "a": "integer", "b": "integer"}
    declared: dict[str, Any] = {
        "release": "anonymized",
        "quasi_identifiers": ["q", "r"],
        "sensitive": {
            name: {"distance": "ordered", "t": 0.2, "l": {"entropy": 3}} for name in "ab"
        },
        "k": 4,
        "method": "fragmentation",
    }
    with database() as connection:
        make_table(connection, "t", columns, rows)
        made = anonymized(connection, "t", **declared)
        assert len(json.loads(facts(connection)["search_tried"])) > 1
        script = sqlanon.compile("t", connection=connection, **declared)
        connection.execute("drop table anonymized")
        connection.execute(script)
        assert connection.execute("from anonymized").fetchall() == made.rows


# --- what it refuses -----------------------------------------------------------------------------


def test_a_sensitive_attribute_needs_an_order_and_a_t() -> None:
    error = refused(
        sqlanon.SpecError,
        "t",
        quasi_identifiers=["q"],
        sensitive={"a": {"t": 0.2, "distance": "equal"}, "b": {"distance": "ordered"}},
        k=2,
        method="fragmentation",
    )
    assert "sensitive.a.distance" in str(error)
    assert "distance: ordered" in str(error)
    assert "sensitive.b.t" in str(error)


def test_too_many_cells_are_refused_with_what_to_do() -> None:
    with database() as connection:
        connection.execute(
            "create table t as select i % 7 as q, i as a, i * 48271 % 25013 as b, i % 3 as c "
            "from range(25000) as t(i)"
        )
        declared: dict[str, Any] = {
            "quasi_identifiers": ["q"],
            "sensitive": {name: {"distance": "ordered", "t": 0.5} for name in "abc"},
            "connection": connection,
            "k": 50,
        }
        error = refused(
            sqlanon.SpecError, "t", method={"name": "fragmentation", "bins": 500}, **declared
        )
        assert "method.bins" in str(error)
        assert "bins: 27 or fewer" in str(error)


def test_settings_name_the_method() -> None:
    assert (
        sqlanon.parse_spec(
            {
                "source": "t",
                "release": "r",
                "quasi_identifiers": ["q"],
                "sensitive": {"s": {"distance": "ordered"}},
                "privacy": {"k": 2, "t": 0.5},
                "method": {"sizing": "gcd"},
            }
        ).method.name
        == "fragmentation"
    )


@pytest.mark.parametrize(("bk", "holds"), [("0.6", True), ("0.0001", False)])
def test_the_gate_decides_on_background_knowledge(bk: str, holds: bool) -> None:
    rows = [(i % 4, "flu" if i == 0 else "cold") for i in range(24)]
    declared = {
        "source": {"table": "t"},
        "release": "public",
        "quasi_identifiers": {"code": {"publish": "set"}},
        "sensitive": {
            "ill": {
                "distance": "ordered",
                "order": "frequency",
                "t": "0.6",
                "background": {"estimate": {"by": ["code"]}},
                "bk": bk,
            }
        },
        "privacy": {"k": 2},
        "method": "fragmentation",
        "seed": 1,
    }
    with database() as connection:
        make_table(connection, "t", {"code": "integer", "ill": "varchar"}, rows)
        with nullcontext() if holds else pytest.raises(InfeasibleError, match="bk"):
            sqlanon.anonymize(sqlanon.parse_spec(declared), connection=connection)
