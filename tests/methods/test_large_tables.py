"""A large table is cut as a sample is first, and dealt last; what is made holds for all."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from dataclasses import replace
from fractions import Fraction

import pytest
from large import as_large
from oracle import emd_equal
from searched import Sensitive, Table, laid_out, searched
from support import database, select, slow
from test_split_or_deal import check, spread

from sqlanon.engines import DuckDBEngine
from sqlanon.methods.cut.constraints import make_cut_constraints
from sqlanon.methods.cut.effort import EFFORTS
from sqlanon.methods.cut.scales import Block, make_losses, make_scales, split_cells
from sqlanon.methods.cut.scales import Table as SplitOrDeal
from sqlanon.methods.cut.split_or_deal.attempts import first_cuts, laid
from sqlanon.methods.workspace import Workspace
from sqlanon.session import Session
from sqlanon.sql.names import Relation

K = 8
WHOLE_VALUES = replace(EFFORTS["quick"], whole_values=True)


def cut_as_sampled(table: Table, seed: int) -> tuple[list[tuple[int, ...]], ...]:
    """The placed cells, the first cuts, and the classes of every cell."""
    with database() as connection:
        quasi, sensitive = laid_out(connection, table)
        with closing(DuckDBEngine(connection=connection)) as engine:
            session = Session(engine)
            with session.transaction():
                workspace, records = Workspace(session), len(table.records)
                constraints = make_cut_constraints(workspace, sensitive, records)
                scales = make_scales(workspace, Relation("cells"), records, quasi, False)
                cells = split_cells(
                    workspace,
                    Relation("cells"),
                    scales,
                    [Block(constraint.alias) for constraint in constraints],
                )
                losses = make_losses(workspace, scales)
                searching = SplitOrDeal(
                    cells, records, scales, constraints, K, dealing=True, losses=losses, small=False
                )
                cuts = first_cuts(workspace, searching, WHOLE_VALUES, seed=seed)
                assert cuts
                parts = laid(workspace, searching, cuts)
                codes = ", ".join(scale.alias for scale in scales)
                return tuple(
                    select(connection, question)[1]
                    for question in (
                        f"select cell_id, records, s1, {codes} from {cells}",
                        "select node, attribute, border, left_node, right_node "
                        f"from {cuts.borders} order by node",
                        f"select cell_id, class_id from {parts}",
                    )
                )


@pytest.mark.parametrize("seed", [1, *slow(2, 3)])
def test_of_the_cuts_of_a_sample_those_are_made_that_hold_on_all_cells(seed: int) -> None:
    """By an oracle that walks every cell down the cuts and measures both sides of each."""
    t = Fraction(1, 5)
    table = spread(600, (Sensitive(4, t=t),))
    with as_large(every=4):
        cells, borders, parts = cut_as_sampled(table, seed)
    cuts = {node: tuple(cut) for node, *cut in borders}
    paths: dict[int, list[int]] = {}
    held: dict[int, Counter[int]] = {}
    for cell, records, value, *codes in cells:
        node, path = 0, [0]
        while node in cuts:
            attribute, border, left, right = cuts[node]
            node = left if codes[attribute - 1] <= border else right
            path.append(node)
        paths[cell] = path
        for number in path:
            held.setdefault(number, Counter())[value] += records
    whole = list(held[0].elements())

    def holds(node: int) -> bool:
        values = list(held[node].elements())
        return len(values) >= K and emd_equal([values], whole).maximum <= t

    made = {node for node in cuts if all(map(holds, cuts[node][2:]))}
    assert made
    assert made < set(cuts)
    expected = {
        cell: next((node for node in path if node not in made), path[-1])
        for cell, path in paths.items()
    }
    assert {cell: label for cell, label in parts} == expected  # noqa: C416 - rows are of any length


LARGE_TABLES = [
    (Sensitive(4, t=Fraction(1, 5)),),
    (Sensitive(30, t=Fraction(1, 10), distance="ordered"), Sensitive(3, distinct=2)),
]


@pytest.mark.slow
@pytest.mark.parametrize("asked", LARGE_TABLES, ids=["equal", "two"])
def test_every_class_of_a_large_table_meets_every_model(asked: tuple[Sensitive, ...]) -> None:
    """And carving is tried in a part of the table, before the table is carved, if it is."""
    table = spread(250, asked)
    with as_large():
        found = searched(table, 3, refine=1)
    check(table, 3, found)
    tried = json.loads(found.notes["search_tried"])
    assert next(iter(tried)) == "cut alone"
    in_part = [loss for name, loss in tried.items() if name.startswith("carved in a part")]
    assert in_part
    carved = [name for name in tried if name.startswith("carved,")]
    assert carved or all(loss is None or loss > tried["cut alone"] for loss in in_part)


@pytest.mark.further
@pytest.mark.slow
def test_a_large_table_is_cut_alike_on_any_number_of_threads_and_in_any_memory() -> None:
    table = spread(6_000, (Sensitive(8, t=Fraction(3, 20)),))
    with as_large(every=8, in_turns=True):
        first, *others = (
            searched(table, 20, threads, memory, refine=1).parts
            for threads, memory in ((1, "2GB"), (8, "2GB"), (1, "100MB"))
        )
    assert all(other == first for other in others)
    assert len({label for _, label, _ in first}) > 20


@pytest.mark.slow
def test_what_no_sampled_cut_meets_is_cut_by_others() -> None:
    """Every value leans on the first quasi-identifier, so that t allows none of the first cuts."""
    table = spread(300, (Sensitive(4, t=Fraction(1, 20)),))
    with as_large():
        found = searched(table, 3, refine=0)
    check(table, 3, found)
    assert len(found.classes) > 3
