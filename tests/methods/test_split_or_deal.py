"""Carve, then Split-or-Deal: every class of every search meets every model, by the oracle."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from large import as_large
from oracle import (
    k_anonymity,
)
from searched import Quasi, Searched, Sensitive, Table, meets, searched
from support import examples, slow

from sqlanon.methods.cut.effort import EFFORTS, MANY_CELLS, EffortName
from sqlanon.methods.cut.scales import LossScale, Start
from sqlanon.methods.cut.split_or_deal.carving.carver import (
    FIRST_TURNS,
    Carver,
    first_turns,
    in_turns,
)
from sqlanon.methods.cut.split_or_deal.carving.plan import MOST_NODES, Level, keys, plan_nodes
from sqlanon.methods.cut.split_or_deal.tree import Tree
from sqlanon.sql.names import Relation, Sql

THRESHOLDS = [Fraction(share) for share in ("0", "0.05", "0.1", "0.2", "0.3", "0.5", "1/3")]


def check(table: Table, k: int, found: Searched) -> None:
    """What must hold of whatever a search finds."""
    assert not found.left_behind
    taken: Counter[int] = Counter()
    for cell, _, records in found.parts:
        assert records > 0
        taken[cell] += records
    assert taken == found.sizes, "records are lost or made up"
    assert len({(cell, label) for cell, label, _ in found.parts}) == len(found.parts)
    labels = {label for _, label, _ in found.parts}
    assert labels == set(range(len(labels))), "classes are numbered with gaps"
    assert k_anonymity(found.classes).minimum >= k
    for number, attribute in enumerate(table.sensitive, len(table.quasi)):
        classes = [[record[number] for record in members] for members in found.classes]
        assert meets(attribute, classes, [record[number] for record in table.records]), attribute


@st.composite
def tables(draw: st.DrawFn, attributes: st.SearchStrategy[list[Sensitive]] | None = None) -> Table:
    """Tables with few and many equal records, and models that the table as a whole meets."""
    quasi = tuple(draw(st.lists(quasi_identifiers(), min_size=1, max_size=4)))
    if attributes is None:
        attributes = st.lists(sensitive_attributes(), max_size=3)
    kinds = draw(attributes)
    size = draw(st.sampled_from([5, 12, 40, 150, 400]))
    chance = random.Random(draw(st.integers(0, 2**32)))
    nulls = draw(st.booleans())
    alike = draw(st.sampled_from([False, False, False, True]))

    def record() -> tuple[int, ...]:
        hidden = [chance.randint(0 if nulls else 1, column.codes) for column in quasi]
        shown = [
            1 + int(chance.random() ** 2 * kind.codes)
            if chance.random() < 0.6
            else 1 + hidden[0] % kind.codes
            for kind in kinds
        ]
        if nulls and shown and chance.random() < 0.1:
            shown[0] = 0
        return (*hidden, *shown)

    first = record()
    records = tuple(first if alike else record() for _ in range(size))
    return Table(quasi, tuple(map(reachable(records, len(quasi)), enumerate(kinds))), records)


def reachable(records: tuple[tuple[int, ...], ...], before: int):  # type: ignore[no-untyped-def]
    """Asks of an attribute only what the table as one class meets."""

    def of(numbered: tuple[int, Sensitive]) -> Sensitive:
        place, one = numbered
        values = [record[before + place] for record in records]
        asked = {
            name: getattr(one, name)
            for name in ("t", "alpha", "distinct", "entropy", "recursive")
            if meets(
                Sensitive(
                    one.codes,
                    distance=one.distance,
                    height=one.height,
                    **{name: getattr(one, name)},
                ),
                [values],
                values,
            )
        }
        return Sensitive(one.codes, distance=one.distance, height=one.height, **asked)

    return of


@st.composite
def quasi_identifiers(draw: st.DrawFn) -> Quasi:
    publish = draw(st.sampled_from(["interval", "lca", "set"]))
    height = draw(st.integers(1, 3))
    if publish == "interval" or (publish == "set" and draw(st.booleans())):
        return Quasi(publish, draw(st.sampled_from([1, 2, 9, 30])), None, draw(st.integers(1, 2)))
    return Quasi(publish, draw(st.sampled_from([1, 2, 9, 30])), height, draw(st.integers(1, 2)))


def maybe(strategy: st.SearchStrategy[Fraction | int | tuple[Fraction, int]]):  # type: ignore[no-untyped-def]
    """Often nothing."""
    return st.one_of(st.none(), st.none(), strategy)


@st.composite
def sensitive_attributes(draw: st.DrawFn) -> Sensitive:
    distance = draw(st.sampled_from(["equal", "equal", "ordered", "hierarchical"]))
    return Sensitive(
        draw(st.sampled_from([1, 2, 3, 8])),
        draw(st.one_of(st.none(), *map(st.just, THRESHOLDS))),
        distance,
        draw(maybe(st.just(Fraction(9, 10)))),
        draw(maybe(st.just(2))),
        draw(maybe(st.sampled_from([Fraction(3, 2), Fraction(2)]))),
        draw(maybe(st.just((Fraction(3), 2)))),
        2 if distance == "hierarchical" else 0,
    )


@examples(1, 16)
@given(
    tables(),
    st.sampled_from([1, 2, 3, 5]),
    st.sampled_from([None, None, 3]),
    st.sampled_from([1, 2]),
    st.sampled_from(["ncp", "ncp", "queries"]),
    st.booleans(),
)
def test_every_class_meets_every_model(
    table: Table, k: int, regions: int | None, threads: int, objective: str, large: bool
) -> None:
    with as_large() if large else nullcontext():
        found = searched(table, k, threads, refine=1, regions=regions, objective=objective)
    check(table, k, found)


@st.composite
def carved_attributes(draw: st.DrawFn) -> Sensitive:
    """A t, and often diversity beside it; or diversity alone."""
    levels = draw(st.sampled_from([0, 0, 0, 2]))
    flat = draw(st.sampled_from(["equal", "ordered", "ordered"]))
    return Sensitive(
        draw(st.sampled_from([2, 3, 8])),
        draw(st.sampled_from([None, *THRESHOLDS[2:]])),
        "hierarchical" if levels else flat,
        height=levels,
        alpha=draw(maybe(st.sampled_from([Fraction(1, 2), Fraction(7, 10), Fraction(9, 10)]))),
        distinct=draw(st.sampled_from([None, 2, 3])),
        entropy=draw(maybe(st.sampled_from([Fraction(3, 2), Fraction(2)]))),
        recursive=draw(maybe(st.sampled_from([(Fraction(3), 2), (Fraction(1), 3)]))),
    )


@examples(2, 8)
@given(
    tables(st.lists(carved_attributes(), min_size=1, max_size=3)),
    st.sampled_from([2, 3, 5]),
    st.sampled_from([None, None, 3]),
)
def test_every_class_carved_by_some_attributes_meets_every_model(
    table: Table, k: int, regions: int | None
) -> None:
    check(table, k, searched(table, k, refine=1, regions=regions))


# --- what one table shows -------------------------------------------------------------------------


def spread(records: int, sensitive: tuple[Sensitive, ...], seed: int = 1) -> Table:
    """Records at random, the first sensitive value leaning on the first quasi-identifier."""
    chance = random.Random(seed)
    quasi = (Quasi("interval", 40), Quasi("lca", 9, 2), Quasi("set", 4, 1))
    rows = []
    for _ in range(records):
        hidden = [chance.randint(1, column.codes) for column in quasi]
        shown = [
            1 + (hidden[0] + chance.randint(0, 2 * attribute.codes)) % attribute.codes
            for attribute in sensitive
        ]
        rows.append((*hidden, *shown))
    return Table(quasi, sensitive, tuple(rows))


@pytest.mark.further
@pytest.mark.slow
def test_a_release_is_the_same_on_any_number_of_threads() -> None:
    """20,000 records in some 5,000 cells."""
    table = spread(20_000, (Sensitive(4, t=Fraction(3, 20)),))
    one, eight = (searched(table, 60, threads, refine=1).parts for threads in (1, 8))
    assert one == eight


@pytest.mark.further
@pytest.mark.slow
def test_the_seed_changes_which_records_are_carved_together() -> None:
    table = spread(100, (Sensitive(5, t=Fraction(1, 10)),))
    first, other = (searched(table, 3, refine=0, seed=seed).parts for seed in (1, 2))
    assert first != other


def test_fewer_than_two_k_records_are_one_class() -> None:
    table = spread(9, (Sensitive(3, t=Fraction(1, 2)),))
    found = searched(table, 5)
    check(table, 5, found)
    assert len(found.classes) == 1


@pytest.mark.further
@pytest.mark.slow
def test_a_single_sensitive_value_does_not_bind() -> None:
    records = tuple((*row[:3], 1) for row in spread(60, (Sensitive(1),)).records)
    quasi = spread(1, ()).quasi
    bound, free = (
        searched(Table(quasi, (Sensitive(1, t=t),), records), 3, refine=0)
        for t in (Fraction(0), None)
    )
    check(Table(quasi, (Sensitive(1, t=Fraction(0)),), records), 3, bound)
    assert len(bound.classes) > 5
    assert len(free.classes) > 5


def test_equal_records_lose_nothing() -> None:
    table = Table((Quasi("interval", 9), Quasi("lca", 4, 1)), (), ((3, 2),) * 20)
    found = searched(table, 3)
    check(table, 3, found)
    assert set(json.loads(found.notes["search_tried"]).values()) == {0.0}


@pytest.mark.slow
def test_records_of_which_no_two_are_alike() -> None:
    values = [(at, 1 + at % 9, 1 + at % 3) for at in range(1, 41)]
    table = Table(
        (Quasi("interval", 40), Quasi("lca", 9, 2)),
        (Sensitive(3, t=Fraction(1, 5)),),
        tuple(values),
    )
    found = searched(table, 4)
    check(table, 4, found)
    assert len(found.classes) > 2


def test_a_null_is_a_value_that_lies_nowhere() -> None:
    """Five records without an age are a class of their own: among others they cost the most."""
    table = Table((Quasi("interval", 40),), (), tuple([(0,)] * 5 + [(at,) for at in range(1, 21)]))
    found = searched(table, 5)
    check(table, 5, found)
    assert [(0,)] * 5 in found.classes


@pytest.mark.slow
def test_several_attributes_each_by_its_own_distance() -> None:
    table = spread(
        250,
        (
            Sensitive(5, t=Fraction(3, 10), distinct=2),
            Sensitive(6, t=Fraction(1, 5), distance="ordered", alpha=Fraction(3, 4)),
            Sensitive(
                8,
                t=Fraction(3, 10),
                distance="hierarchical",
                entropy=Fraction(2),
                recursive=(Fraction(3), 2),
                height=3,
            ),
        ),
    )
    found = searched(table, 3)
    check(table, 3, found)
    assert len(found.classes) > 5


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        *slow(
            Sensitive(6, t=Fraction(3, 10), distinct=3),
            Sensitive(6, t=Fraction(3, 10), alpha=Fraction(2, 5)),
            Sensitive(6, t=Fraction(3, 10), entropy=Fraction(3)),
            Sensitive(6, t=Fraction(3, 10), recursive=(Fraction(1), 2)),
        ),
        Sensitive(
            6,
            t=Fraction(3, 10),
            alpha=Fraction(1, 2),
            distinct=3,
            entropy=Fraction(3),
            recursive=(Fraction(2), 3),
        ),
        *slow(
            Sensitive(6, distinct=3),
            Sensitive(6, t=Fraction(3, 10), distance="hierarchical", height=2),
            Sensitive(6, t=Fraction(3, 10), distance="hierarchical", height=2, distinct=3),
        ),
    ],
    ids=str,
)
def test_carving_sees_to_every_model(asked: Sensitive, monkeypatch: pytest.MonkeyPatch) -> None:
    carved_alone((asked,), monkeypatch)


T = Fraction(3, 10)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        (Sensitive(9, t=T, distance="ordered"), Sensitive(4, t=T)),
        *slow(
            (Sensitive(9, t=Fraction(1, 10), distance="ordered"),),
            (Sensitive(9, t=Fraction(1, 5), distance="ordered", alpha=Fraction(1, 2), distinct=3),),
            (Sensitive(4, t=T), Sensitive(3, t=T)),
            (Sensitive(4, distinct=2), Sensitive(9, t=Fraction(1, 10), distance="ordered")),
            (
                Sensitive(9, t=T, distance="ordered", recursive=(Fraction(2), 2)),
                Sensitive(5, t=T, entropy=Fraction(2)),
                Sensitive(6, t=T, distance="hierarchical", height=2),
            ),
        ),
    ],
    ids=str,
)
def test_carving_sees_to_every_attribute(
    asked: tuple[Sensitive, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    carved_alone(asked, monkeypatch)


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize("places", [2, *slow(5)])
def test_what_is_left_over_is_tested_value_by_value(
    places: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few runs of many values: while classes are sought, distances are rough."""
    monkeypatch.setattr("sqlanon.methods.cut.split_or_deal.carving.plan.PLACES", places)
    carved_alone((Sensitive(40, t=Fraction(1, 5), distance="ordered"),), monkeypatch)


