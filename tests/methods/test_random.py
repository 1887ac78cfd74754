"""Random partitions, the baseline: drawn by the seed, of the sizes of Stack & Deal."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.random_partition import random_partition
from servers import place
from support import anonymized, database, examples, make_table, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

COLUMNS = {"id": "integer", "age": "integer", "pay": "integer"}
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age"],
    "sensitive": {"pay": {"distance": "ordered"}},
    "insensitive": [],
    "key": ["id"],
    "method": "random",
}
RECORDS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
FREE, COUNTS = st.booleans(), st.sampled_from([None, 1, 2, 3])


def classes_of(records: list[tuple[int, int]], k: int, **declared: Any) -> list[list[Any]]:
    """The classes that a run forms, each with its codes."""
    rows = [(number, *record) for number, record in enumerate(records)]
    with database() as connection:
        make_table(connection, "t", COLUMNS, rows)
        made = anonymized(connection, "t", privacy={"k": k}, **{**ROLES, **declared})
        groups: dict[int, list[Any]] = defaultdict(list)
        for group, values in zip(made.assigned.class_ids, made.assigned.codes, strict=True):
            groups[group].append(tuple(values))
    return sorted(sorted(entry) for entry in groups.values())


def codes(records: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Every value by its place among those of its column, from 1."""
    columns = zip(*records, strict=True)
    places = [{value: at for at, value in enumerate(sorted({*column}), 1)} for column in columns]
    return [(places[0][age], places[1][pay]) for age, pay in records]


@examples(5, 60)
@given(RECORDS, st.integers(1, 6), st.integers(0, 2**31 - 2), FREE, COUNTS)
def test_the_classes_are_the_oracles(
    records: list[tuple[int, int]], k: int, seed: int, free: bool, counts: int | None
) -> None:
    k, coded = min(k, len(records)), codes(records)
    made = [one for one in random_partition(coded, k, seed, free, counts) if one]
    expected = [[coded[place] for place in one] for one in made]
    method: dict[str, Any] = {"name": "random", "sizes": "free" if free else "equal"}
    method |= {} if counts is None else {"counts": counts}
    asked = {"method": method, "seed": seed}
    if min(map(len, made)) < k:
        with pytest.raises(InfeasibleError):
            classes_of(records, k, **asked)
    else:
        assert classes_of(records, k, **asked) == sorted(map(sorted, expected))


@given(RECORDS, st.integers(1, 6), st.integers(0, 99), FREE, st.integers(1, 3))
def test_counts_differ_by_what_is_said(
    records: list[tuple[int, int]], k: int, seed: int, free: bool, counts: int
) -> None:
    k = min(k, len(records))
    classes = random_partition(records, k, seed, free, counts)
    assert sorted(place for one in classes for place in one) == list(range(len(records)))
    for value in {record[-1] for record in records}:
        held = [sum(records[place][-1] == value for place in one) for one in classes]
        assert max(held) - min(held) <= counts
    if not free:
        sizes = list(map(len, classes))
        assert max(sizes) - min(sizes) <= counts
        assert min(sizes) >= k


@given(RECORDS, st.integers(1, 6), st.integers(0, 99))
def test_classes_of_drawn_sizes_have_k_records(
    records: list[tuple[int, int]], k: int, seed: int
) -> None:
    k = min(k, len(records))
    classes = random_partition(records, k, seed, free=True)
    assert len(classes) == max(1, len(records) // (2 * k))
    assert min(map(len, classes)) >= k
    assert sorted(place for one in classes for place in one) == list(range(len(records)))


def test_counts_are_of_sensitive_values() -> None:
    method = {"name": "random", "counts": 2}
    with pytest.raises(SpecError, match=r"method\.counts: no sensitive attribute"):
        classes_of([(1, 1)] * 4, 2, sensitive={}, method=method)


@given(RECORDS, st.integers(1, 6), st.integers(0, 99))
def test_sizes_differ_by_one_at_most(records: list[tuple[int, int]], k: int, seed: int) -> None:
    k = min(k, len(records))
    classes = random_partition(records, k, seed)
    assert len(classes) == len(records) // k
    assert sorted(place for one in classes for place in one) == list(range(len(records)))
    assert max(map(len, classes)) - min(map(len, classes)) <= 1


def test_equal_records_fall_as_chance_has_it() -> None:
    """Four of two kinds in two classes: how many of a kind one class has is hypergeometric."""
    records, draws = [(1, 1)] * 4 + [(1, 2)] * 4, 4000
    found: Counter[int] = Counter()
    for seed in range(draws):
        first, _ = random_partition(records, 4, seed)
        found[sum(place < 4 for place in first)] += 1
    for kind in range(5):
        chance = Fraction(comb(4, kind) ** 2, comb(8, 4))
        deviation = float(chance * (1 - chance) / draws) ** 0.5
        assert abs(found[kind] / draws - chance) < 4 * deviation


@pytest.mark.slow
def test_a_random_partition_is_farther_than_dealing_on_the_papers_salaries() -> None:
    """Gowda (2023), tables 3.2 to 3.4: 250 salaries in five classes, dealt to t = 0.009778."""
    file = Path(__file__).parents[1] / "papers/cases.json"
    (case,) = (
        load
        for load in json.loads(file.read_text(encoding="utf-8"))["cases"]
        if load["id"] == "003-T3.4"
    )
    counts = case["input"]["counts_natural"]
    pays = [pay for pay, count in enumerate(counts, 3) for _ in range(count)]
    rows = [(number, number % 50, pay) for number, pay in enumerate(pays)]
    ordered = {"pay": {"distance": "ordered", "order": "frequency"}}
    reached: dict[str, list[float]] = defaultdict(list)
    with database() as connection:
        make_table(connection, "t", COLUMNS, rows)
        for method, seed in (("stack_and_deal", 1), ("random", 1), ("random", 2), ("random", 3)):
            asked = {"name": method, **({} if method == "random" else {"stack": "frequency"})}
            spec = {**ROLES, "sensitive": ordered, "method": asked, "seed": seed}
            made = anonymized(connection, "t", privacy={"k": 50}, **spec)
            assert Counter(made.assigned.class_ids) == Counter(dict.fromkeys(range(5), 50))
            reached[method].append(made.measure("t_closeness", "pay"))
    assert reached["stack_and_deal"] == [pytest.approx(0.009777778)]
    assert min(reached["random"]) > 0.02
    assert len(set(reached["random"])) == 3


def test_a_model_that_chance_does_not_reach_is_refused() -> None:
    records = [(number % 5, number % 2) for number in range(40)]
    with pytest.raises(InfeasibleError):
        classes_of(records, 4, seed=1, sensitive={"pay": {"distance": "ordered", "t": "0.01"}})


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["postgres", *slow("spark")])
@pytest.mark.parametrize(
    "asked", [{"counts": 2}, {"sizes": "free"}, {"sizes": "free", "counts": 1}], ids=str
)
def test_all_databases_draw_the_same(
    asked: dict[str, Any], engine: str, urls: Mapping[str, str]
) -> None:
    rows = [(number, 20 + number * 7 % 30, number * number % 7) for number in range(60)]
    declared = {**ROLES, "k": 4, "seed": 3, "method": {"name": "random", **asked}}
    released = []
    for name in ("duckdb", engine):
        with place(name, urls) as found:
            found.make_table("t", COLUMNS, rows)
            sqlanon.anonymize("t", connection=found.connection, release="out", **declared)
            released.append(sorted(map(tuple, found.read("out")[1]), key=str))
    assert released[0] == released[1]
