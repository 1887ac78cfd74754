"""SABRE: bounds of every class, the fewest buckets, and classes that are as close as promised."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import duckdb
import oracle
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle.sabre import bound_of_the_paper, every_class, halved
from support import (
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
from sqlanon.methods.deal.sabre.buckets import (
    MOST_BUCKETS,
    Bound,
    Bucket,
    Levels,
    Ordered,
    Run,
    partitions,
)
from sqlanon.methods.deal.sabre.dealing import ROOTS, Deck, leaves_of
from sqlanon.sql.templates import load_template

TREE = {
    "*": {"a": {"b": ["0", "1"], "c": ["2"]}, "d": {"e": ["3", "4", "5"]}, "f": {"g": ["6"]}},
}
CHAINS: dict[oracle.Value, tuple[str, ...]] = {
    **dict.fromkeys("01", ("b", "a", "*")),
    "2": ("c", "a", "*"),
    **dict.fromkeys("345", ("e", "d", "*")),
    "6": ("g", "f", "*"),
}
LABELS: list[str] = sorted({label for chain in CHAINS.values() for label in chain})
DISTANCES = ["equal", "ordered", "hierarchical"]


def runs_of(counts: Sequence[int], distance: str) -> list[Run]:
    """Every value a run of its own."""
    found = []
    for number, count in enumerate(counts):
        nodes: tuple[int, ...] = (number,)
        if distance == "hierarchical":
            nodes = (number, *(100 + LABELS.index(text) for text in CHAINS[str(number)][:-1]))
        found.append(Run(count, count, count, number + 1, number + 1, nodes))
    return found


def distance_of(distance: str, values: Sequence[int], counts: Sequence[int]) -> Fraction:
    """The oracle's distance of a class from the table."""
    table = [value for value, count in enumerate(counts) for _ in range(count)]
    if distance == "equal":
        return oracle.emd_equal([values], table).maximum
    if distance == "ordered":
        return oracle.emd_ordered([values], table, range(len(counts))).maximum
    leaves = [[str(value) for value in values], [str(value) for value in table]]
    return oracle.emd_hierarchical([leaves[0]], leaves[1], CHAINS).maximum


def bound_of(distance: str, runs: Sequence[Run], buckets: Sequence[Bucket]) -> Bound:
    return Ordered(runs, buckets) if distance == "ordered" else Levels(runs, buckets)


def bucketed(counts: Sequence[int], buckets: Sequence[Bucket]) -> list[list[tuple[int, int]]]:
    return [[(value, counts[value]) for value in range(low, high + 1)] for low, high in buckets]


# --- bounds --------------------------------------------------------------------------------------


@examples(25, 300)
@given(st.lists(st.integers(0, 4), min_size=7, max_size=7), st.data(), st.sampled_from(DISTANCES))
def test_no_class_is_farther_than_its_bound(
    counts: list[int], data: st.DataObject, distance: str
) -> None:
    """Whichever records of a bucket it gets; where every bucket is one value, exactly."""
    assume(sum(counts))
    if distance == "equal":
        counts = sorted(counts, reverse=True)
    runs = runs_of(counts, distance)
    ladder = partitions(runs, distance, Fraction(data.draw(st.integers(0, 4)), 4))
    buckets = data.draw(st.sampled_from(ladder))
    values = bucketed(counts, buckets)
    sizes = [sum(count for _, count in value) for value in values]
    assert min(sizes) > 0
    held = [data.draw(st.integers(0, min(3, size))) for size in sizes]
    assume(sum(held))
    bound = bound_of(distance, runs, buckets)
    most = Fraction(bound.moved(held), sum(held) * sum(counts) * bound.scale)
    found = [distance_of(distance, one, counts) for one in every_class(values, held)]
    assert max(found) <= most
    if all(sum(count > 0 for _, count in value) == 1 for value in values):
        assert max(found) == most
    if distance == "equal":
        assert most <= bound_of_the_paper(dict(enumerate(counts)), values, held)
    whole = Fraction(bound.moved(sizes), sum(counts) ** 2 * bound.scale)
    assert whole == 0  # the table is at no distance of itself