@pytest.mark.parametrize("effort", ["quick", *slow("normal")])
def test_where_what_is_left_over_is_no_class_the_tree_cuts_the_table(
    effort: EffortName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Carver, "carve", lambda *_: (None, True))
    asked = (Sensitive(9, t=Fraction(1, 5), distance="ordered"),)
    table = spread(200, asked)
    found = searched(table, 3, refine=0, effort=effort)
    check(table, 3, found)
    assert found.notes["search_chosen"] == "cut alone"


def carved_alone(asked: tuple[Sensitive, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The classes as carved, and the remainder: the tree is kept from cutting any."""
    cut = Tree.cut

    def uncut(self: Tree, start: Start, output: str, **_: int | None) -> Relation:
        return cut(self, start, output, k=10**6)

    monkeypatch.setattr(Tree, "cut", uncut)
    monkeypatch.setattr("sqlanon.methods.cut.split_or_deal.attempts.SMALL_TABLE", 0)
    table = spread(400, asked)
    found = searched(table, 3, refine=0)
    check(table, 3, found)
    assert found.notes["search_chosen"].startswith("carved")
    assert len(found.classes) > 5


def test_what_no_cut_can_meet_leaves_one_class() -> None:
    table = spread(80, (Sensitive(4, alpha=Fraction(1, 100)),))
    assert len(searched(table, 3).classes) == 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize("k", [3, 7, 20])
def test_dealt_cuts_alone_keep_the_bounds_of_stack_and_deal(k: int) -> None:
    """Split-or-Deal §5: of every value floor or ceiling of (its records / classes), and of all."""
    table = spread(301, (Sensitive(6), Sensitive(3)))
    found = searched(table, k, dealt_only=True)
    classes = len(table.records) // k
    assert len(found.classes) == classes
    check(table, k, found)
    for members in found.classes:
        assert math.floor(301 / classes) <= len(members) <= math.ceil(301 / classes)
        held = Counter(record[3:] for record in members)
        for values, records in Counter(record[3:] for record in table.records).items():
            assert records // classes <= held[values] <= -(-records // classes)


@pytest.mark.further
@pytest.mark.slow
def test_the_notes_say_what_was_tried_and_what_won() -> None:
    notes = searched(spread(120, (Sensitive(5, t=Fraction(1, 5)),)), 3).notes
    tried = json.loads(notes["search_tried"])
    losses = {name: loss for name, loss in tried.items() if loss is not None}
    assert notes["search_chosen"] == min(losses, key=lambda name: losses[name])
    assert all(0 < loss < 1 for loss in losses.values())
    refined = json.loads(notes["search_refined"])
    assert losses[notes["search_chosen"]] >= refined[0] >= refined[-1]


def loss(table: Table, found: Searched) -> Fraction:
    """The share of the domains that the classes of a table without NULL publish, by records."""
    total = Fraction(0)
    for members in found.classes:
        for index, column in enumerate(table.quasi):
            shown = sorted({record[index] for record in members})
            domain = sorted({record[index] for record in table.records})
            if column.publish == "set":
                share = Fraction(len(shown) - 1, column.codes)  # NULL is a value, too
            elif column.height is not None:
                level = next(
                    level
                    for level in range(column.height + 1)
                    if len({column.node(code, level) for code in shown}) == 1
                )
                node = column.node(shown[0], level)
                leaves = sum(column.node(code, level) == node for code in range(column.codes + 1))
                share = Fraction(leaves - 1, column.codes)
            else:  # the place of a code on the axis is its square
                whole = domain[-1] ** 2 - domain[0] ** 2
                share = Fraction(shown[-1] ** 2 - shown[0] ** 2, whole)
            total += share * len(members)
    return total / len(table.records) / len(table.quasi)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    "asked",
    [
        (Sensitive(4, distance="ordered", t=Fraction(1, 10)), Sensitive(2, distinct=2)),
        (Sensitive(3, t=Fraction(1, 5)),),
        (),
    ],
)
def test_classes_exchange_records_of_equal_values_and_lose_less(
    monkeypatch: pytest.MonkeyPatch, asked: tuple[Sensitive, ...]
) -> None:
    table = spread(240, asked)

    def known(found: Searched) -> list[tuple[int, list[tuple[tuple[int, ...], int]]]]:
        """Of every class its size, and how many records it has of every sensitive value."""
        classes = [Counter(record[len(table.quasi) :] for record in one) for one in found.classes]
        return sorted((one.total(), sorted(one.items())) for one in classes)

    with_exchanges = searched(table, 5, effort="best")
    check(table, 5, with_exchanges)
    without = replace(EFFORTS["best"], exchanges=0)
    monkeypatch.setitem(EFFORTS, "best", without)
    before = searched(table, 5, effort="best")
    assert known(with_exchanges) == known(before)
    assert before.notes["search_exchanged"] == "[]"
    losses = json.loads(with_exchanges.notes["search_exchanged"])
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == pytest.approx(float(loss(table, with_exchanges)), abs=1e-6)
    assert losses[-1] < loss(table, before)


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize(("effort", "asked"), [("normal", None), ("normal", 6), ("best", None)])
def test_few_carved_classes_are_refined_once_unless_more_is_asked(
    effort: EffortName, asked: int | None
) -> None:
    table = spread(120, (Sensitive(5, t=Fraction(1, 3), distance="ordered"),))
    found = searched(table, 3, refine=asked, effort=effort)
    assert found.notes["search_chosen"].startswith("carved")
    passes = len(json.loads(found.notes["search_refined"]))
    assert (passes == 1) == (effort == "normal" and asked is None)


@pytest.mark.parametrize(
    ("nodes", "first", "sizes"),
    [(10, 1, [2, 4, 4]), (9, 2, [2, 2, 4, 1]), (5, None, [2, 2, 1]), (2, 1, [2])],
)
def test_later_turns_go_along_twice_as_many_nodes(
    nodes: int, first: int | None, sizes: list[int]
) -> None:
    turns = [turn for turn, _ in in_turns(nodes, 2, first)]
    assert [turns.count(turn) for turn in sorted(set(turns))] == sizes


@pytest.mark.parametrize(
    ("close", "simple", "records", "nodes", "first"),
    [
        *((True, False, 5_999, 84, 7), (True, False, 5_999, 6, 1)),  # of 28 turns and of 2
        (True, False, 6_000, 84, None),  # there can be many classes
        *((True, True, 6_000, 84, FIRST_TURNS), (False, False, 5_999, 84, None)),
    ],
)
def test_turns_widen_after_the_first_ones(
    close: bool, simple: bool, records: int, nodes: int, first: int | None
) -> None:
    carving = Mock(close=close, simple=simple, size=12, nodes=range(nodes))
    assert first_turns(carving, records, 3) == first


@pytest.mark.further
@pytest.mark.parametrize("distance", slow("equal", "ordered"))
def test_every_effort_keeps_what_is_asked_and_more_of_it_loses_no_more(distance: str) -> None:
    table = spread(90, (Sensitive(5, t=Fraction(2, 5), distance=distance),))
    lost = {}
    for effort in EFFORTS:
        found = searched(table, 3, effort=effort, refine=1)
        check(table, 3, found)
        tried = json.loads(found.notes["search_tried"])
        lost[effort] = min(loss for loss in tried.values() if loss is not None)
    assert lost["best"] <= lost["normal"] <= lost["quick"]


LOOPED: list[tuple[Sensitive, ...]] = [
    (Sensitive(4, t=Fraction(1, 4)),),
    (),
    (Sensitive(30, t=Fraction(1, 4), distance="ordered"), Sensitive(3, alpha=Fraction(4, 5))),
    (Sensitive(5, t=Fraction(1, 4), distance="ordered"), Sensitive(4, t=Fraction(1, 3))),
    (Sensitive(5, recursive=(Fraction(2), 2)),),
]


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "dealt_only"),
    [*((asked, False) for asked in LOOPED), (LOOPED[0], True), (LOOPED[2], True)],
    ids=str,
)
def test_loops_find_the_same_in_one_query_and_turn_by_turn(
    asked: tuple[Sensitive, ...], dealt_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As small tables are searched, and as large ones are."""
    table, found = spread(60, asked), []
    for few_cells in (0, 10**6):
        monkeypatch.setattr("sqlanon.methods.workspace.FEW_CELLS", few_cells)
        found.append(searched(table, 3, dealt_only=dealt_only, refine=1))
        if not dealt_only:  # which sees to k alone
            check(table, 3, found[-1])
        assert not found[-1].left_behind
    turns, at_once = found
    assert turns.notes == at_once.notes
    assert sorted(map(sorted, turns.classes)) == sorted(map(sorted, at_once.classes))
    assert at_once.steps < turns.steps


@pytest.mark.further
@pytest.mark.slow
def test_a_way_that_is_not_going_to_win_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it had come to is noted; what wins is the same."""
    table, tried = spread(400, (Sensitive(4, t=Fraction(1, 20)),)), []
    for few_cells in (10**6, 0):
        monkeypatch.setattr("sqlanon.methods.cut.split_or_deal.attempts.SMALL_TABLE", few_cells)
        found = searched(table, 3, refine=0)
        check(table, 3, found)
        tried.append((found.notes["search_chosen"], json.loads(found.notes["search_tried"])))
    (won, to_its_end), (chosen, given_up) = tried
    assert won == chosen
    assert won.startswith("carved")
    assert given_up["cut alone"] > to_its_end["cut alone"] > given_up[won] == to_its_end[won]


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize("t", ["1/10", "1/4"])
def test_of_many_cells_the_first_cuts_are_simple(t: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are others, and the classes lose about as much."""
    table, cut = spread(400, (Sensitive(4, t=Fraction(t)),)), []
    for many_cells in (MANY_CELLS, 0):
        monkeypatch.setattr("sqlanon.methods.cut.split_or_deal.attempts.MANY_CELLS", many_cells)
        found = searched(table, 3, refine=0)
        check(table, 3, found)
        cut.append(json.loads(found.notes["search_tried"])["cut alone"])
    plain, simple = cut
    assert simple != plain
    assert simple < plain * 1.1


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize("probed", [2, *slow(50)])
def test_a_part_of_the_pools_is_refined_first(probed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe of every second pool, or of the first alone: the classes hold whatever it finds."""
    table = spread(200, ())
    monkeypatch.setattr("sqlanon.methods.cut.split_or_deal.tree.FEW_POOLS", 1)
    monkeypatch.setattr("sqlanon.methods.cut.split_or_deal.tree.PROBED", probed)
    found = searched(table, 3, refine=1)
    check(table, 3, found)
    before = json.loads(found.notes["search_tried"])[found.notes["search_chosen"]]
    (after,) = json.loads(found.notes["search_refined"])
    assert after <= before


@pytest.mark.further
@pytest.mark.slow
def test_weights_turn_the_cuts() -> None:
    """A quasi-identifier that weighs much is kept precise at the cost of the other."""
    records = spread(200, ()).records

    def distinct(first: int, second: int) -> tuple[float, float]:
        quasi = (Quasi("interval", 40, weight=first), Quasi("lca", 9, 2, weight=second))
        found = searched(Table(quasi, (), tuple(row[:2] for row in records)), 5)
        spans = [
            [len({row[place] for row in members}) for members in found.classes] for place in (0, 1)
        ]
        return sum(spans[0]) / len(spans[0]), sum(spans[1]) / len(spans[1])

    precise, coarse = distinct(50, 1), distinct(1, 50)
    assert precise[0] < coarse[0]
    assert precise[1] > coarse[1]


# --- the lattice ----------------------------------------------------------------------------------


def scale(place: int, codes: int, levels: int) -> LossScale:
    relation = Relation(f"scale_q{place}")
    return LossScale(Sql(f"q{place}"), False, True, 10**8, codes, levels, relation)


def levels(count: int, codes: int) -> list[Level]:
    return [
        Level(level, max(1, codes // 4**level), 100 * level, float(count - 1 - level))
        for level in range(count)
    ]


def test_nodes_go_from_fine_to_coarse_and_end_at_the_root() -> None:
    nodes, lattice = plan_nodes([levels(3, 16), levels(2, 4)], 400)
    assert lattice == 6
    assert (nodes[0], nodes[-1]) == ((0, 0), (2, 1))


def test_a_lattice_too_large_to_enumerate_is_thinned() -> None:
    many = [levels(5, 256)] * 12 + [levels(2, 3)] * 10
    nodes, lattice = plan_nodes(many, 50)
    assert 50 < lattice <= MOST_NODES
    assert len(nodes) <= 50
    assert nodes[-1] == (4,) * 12 + (1,) * 10


def test_keys_tell_groups_apart_in_the_order_of_the_quasi_identifiers() -> None:
    (key,) = keys([scale(1, 9, 3), scale(2, 4, 2)])
    assert [(part.alias, part.factor) for part in key] == [("q1", 5), ("q2", 1)]


def test_keys_fit_whole_numbers() -> None:
    packed = keys([scale(place, 10**9, 2) for place in range(1, 6)])
    assert [[part.alias for part in key] for key in packed] == [["q1"], ["q2", "q3"], ["q4", "q5"]]
    for key in packed:
        assert sum(10**9 * part.factor for part in key) < 2**63
