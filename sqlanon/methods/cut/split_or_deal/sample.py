"""The first cuts of a large table: found on a sample of its cells, and laid over all of them.

A cut of many records needs few of them to be found. Whether it is allowed is decided on all: a cut
with a side that does not meet every model is not made, nor is any below it. Other cuts may follow
where none was made, so a sample that misleads costs time and never a model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlanon.methods.cut.constraints import Cuts, allowed_cuts, close_cuts, measured_exactly
from sqlanon.methods.cut.cutting import LARGE
from sqlanon.methods.cut.effort import Effort
from sqlanon.methods.cut.table import Start, Table
from sqlanon.methods.cut.tree import Tree
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import work
from sqlanon.sql.names import Relation

EVERY = 8  # One cell in so many is in the sample.
LEAST_CELLS = 16  # A side of a cut has so many cells of the sample at least.
CELLS_OF_A_REGION = 10_000  # About so many has a region in which carving is tried beforehand.
_TRIED = "trying to carve a part of the table"
_TITLE = "laying the first cuts over the table"


@dataclass(frozen=True)
class FirstCuts:
    """The first cuts of a table.

    Attributes:
        borders: where every node was cut, and the numbers of its sides; the table is node 0.
        levels: on how many levels.
    """

    borders: Relation
    levels: int


def first_cuts(
    workspace: Workspace, table: Table, effort: Effort, *, seed: int
) -> FirstCuts | None:
    """The cuts by which a sample of the cells loses least; no model is asked yet.

    Args:
        workspace: makes the work relations.
        table: what is cut.
        effort: by how many quasi-identifiers it cuts, and in how many places; only between values.
        seed: of the sample.

    Returns:
        The cuts; None if there is none.
    """
    sample = workspace.make(
        "drawing a sample of the cells",
        "sample_cells",
        "methods/cut/sampled_cells",
        {"cells": table.cells},
        columns=table.columns,
        every=EVERY,
        seed=seed,
    )
    cells = workspace.rows(sample)
    if not cells:
        return None
    records = workspace.one("cells/record_count", {"cells": sample})["records"]
    drawn = replace(
        table, cells=sample, records=records, constraints=(), dealing=False, small=False
    )
    whole = workspace.make(
        "starting from the sample as one class",
        "sample_whole",
        "methods/cut/whole_table",
        {"cells": sample},
    )
    least = max(-(-table.k // EVERY), LEAST_CELLS * -(-records // cells))
    borders = Tree(workspace, drawn, effort).borders(Start(whole), "sample_borders", k=least)
    levels = workspace.one("methods/cut/border_levels", {"borders": borders})["levels"]
    workspace.drop(sample, whole)
    return FirstCuts(borders, levels) if levels else None


def some_regions(workspace: Workspace, table: Table, cuts: FirstCuts) -> Relation:
    """Some thousand cells of two regions of a table; each region is one class."""
    regions = max(1, workspace.rows(table.cells) // CELLS_OF_A_REGION)
    levels = min(cuts.levels, regions.bit_length() - 1)
    laid = _laid_cells(workspace, table, cuts.borders, levels)
    read = {"cells": table.cells, "laid_cells": laid}
    parts = workspace.make(_TRIED, "trial_parts", "methods/split_or_deal/region_parts", read)
    workspace.drop(laid)
    return parts


def laid(workspace: Workspace, table: Table, cuts: FirstCuts) -> Relation:
    """The table in classes: it is cut as far as both sides of a cut meet every model."""
    cells, columns = {"cells": table.cells}, tuple(one.alias for one in table.constraints)
    placed = _laid_cells(workspace, table, cuts.borders, cuts.levels)
    counts = workspace.make(
        _TITLE,
        "laid_counts",
        "methods/cut/laid_counts",
        {**cells, "laid_cells": placed},
        columns=columns,
    )
    above = workspace.make(
        _TITLE,
        "nodes_above",
        "methods/cut/nodes_above",
        {"borders": cuts.borders},
        levels=cuts.levels,
    )
    allowed = _allowed(workspace, table, counts, above)
    parts = workspace.make(
        _TITLE,
        "laid_parts",
        "methods/cut/laid_parts",
        {**cells, "laid_cells": placed, "nodes_above": above, "allowed_cuts": allowed},
    )
    workspace.drop(placed, counts, above)
    return parts


def _laid_cells(workspace: Workspace, table: Table, borders: Relation, levels: int) -> Relation:
    """The node of every cell after so many levels."""
    return workspace.make(
        _TITLE,
        "laid_cells",
        "methods/cut/laid_cells",
        {"cells": table.cells, "borders": borders},
        scales=table.scales,
        levels=levels,
    )


def _allowed(workspace: Workspace, table: Table, counts: Relation, above: Relation) -> Relation:
    """The cuts of which both sides meet every model, found for all levels at once."""
    there = {"laid_counts": counts, "nodes_above": above}
    columns = tuple(one.alias for one in table.constraints)
    positions = workspace.make(_TITLE, "laid_positions", "methods/cut/laid_positions", there)
    sides = workspace.make(
        _TITLE,
        "laid_sides",
        "methods/cut/laid_sides",
        {**there, "cut_positions": positions},
        columns=columns,
    )
    made = {"ranked_parts": sides, "cut_positions": positions}
    cuts = Cuts(
        title=_TITLE,
        made=made,
        places=(1,),
        records=table.records,
        k=table.k,
        percent=100,
        small=LARGE,
    )
    allowed, close = work("laid_allowed"), work("laid_close")
    for step in allowed_cuts(cuts, table.constraints, allowed):
        workspace.create(step)
    for step in close_cuts(cuts, table.constraints, allowed, close, priced=False):
        workspace.create(step)
    workspace.drop(sides, positions)
    return close if measured_exactly(table.constraints) else allowed
