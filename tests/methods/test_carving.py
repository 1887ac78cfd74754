"""The largest class of a group: against every part that the group has."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searched import Sensitive, as_constraint, meets
from support import database, examples, make_table, select

from sqlanon.engines import DuckDBEngine
from sqlanon.methods.cut.constraints import make_cut_constraints
from sqlanon.methods.cut.split_or_deal.carving.carver import UNIT, Band, largest_classes, still_open
from sqlanon.methods.cut.split_or_deal.carving.plan import CarveTest, carved_size, make_combinations
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import work
from sqlanon.session import Session
from sqlanon.sql.names import Relation

Codes = tuple[int, ...]
Group = Counter[Codes]


def largest(sensitive: tuple[Sensitive, ...], groups: Sequence[Group], k: int) -> list[Group]:
    """What the largest class of each group takes, as carving finds it; all records are open."""
    table = [codes for group in groups for codes in group.elements()]
    rows = [
        (index, codes, held) for index, group in enumerate(groups) for codes, held in group.items()
    ]
    with database() as connection:
        tested = [
            as_constraint(connection, number, attribute, [codes[number - 1] for codes in table])
            for number, attribute in enumerate(sensitive, 1)
        ]
        names = [str(one.alias) for one in tested]
        columns = ["cell_id", "group_id", *names, "records"]
        make_table(
            connection,
            "cells",
            dict.fromkeys(columns, "bigint"),
            [(number, group, *codes, held) for number, (group, codes, held) in enumerate(rows)],
        )
        # As carving numbers them.
        numbers = {codes: number for number, codes in enumerate(sorted(set(table)), 1)}
        make_table(
            connection,
            "band",
            dict.fromkeys(["region", "cell_id", "group_id", "value", "records", "mix"], "bigint"),
            [
                (0, number, group, numbers[codes], held, number)
                for number, (group, codes, held) in enumerate(rows)
            ],
        )
        with closing(DuckDBEngine(connection=connection)) as engine:
            session = Session(engine)
            with session.transaction(keep=False):
                workspace = Workspace(session)
                tests = make_cut_constraints(workspace, tested, len(table))
                asked = CarveTest.of_each(tests)
                combinations = make_combinations(workspace, asked, Relation("cells"))
                params = {"k": k, "table_records": len(table), "unit": UNIT}
                cells, remainder = Relation("band"), work("remainder")
                band = Band(cells, combinations, remainder, asked, params)
                for step in still_open(cells, remainder, combinations, asked, params):
                    workspace.create(step)
                for step in largest_classes(band):
                    workspace.create(step)
                found = f"select group_id, value, taken from {band.carved}"
                taken = select(connection, found)[1]
    classes: list[Group] = [Counter() for _ in groups]
    codes_of = {number: codes for codes, number in numbers.items()}
    for group, value, records in taken:
        classes[group][codes_of[value]] = records
    return classes


def size_carved(sensitive: Sensitive, codes: Sequence[int], k: int) -> int:
    """How many records a carved class of a table with these values has at least."""
    with database() as connection:
        tested = [as_constraint(connection, 1, sensitive, codes)]
        with closing(DuckDBEngine(connection=connection)) as engine:
            session = Session(engine)
            with session.transaction(keep=False):
                workspace = Workspace(session)
                tests = CarveTest.of_each(make_cut_constraints(workspace, tested, len(codes)))
                return carved_size(workspace, tests, k, len(codes))


@pytest.mark.parametrize("records", [(90, 10), (900, 60, 40), (50, 40, 9, 1), (20, 20, 20)])
@pytest.mark.parametrize("distinct", [1, 2, 3])
def test_few_groups_of_the_carved_size_have_fewer_than_l_values(
    records: tuple[int, ...], distinct: int
) -> None:
    codes = [code for code, count in enumerate(records, 1) for _ in range(count)]
    size = size_carved(Sensitive(len(records), t=Fraction(1, 2), distinct=distinct), codes, 5)
    head = Fraction(sum(sorted(records)[::-1][: distinct - 1]), sum(records))
    if distinct == 1 or head == 1:  # any value will do, or no group has so many
        assert size == 5
    else:
        assert head**size <= Fraction(1, 8)
        assert size == 5 or head ** (size - 1) > Fraction(1, 8)


def test_a_carved_class_has_no_more_records_than_the_table() -> None:
    assert size_carved(Sensitive(2, t=Fraction(1, 2), distinct=2), [1] * 19 + [2], 5) == 20


def holds(sensitive: tuple[Sensitive, ...], part: Group, table: list[Codes]) -> bool:
    """Whether a part meets everything that is asked, exactly."""
    members = list(part.elements())
    return all(
        meets(attribute, [[codes[index] for codes in members]], [codes[index] for codes in table])
        for index, attribute in enumerate(sensitive)
    )


def parts_of(group: Group) -> Iterator[Group]:
    """Every part of a group."""
    for taken in itertools.product(*(range(held + 1) for held in group.values())):
        yield Counter(dict(zip(group, taken, strict=True)))


def optimum(sensitive: tuple[Sensitive, ...], group: Group, table: list[Codes], k: int) -> int:
    """The size of the largest part that meets everything; 0 if there is none of k records."""
    sized = sorted(parts_of(group), key=Counter.total, reverse=True)
    found = (one.total() for one in sized if one.total() >= k and holds(sensitive, one, table))
    return next(found, 0)


def some_groups(chance: random.Random, sensitive: tuple[Sensitive, ...], count: int) -> list[Group]:
    """Groups of some records, each leaning on values of its own."""
    groups = []
    for _ in range(count):
        lean = [chance.randint(1, attribute.codes) for attribute in sensitive]
        group: Group = Counter()
        for _ in range(chance.randint(4, 10)):
            group[
                tuple(
                    chance.choice((middle, chance.randint(1, one.codes)))
                    for middle, one in zip(lean, sensitive, strict=True)
                )
            ] += 1
        groups.append(group)
    return groups


TENTH, FIFTH, QUARTER = Fraction(1, 10), Fraction(1, 5), Fraction(1, 4)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("sensitive", "least", "found"),
    [
        ((Sensitive(4, t=QUARTER),), 0.97, 0.97),
        ((Sensitive(5, t=TENTH, distance="ordered"),), 0.97, 0.95),
        ((Sensitive(9, t=FIFTH, distance="ordered", distinct=3),), 0.97, 0.95),
        ((Sensitive(3, t=QUARTER), Sensitive(4, t=FIFTH, distance="ordered")), 0.97, 0.9),
    ],
    ids=str,
)
def test_the_largest_class_is_nearly_as_large_as_can_be(
    sensitive: tuple[Sensitive, ...], least: float, found: float
) -> None:
    """Of the records of the largest parts, and of the groups that have one."""
    groups = some_groups(random.Random(5), sensitive, 120)
    table = [codes for group in groups for codes in group.elements()]
    taken = largest(sensitive, groups, 3)
    best = [optimum(sensitive, group, table, 3) for group in groups]
    assert all(one.total() <= most for one, most in zip(taken, best, strict=True))
    both = [(one.total(), most) for one, most in zip(taken, best, strict=True) if one]
    assert sum(size for size, _ in both) >= least * sum(most for _, most in both)
    assert len(both) >= found * sum(map(bool, best)) > 0


def longest(one: Sensitive, group: Group, table: list[Codes], k: int) -> int:
    """As ``optimum``, by an ordered distance and of larger groups: the cheapest path of every size.

    A path has G_i of its s records up to the i-th value. It is within t if the sum over all values
    but the last of |n * G_i - s * C_i|, of a table of n records with C_i up to the i-th, is at most
    t * (values - 1) * s * n.
    """
    assert one.t is not None
    counts, values = Counter(codes[0] for codes in table), sorted({codes[0] for codes in table})
    held = [group[(value,)] for value in values]
    below = list(itertools.accumulate(counts[value] for value in values))
    for size in range(group.total(), k - 1, -1):
        best = {0: 0}
        for index, records in enumerate(held[:-1]):
            reached: dict[int, int] = {}
            for before, cost in best.items():
                for now in range(before, min(size, before + records) + 1):
                    more = cost + abs(len(table) * now - size * below[index])
                    reached[now] = min(reached.get(now, more), more)
            best = reached
        ended = [cost for now, cost in best.items() if size - now <= held[-1]]
        if ended and min(ended) <= one.t * (len(values) - 1) * size * len(table):
            return size
    return 0


@pytest.mark.parametrize(("values", "t"), [(6, "1/10"), (20, "1/20")])
def test_paths_lead_to_nearly_the_largest_class_of_large_groups(values: int, t: str) -> None:
    """Groups of 20 to 80 records; the path that is found is not always the cheapest."""
    one, chance = Sensitive(values, t=Fraction(t), distance="ordered"), random.Random(5)
    groups: list[Group] = []
    for _ in range(24):
        lean = chance.randint(1, values)
        drawn = (
            chance.choice((lean, chance.randint(1, values))) for _ in range(chance.randint(20, 80))
        )
        groups.append(Counter((value,) for value in drawn))
    table = [codes for group in groups for codes in group.elements()]
    taken = [found.total() for found in largest((one,), groups, 5)]
    best = [longest(one, group, table, 5) for group in groups]
    assert all(found <= most for found, most in zip(taken, best, strict=True))
    assert sum(taken) >= 0.95 * sum(best) > 0


@st.composite
def asked(draw: st.DrawFn) -> tuple[Sensitive, ...]:
    """One to three attributes."""
    return tuple(
        Sensitive(
            draw(st.sampled_from([1, 2, 5])),
            draw(st.sampled_from([None, Fraction(0), TENTH, Fraction(1, 3), Fraction(1)])),
            draw(st.sampled_from(["equal", "ordered"])),
            distinct=draw(st.sampled_from([None, 2])),
            alpha=draw(st.sampled_from([None, Fraction(2, 3)])),
        )
        for _ in range(draw(st.integers(1, 3)))
    )


@examples(2, 60)
@given(asked(), st.integers(1, 6), st.integers(0, 10**6))
def test_a_class_is_a_part_of_its_group_that_meets_everything(
    sensitive: tuple[Sensitive, ...], k: int, seed: int
) -> None:
    sensitive = tuple(attribute for attribute in sensitive if any(attribute.demands)) or (
        Sensitive(2, t=TENTH),
    )
    groups = some_groups(random.Random(seed), sensitive, 12)
    table = [codes for group in groups for codes in group.elements()]
    for group, taken in zip(groups, largest(sensitive, groups, k), strict=True):
        assert taken <= group
        assert not taken or (taken.total() >= k and holds(sensitive, taken, table))
