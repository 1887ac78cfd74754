"""Stacks of several attributes: along their principal component, and in clusters.

Against plain Python, and on every engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import oracle.stack_and_deal as oracle
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from servers import place
from support import Connection, database, examples, make_table, ran_to, slow

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.spec import parse_spec

Cell = tuple[int | None, ...]
NAMES = ("a", "b", "c")
ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "k": 3, "seed": 1, "release": "out"}
VALUES = st.sampled_from([None, 0, 1, 2, 5, 9])


def table_of(cells: Sequence[Cell]) -> tuple[dict[str, str], list[tuple[Any, ...]]]:
    names = NAMES[: len(cells[0])]
    columns = {"id": "integer", "age": "integer", **dict.fromkeys(names, "integer")}
    return columns, [(n, 20 + n * 7 % 30, *cell) for n, cell in enumerate(cells)]


def shares_of(cells: Sequence[Cell]) -> list[list[Fraction]]:
    """The place of each value among those of its attribute, NULL first, as a share of the last."""
    found = []
    for values in zip(*cells, strict=True):
        order = sorted({*values}, key=lambda value: (value is not None, value))
        found.append([Fraction(order.index(value), max(1, len(order) - 1)) for value in values])
    return found


def component(columns: list[list[Fraction]]) -> tuple[list[float], float]:
    """The first eigenvector of the covariances, and the second greatest eigenvalue by the first."""
    n, first = len(columns[0]), [sum(column) / len(column) for column in columns]
    matrix = [
        [
            float(sum((x - mx) * (y - my) for x, y in zip(column, other, strict=True)) / n)
            for other, my in zip(columns, first, strict=True)
        ]
        for column, mx in zip(columns, first, strict=True)
    ]
    values: list[float] = []
    vectors: list[list[float]] = []
    for start in ([1.0, 0.37, -0.61], [0.2, -1.0, 0.7]):
        vector, value = start[: len(columns)], 0.0
        for _ in range(3000):
            for known in vectors:  # what is left is orthogonal to those before
                along = sum(x * y for x, y in zip(vector, known, strict=True))
                vector = [x - along * y for x, y in zip(vector, known, strict=True)]
            vector = [sum(x * y for x, y in zip(row, vector, strict=True)) for row in matrix]
            value = sum(x * x for x in vector) ** 0.5
            if value < 1e-12:
                break
            vector = [x / value for x in vector]
        values.append(value)
        vectors.append(vector)
    return vectors[0], values[1] / values[0] if values[0] > 1e-12 else 1.0


def stack_of(
    connection: Connection,
    cells: Sequence[Cell],
    stack: str = "component",
    unordered: Sequence[int] = (),
) -> list[Cell]:
    """The combinations of values in the order of the stack, by the run's own steps."""
    columns, rows = table_of(cells)
    make_table(connection, "t", columns, rows)
    names = NAMES[: len(cells[0])]
    method = {"name": "stack_and_deal", "stack": stack}
    sensitive = {
        name: {"distance": "equal" if axis in unordered else "ordered"}
        for axis, name in enumerate(names)
    }
    asked = {"quasi_identifiers": ["age"], "sensitive": sensitive, "privacy": {"k": 2}, "seed": 1}
    with ran_to(connection, "sqlanon_stack", "t", method=method, **asked):
        joins = " ".join(
            f"join sqlanon_domain_s{n} d{n} on stack.s{n} = d{n}.code"
            for n in range(1, len(names) + 1)
        )
        values = ", ".join(f"d{n}.value" for n in range(1, len(names) + 1))
        found = connection.execute(
            f"select frequency, {values} from sqlanon_stack stack {joins} order by block"
        ).fetchall()
        starts = connection.execute("select start from sqlanon_stack order by block").fetchall()
    assert Counter({tuple(one[1:]): one[0] for one in found}) == Counter(cells)
    sums = [sum(one[0] for one in found[:number]) for number in range(len(found))]
    assert [start for (start,) in starts] == sums
    return [tuple(one[1:]) for one in found]


@examples(4, 40)
@given(
    cells=st.integers(2, 3).flatmap(
        lambda width: st.lists(st.tuples(*[VALUES] * width), min_size=4, max_size=20)
    )
)
def test_the_stack_rises_along_the_component(cells: list[Cell]) -> None:
    """Up to the sign, and to what is rounded to thousandths."""
    direction, ratio = component(shares_of(cells))
    assume(ratio < 0.8)
    with database() as connection:
        order = stack_of(connection, cells)
    columns = shares_of(cells)
    score = {
        cell: sum(float(x) * w for x, w in zip(shares, direction, strict=True))
        for cell, shares in zip(cells, zip(*columns, strict=True), strict=True)
    }
    scores = [score[cell] for cell in order]
    rising = max((one - other for one, other in pairwise(scores)), default=0)
    falling = max((other - one for one, other in pairwise(scores)), default=0)
    assert min(rising, falling) < 0.02


def places_of(cells: Sequence[Cell]) -> list[tuple[int, ...]]:
    """The places of the values of each record among those of their attributes, NULL first."""
    orders = [
        sorted({*values}, key=lambda value: (value is not None, value))
        for values in zip(*cells, strict=True)
    ]
    return [
        tuple(order.index(one) for order, one in zip(orders, cell, strict=True)) for cell in cells
    ]


@examples(4, 40)
@given(
    cells=st.integers(2, 3).flatmap(
        lambda width: st.lists(st.tuples(*[VALUES] * width), min_size=2, max_size=20)
    ),
    unordered=st.sets(st.integers(0, 2)),
)
def test_the_stack_has_the_clusters_of_the_oracle(cells: list[Cell], unordered: set[int]) -> None:
    places = places_of(cells)
    cell_at = dict(zip(places, cells, strict=True))
    with database() as connection:
        order = stack_of(connection, cells, "clusters", sorted(unordered))
    clusters = oracle.cluster_order(Counter(places), sorted(unordered))
    assert order == [cell_at[one] for cluster in clusters for one in cluster]