@examples(25, 200)
@given(
    st.lists(st.integers(0, 3), min_size=3, max_size=8),
    st.data(),
    st.sampled_from(["equal", "ordered"]),
)
def test_runs_of_several_values_are_bounded_too(
    counts: list[int], data: st.DataObject, distance: str
) -> None:
    """In an order as if nothing were known inside a run; the rarest values may be one run."""
    assume(sum(counts))
    if distance == "equal":
        counts = sorted((number for number in counts if number), reverse=True)
        ends = [*range(1, min(data.draw(st.integers(1, 4)), len(counts))), len(counts)]
    else:
        inner = st.integers(1, len(counts) - 1)
        ends = sorted({*data.draw(st.lists(inner, max_size=3)), len(counts)})
    runs: list[Run] = []
    for low, high in pairwise([0, *ends]):
        inside = counts[low:high]
        least = min((number for number in inside if number), default=0)
        runs.append(Run(sum(inside), sum(inside), least, low + 1, high, (len(runs),)))
    buckets = data.draw(st.sampled_from(partitions(runs, distance, Fraction(1, 2))))
    values = bucketed(counts, [(runs[low].first - 1, runs[high].last - 1) for low, high in buckets])
    held = [data.draw(st.integers(0, min(3, sum(count for _, count in value)))) for value in values]
    assume(sum(held))
    bound = bound_of(distance, runs, buckets)
    most = Fraction(bound.moved(held), sum(held) * sum(counts) * bound.scale)
    for one in every_class(values, held):
        assert distance_of(distance, one, counts) <= most


# --- buckets -------------------------------------------------------------------------------------


def spread(distance: str, counts: Sequence[int], buckets: Sequence[Sequence[int]]) -> Fraction:
    """The farthest that a class with the table's share of every bucket can be, by trying all.

    With as many copies of the table as there are records, its share can be any one value.
    """
    records, far = sum(counts), Fraction(0)
    if distance == "equal":
        return (
            sum(
                (
                    Fraction(
                        sum(counts[number] for number in bucket)
                        - min(counts[number] for number in bucket)
                    )
                    for bucket in buckets
                ),
                far,
            )
            / records
        )
    for bucket in buckets:
        shares = [counts[number] for number in range(bucket[0], bucket[-1] + 1)]
        far += oracle.farthest(shares)
    return far / (records * max(1, len(counts) - 1))


def set_partitions(values: list[int]) -> list[list[list[int]]]:
    if not values:
        return [[]]
    first, found = values[0], []
    for others in set_partitions(values[1:]):
        found.append([[first], *others])
        found += [
            [*others[:place], [first, *others[place]], *others[place + 1 :]]
            for place in range(len(others))
        ]
    return found


@examples(25, 150)
@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=6),
    st.integers(0, 8),
    st.sampled_from(["equal", "ordered"]),
)
def test_no_other_buckets_are_as_few(counts: list[int], eighths: int, distance: str) -> None:
    """By trying all: any sets of values, or any stretches of an order."""
    t, number = Fraction(eighths, 8), len(counts)
    if distance == "equal":
        counts = sorted(counts, reverse=True)
        ways = set_partitions(list(range(number)))
    else:
        ways = [
            [list(range(low, high)) for low, high in pairwise([0, *cuts, number])]
            for size in range(number)
            for cuts in combinations(range(1, number), size)
        ]
    fewest = min(len(way) for way in ways if spread(distance, counts, way) <= t)
    found = partitions(runs_of(counts, distance)[:number], distance, t)
    assert len(found[0]) == fewest
    assert spread(distance, counts, [list(range(low, high + 1)) for low, high in found[0]]) <= t
    assert [len(entry) for entry in found] == sorted({len(entry) for entry in found})


def test_buckets_of_a_hierarchy_are_its_subtrees() -> None:
    runs = runs_of([5, 5, 5, 0, 4, 4, 1], "hierarchical")
    assert partitions(runs, "hierarchical", Fraction(1))[0] == ((0, 6),)
    found = partitions(runs, "hierarchical", Fraction(2, 5))
    assert found[0] == ((0, 2), (4, 5), (6, 6))
    assert found[-1] == ((0, 0), (1, 1), (2, 2), (4, 4), (5, 5), (6, 6))


