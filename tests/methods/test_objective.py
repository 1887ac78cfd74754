"""What a search keeps small: the share of the domain that is published, or a reader's error."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searched import Quasi, Searched, Sensitive, Table, searched
from support import database, examples, make_table, select, slow

from sqlanon.methods.cut.scales import UNITS
from sqlanon.sql.names import Relation, Sql
from sqlanon.sql.templates import load_template

RANGE = Fraction(1, 5)


def error(width: Fraction) -> Fraction:
    """The mean error of a range over a fifth of the axis, by the places where it may begin.

    A share f of an interval lies in the range; a record that may lie anywhere in it is told to lie
    in the range with f in place of 0 or 1, which is wrong by 2 f (1 - f) in the mean. As the range
    passes over the interval, f rises, stays, and falls: by Simpson's rule, exact for a parabola.
    """
    most = min(Fraction(1), RANGE / width)

    def wrong(f: Fraction) -> Fraction:
        return 2 * f * (1 - f)

    rising = most * width * (wrong(Fraction(0)) + 4 * wrong(most / 2) + wrong(most)) / 6
    return 2 * rising + max(Fraction(0), width - RANGE) * wrong(most)


@examples(20, 100)
@given(st.fractions(0, 1, max_denominator=10**6).filter(bool))
def test_an_interval_loses_the_error_of_a_range_over_a_fifth_of_the_axis(width: Fraction) -> None:
    length = max(1, floor(width * UNITS))
    exact = UNITS * error(Fraction(length, UNITS)) / error(Fraction(1))
    assert abs(interval_loss(length) - exact) <= 2


def interval_loss(length: int) -> int:
    """What the template says of a class with the ends of such an interval."""
    scale = {"alias": Sql("age")}
    sql = load_template("methods/cut/class_losses", "duckdb").render(
        {name: Relation(name) for name in ("parts", "cells", "box_scales")},
        {"boxed": [scale], "listed": [], "levels": 1, "objective": "queries"},
    )
    with database() as connection:
        for name, columns, rows in (
            ("parts", "class_id root cell_id records", [(0, 0, 1, 1), (0, 0, 2, 0)]),
            ("cells", "cell_id age", [(1, 1), (2, 2)]),
            (
                "box_scales",
                "scale_code axis units node_0 loss_0",
                [(1, 0, UNITS, 1, 0), (2, length, UNITS, 2, 0)],
            ),
        ):
            make_table(connection, name, dict.fromkeys(columns.split(), "bigint"), rows)
        ((_, _, records, loss),) = select(connection, sql)[1]
    assert records == 1
    return int(loss)


def lost(table: Table, found: Searched, objective: str) -> float:
    """The mean loss of a record, by the values of its class and nothing else."""
    total = Fraction(0)
    for records in found.classes:
        for index, column in enumerate(table.quasi):
            total += len(records) * column.weight * share(table, column, index, records, objective)
    return float(total / len(table.records) / sum(column.weight for column in table.quasi))


def share(
    table: Table, one: Quasi, place: int, records: list[tuple[int, ...]], objective: str
) -> Fraction:
    held = {record[place] for record in records}
    if one.publish == "interval":
        values = {record[place] for record in table.records}
        length = max(values) ** 2 - min(values) ** 2  # a code lies at its square
        width = Fraction(max(held) ** 2 - min(held) ** 2, length)
        return width if objective == "ncp" or not width else error(width) / error(Fraction(1))
    if one.publish == "set":
        among, of = len(held), one.codes
        of = len({record[place] for record in table.records})
    else:
        level = next(
            level
            for level in range((one.height or 0) + 1)
            if len({one.node(code, level) for code in held}) == 1
        )
        node = one.node(min(held), level)
        among = sum(one.node(code, level) == node for code in range(one.codes + 1))
        of = one.codes + 1
    if objective == "ncp":
        return Fraction(among - 1, of - 1)
    return (1 - Fraction(1, among)) / (1 - Fraction(1, of))


def spread(records: int) -> Table:
    chance = random.Random(5)
    quasi = (Quasi("interval", 40), Quasi("lca", 9, 2, 2), Quasi("set", 6, None))
    rows = [
        (*hidden, 1 + (hidden[0] + chance.randint(0, 4)) % 4)
        for hidden in (
            tuple(chance.randint(1, column.codes) for column in quasi) for _ in range(records)
        )
    ]
    return Table(quasi, (Sensitive(4, t=Fraction(3, 10)),), tuple(rows))


@pytest.mark.parametrize("objective", [*slow("ncp"), "queries"])
def test_a_search_says_what_its_classes_lose(objective: str) -> None:
    table = spread(200)
    found = searched(table, 4, refine=0, effort="quick", objective=objective)
    said = json.loads(found.notes["search_tried"])[found.notes["search_chosen"]]
    assert said == pytest.approx(lost(table, found, objective), abs=2e-6)


@pytest.mark.further
@pytest.mark.slow
def test_each_objective_finds_classes_that_lose_less_of_what_it_counts() -> None:
    table = spread(400)
    ncp, queries = (
        searched(table, 4, effort="quick", objective=text) for text in ("ncp", "queries")
    )
    assert ncp.classes != queries.classes
    assert lost(table, queries, "queries") < lost(table, ncp, "queries")
    assert lost(table, ncp, "ncp") < lost(table, queries, "ncp")