@given(
    cells=st.lists(st.tuples(*[st.integers(0, 5)] * 2), min_size=1, max_size=40),
    unordered=st.sets(st.integers(0, 1)),
    k=st.integers(1, 6),
)
def test_every_class_takes_its_share_of_every_cluster(
    cells: list[tuple[int, ...]], unordered: set[int], k: int
) -> None:
    """Whatever the clusters are: they are stretches of the stack."""
    counts, k = Counter(cells), min(k, len(cells))
    e = len(cells) // k
    for halvings in (1, 2, 3):
        clusters = oracle.cluster_order(counts, sorted(unordered), halvings)
        stack = [one for cluster in clusters for one in cluster for _ in range(counts[one])]
        classes = oracle.class_members(stack, oracle.deal(stack, k))
        for cluster in clusters:
            records = sum(counts[one] for one in cluster)
            for members in classes:
                held = len([one for one in members if one in cluster])
                assert records // e <= held <= -(-records // e)


def test_clusters_worked_by_hand() -> None:
    """The middle of all is (53/12, 53/12), from which (0, 0) is farthest; the second is (9, 8)."""
    counts: Counter[tuple[int, ...]] = Counter([(0, 0), (0, 1), (1, 0)] * 2 + [(9, 8), (8, 9)] * 3)
    assert oracle.cluster_order(counts, halvings=1) == [
        [(0, 0), (0, 1), (1, 0)],
        [(8, 9), (9, 8)],
    ]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        # Opposite values: the sum of both is the same for all, and tells nothing apart.
        ([(n, 9 - n) for n in range(10)], [(n, 9 - n) for n in range(10)]),
        # One attribute of one value, and one combination.
        ([(1, n) for n in (3, 1, 2, 1)], [(1, 1), (1, 2), (1, 3)]),
        ([(1, None)] * 4, [(1, None)]),
        # The attribute of the greatest variance has no part in it: the two others go together.
        (
            [(a, b, b) for a in (0, 1) for b in (0, 1)],
            [(0, 0, 0), (1, 0, 0), (0, 1, 1), (1, 1, 1)],
        ),
    ],
)
def test_stacks_worked_by_hand(cells: list[Cell], expected: list[Cell]) -> None:
    with database() as connection:
        found = stack_of(connection, cells)
    assert found in (expected, expected[::-1])


def test_classes_are_of_equal_counts_and_near_each_other() -> None:
    """Dealing from such a stack is dealing: every block is spread evenly."""
    cells: list[Cell] = [(n % 4, 3 - n % 4 + n % 2) for n in range(26)]
    columns, rows = table_of(cells)
    with database() as connection:
        make_table(connection, "t", columns, rows)
        method = {"name": "stack_and_deal", "stack": "component", "locality": "curve"}
        made = sqlanon.anonymize(
            "t", connection=connection, sensitive=["a", "b"], method=method, **ROLES
        )
        assert made.measure("classes") == 8
        found = connection.execute("select age, a, b from out").fetchall()
        assert Counter((a, b) for _, a, b in found) == Counter(cells)
        made.close()


@pytest.mark.parametrize(
    ("sensitive", "said"),
    [
        ({"a": {}}, "of several sensitive attributes: say value"),
        ({"a": {}, "b": {"distance": "equal"}}, "this distance is equal"),
    ],
)
def test_without_orders_there_is_no_component(sensitive: Mapping[str, Any], said: str) -> None:
    fields = {**ROLES, "source": {"table": "t"}, "privacy": {"k": 3}, "sensitive": sensitive}
    fields.pop("k")
    with pytest.raises(SpecError, match=said):
        parse_spec({**fields, "method": {"name": "stack_and_deal", "stack": "component"}})


def test_clusters_are_of_several() -> None:
    fields = {**ROLES, "source": {"table": "t"}, "privacy": {"k": 3}, "sensitive": ["a"]}
    fields.pop("k")
    with pytest.raises(SpecError, match="clusters are of several sensitive attributes: say value"):
        parse_spec({**fields, "method": {"name": "stack_and_deal", "stack": "clusters"}})


def test_a_text_without_an_order_is_refused_once_types_are_known() -> None:
    with database() as connection:
        connection.execute(
            "create table t as select 20 + i as age, i as a, 'x' as b from range(9) r(i)"
        )
        method = {"name": "stack_and_deal", "stack": "component"}
        with pytest.raises(SpecError, match="needs an order of the values"):
            sqlanon.anonymize(
                "t", connection=connection, sensitive=["a", "b"], method=method, **ROLES
            )


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["postgres", *slow("spark")])
@pytest.mark.parametrize("stack", ["component", "clusters"])
def test_the_same_release_elsewhere(stack: str, engine: str, urls: Mapping[str, str]) -> None:
    columns, rows = table_of([(n % 5, n * n % 7, 5 - n % 5 + n % 3) for n in range(60)])
    declared = {
        **ROLES,
        "sensitive": [*NAMES],
        "key": "id",
        "method": {"name": "stack_and_deal", "stack": stack, "locality": "curve"},
    }
    released = []
    for name in ("duckdb", engine):
        with place(name, urls) as found:
            found.make_table("t", columns, rows)
            sqlanon.anonymize("t", connection=found.connection, **declared)
            names, there = found.read("out")
            released.append((names, sorted(map(tuple, there), key=str)))
    assert released[0] == released[1]