@pytest.mark.parametrize("distance", ["equal", "ordered"])
def test_there_are_never_too_many_buckets(distance: str) -> None:
    runs = [Run(2, 2, 2, place, place, (place,)) for place in range(100)]
    found = partitions(runs, distance, Fraction(0))
    assert [len(entry) for entry in found] == [MOST_BUCKETS]


# --- halving -------------------------------------------------------------------------------------


def test_the_larger_parts_are_halved_though_the_others_are_too_small() -> None:
    """18 records are dealt to five, of 4 and of 3; by way of one, halves would not be close."""
    found = Deck([12, 2, 4], lambda held: held != (1, 1, 0)).halved(2)
    assert (found.root, found.classes) == (5, 7)


@examples(8, 40)
@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=5),
    st.integers(1, 6),
    st.randoms(use_true_random=False),
)
def test_the_classes_are_those_of_halving_the_deck(
    sizes: list[int], least: int, rng: random.Random
) -> None:
    """Whatever is close enough; and SQL numbers them as they come."""
    verdicts: dict[tuple[int, ...], bool] = {}

    def close(held: Sequence[int]) -> bool:
        return verdicts.setdefault(tuple(held), rng.random() < 0.8)

    deck = [bucket for bucket, size in enumerate(sizes) for _ in range(size)]

    def held_of(part: Sequence[int]) -> tuple[int, ...]:
        return tuple(part.count(bucket) for bucket in range(len(sizes)))

    found = Deck(sizes, close).halved(least)
    ways = {
        root: halved(deck, root, lambda part: close(held_of(part)), least)
        for root in ROOTS
        if root * least <= len(deck) or root == 1
    }
    assert found.classes == max(len(one) for one in ways.values() if one is not None)
    expected = ways[found.root]
    assert expected is not None
    assert {*found.kinds} == {held_of(part) for part in expected}
    sql = load_template("methods/sabre/leaves").render({}, leaves_of(found))
    with duckdb.connect() as connection:
        leaves = connection.execute(f"from ({sql}) order by class_id").fetchall()
    assert [number for number, _, _ in leaves] == list(range(found.classes))
    places = [[*range(residue, len(deck), modulus)] for _, modulus, residue in leaves]
    assert sorted(place for part in places for place in part) == list(range(len(deck)))
    assert [held_of([deck[place] for place in part]) for part in places] == [
        held_of(part) for part in expected
    ]


def test_millions_of_records_are_halved_at_once() -> None:
    sizes = [12_345_678, 3_456_789, 2, 999_999]
    found = Deck(sizes, lambda held: min(held[:2]) > 0).halved(5)
    assert found.classes > 2_000_000
    assert all(sum(kind) >= 5 for kind in found.kinds)
    assert len(found.kinds) < 20


# --- runs ----------------------------------------------------------------------------------------


def run(rows: list[tuple[Any, ...]], t: Any, k: int, **changed: Any) -> Outcome:
    """A release of rows (q, r, s), held against the oracle and against what was promised."""
    distance = changed.get("s", {}).get("distance", "equal")
    sensitive = {"s": {"t": str(t), **changed.pop("s", {})}}
    with database() as connection:
        make_table(connection, "t", {"q": "integer", "r": "varchar", "s": "varchar"}, rows)
        outcome = anonymized(
            connection,
            "t",
            quasi_identifiers=["q", "r"],
            sensitive=sensitive,
            k=k,
            method="sabre",
            **changed,
        )
        tried = json.loads(facts(connection)["search_tried"])
    assert multiset([row[2:] for row in outcome.rows]) == multiset([row[2:] for row in rows])
    groups: dict[int, list[Any]] = {}
    for number, values in zip(outcome.assigned.class_ids, outcome.assigned.values, strict=True):
        groups.setdefault(number, []).append(values[2])
    assert len(groups) == tried[-1]["classes"]
    assert sorted(groups) == list(range(len(groups)))
    assert min(map(len, groups.values())) >= k
    table, classes = [row[2] for row in rows], list(groups.values())
    if distance == "equal":
        found = oracle.emd_equal(classes, table).maximum
    elif distance == "ordered":
        order = [*[None] * (None in table), *"0123456"]
        found = oracle.emd_ordered(classes, table, order).maximum
    else:
        found = oracle.emd_hierarchical(classes, table, CHAINS).maximum
    assert found <= Fraction(tried[-1]["promised_t"]) + Fraction(1, 10**9)
    assert found <= Fraction(str(t))
    return outcome


def declared(distance: str) -> dict[str, Any]:
    if distance == "hierarchical":
        return {"distance": distance, "hierarchy": {"tree": TREE}}
    if distance == "ordered":
        return {"distance": distance, "order": list("0123456")}
    return {}


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[tuple[Any, ...]], Fraction, int]:
    rows = draw(
        st.lists(
            st.tuples(
                st.none() | st.integers(0, 9),
                st.none() | st.sampled_from(["a", "O'Brien", '"q"', "日本", "{{ x }}"]),
                st.none() | st.sampled_from("0123456"),
            ),
            min_size=1,
            max_size=60,
        )
    )
    t = draw(st.fractions(0, 1, max_denominator=12))
    return rows, t, draw(st.integers(1, min(6, len(rows))))


@pytest.mark.slow
@examples(6, 12)
@given(tables(), st.sampled_from(DISTANCES))
def test_any_table_gets_classes_that_hold(
    drawn: tuple[list[tuple[Any, ...]], Fraction, int], distance: str
) -> None:
    """NULLs, ties, records alike in everything, any t, from one class to as many as records."""
    run(*drawn, s=declared(distance))


def people(size: int, seed: int, values: str = "0123456") -> list[tuple[Any, ...]]:
    rng = random.Random(seed)
    return [
        (
            rng.randint(18, 90),
            rng.choice("abcde"),
            rng.choice([*values[:3], *values]) if rng.random() < 0.97 else None,
        )
        for _ in range(size)
    ]


@pytest.mark.parametrize("distance", ["ordered", *slow("equal", "hierarchical")])
def test_every_distance_gets_many_classes(distance: str) -> None:
    outcome = run(people(300, 1), "0.4", 5, s=declared(distance))
    assert outcome.measure("classes") > 10


@pytest.mark.slow
def test_one_value_and_one_class() -> None:
    same = [(1, "a", None)] * 12
    assert len(set(run(same, 0, 3).assigned.class_ids)) == 4
    assert run(people(9, 1), 0, 9).measure("classes") == 1


@pytest.mark.slow
def test_one_record() -> None:
    assert run([(1, "a", "x")], 0, 1).measure("classes") == 1


@pytest.mark.slow
def test_l_and_alpha_are_met_by_larger_classes() -> None:
    """Closeness alone makes more classes than are diverse."""
    rows = people(160, 3, "0123")
    plain = run(rows, "0.5", 3)
    diverse = run(rows, "0.5", 3, s={"l": {"distinct": 4, "entropy": 3}, "alpha": "0.5"})
    assert 1 < diverse.measure("classes") < plain.measure("classes")


def test_what_the_table_itself_does_not_meet_is_refused() -> None:
    with pytest.raises(sqlanon.InfeasibleError, match="distinct_l"):
        run([(i, "a", str(i % 2)) for i in range(20)], "0.5", 2, s={"l": 3})


def test_more_than_there_are_is_infeasible() -> None:
    with pytest.raises(sqlanon.InfeasibleError, match="only 9 records"):
        run(people(9, 1), "0.5", 10)


@pytest.mark.slow
def test_records_of_a_class_are_neighbours() -> None:
    """Each bucket is handed out along the curve: less is lost than by dealing blindly."""
    rows = people(400, 8)
    found = run(rows, "0.4", 5)
    with database() as connection:
        make_table(connection, "t", {"q": "integer", "r": "varchar", "s": "varchar"}, rows)
        size = 400 // found.measure("classes")
        blind = anonymized(
            connection, "t", quasi_identifiers=["q", "r"], sensitive="s", k=int(size)
        )
    assert found.measure("gcp") < 0.8 * blind.measure("gcp")


@pytest.mark.slow
def test_neither_threads_nor_the_order_of_the_source_matter() -> None:
    rows = people(300, 4)
    one, two = (run(rows, "0.3", 5, settings={"threads": n}).rows for n in (1, 2))
    assert one == two == run(rows[::-1], "0.3", 5).rows


@pytest.mark.parametrize("publish", ["anatomy", *slow("permuted")])
def test_groups_hold_as_classes_do(publish: str) -> None:
    with database() as connection:
        types = {"q": "integer", "r": "varchar", "s": "varchar"}
        make_table(connection, "t", types, people(120, 5))
        spec: dict[str, Any] = {
            "k": 1,
            "quasi_identifiers": ["q", "r"],
            "sensitive": {"s": {"t": 0.4}},
            "method": "sabre",
            "publish": {"name": publish, "group": 4},
        }
        made = sqlanon.anonymize("t", connection=connection, release="p", **spec)
        made.engine.close()
        (groups,) = connection.execute("select count(*) from p__classes").fetchall()
        assert groups[0] > 5


@pytest.mark.slow
def test_a_compiled_script_makes_the_same_release() -> None:
    rows = people(60, 2, "0123")
    with database() as connection:
        make_table(connection, "t", {"q": "integer", "r": "varchar", "s": "varchar"}, rows)
        spec: dict[str, Any] = {
            "release": "anonymized",
            "quasi_identifiers": ["q", "r"],
            "sensitive": {"s": {"t": 0.5, "l": 4}},
            "k": 3,
            "method": "sabre",
        }
        made = anonymized(connection, "t", **spec)
        assert len(json.loads(facts(connection)["search_tried"])) > 1
        script = sqlanon.compile("t", connection=connection, **spec)
        connection.execute("drop table anonymized")
        connection.execute(script)
        assert connection.execute("from anonymized").fetchall() == made.rows


@pytest.mark.slow
def test_an_order_with_many_values_goes_by_runs_of_them() -> None:
    rng = random.Random(3)
    rows = [(rng.randint(0, 50), "a", int(rng.paretovariate(1) * 1000)) for _ in range(700)]
    with database() as connection:
        make_table(connection, "t", {"q": "integer", "r": "varchar", "s": "integer"}, rows)
        sensitive = {"s": {"distance": "ordered", "t": "0.15"}}
        outcome = anonymized(
            connection, "t", quasi_identifiers=["q"], sensitive=sensitive, k=5, method="sabre"
        )
        promised = json.loads(facts(connection)["search_tried"])[-1]["promised_t"]
    assert outcome.measure("t_closeness", "s") <= float(Fraction(promised)) <= 0.15
    assert outcome.measure("classes") > 20


@pytest.mark.slow
def test_rare_values_beyond_many_are_one_run() -> None:
    rows = [(i % 37, "a", "common" if i % 3 else f"rare {i}") for i in range(900)]
    assert run(rows, "0.5", 4).measure("classes") > 3


# --- what it refuses -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sensitive", "said"),
    [
        ({}, "sabre works on one sensitive attribute, and none is declared"),
        ({"a": {"t": 0.2}, "b": {"t": 0.2}}, "works on one sensitive attribute, and 2 are"),
        ({"a": {"l": 2}}, "sensitive.a.t"),
    ],
)
def test_it_needs_one_attribute_with_a_t(sensitive: dict[str, Any], said: str) -> None:
    declared: dict[str, Any] = {"quasi_identifiers": ["q"], "k": 2, "method": "sabre"}
    if sensitive:
        declared["sensitive"] = sensitive
    assert said in str(refused(sqlanon.SpecError, "t", **declared))


def test_persons_are_not_counted() -> None:
    error = refused(
        sqlanon.SpecError,
        "t",
        quasi_identifiers=["q"],
        sensitive={"s": {"t": 0.5}},
        person="p",
        k=2,
        method="sabre",
    )
    assert "sabre: it counts records" in str(error)


def test_a_hierarchy_of_too_many_leaves_is_refused() -> None:
    with database() as connection:
        connection.execute("create table t as select i % 7 as q, i as s from range(2500) as n(i)")
        error = refused(
            sqlanon.SpecError,
            "t",
            quasi_identifiers=["q"],
            sensitive={
                "s": {"distance": "hierarchical", "hierarchy": {"bands": [10, 100]}, "t": 0.5}
            },
            connection=connection,
            k=50,
            method="sabre",
        )
    assert "sensitive.s.hierarchy" in str(error)
    assert "more than 2,000 leaves" in str(error)
