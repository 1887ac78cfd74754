"""Cells left at the end of every block go to classes. Amiri et al. (2023), lines 13 to 18."""

from __future__ import annotations

from sqlanon.methods.grow.placed import Table
from sqlanon.sql import Relation

_LEFT = "finding a class for what is left"
# So many records of the same sensitive values are tried with every class at once.
_TOGETHER = 24


def settled(table: Table, grown: Relation, seats: Relation) -> Relation:
    """How many records of each cell each class has, with what was left.

    Cells that no class takes are in classes of negative numbers, one of every cluster.

    Args:
        table: what is worked on.
        grown: the classes that were grown, and the cells that have none.
        seats: the records in their order, of which only the count is read.
    """
    workspace, turn = table.workspace, 0
    shares = workspace.make(_LEFT, "uhra_shares_0", "methods/uhra/shares", {"grown": grown})
    left = workspace.make(_LEFT, "uhra_left_0", "methods/uhra/left_cells", {"grown": grown})
    lengths = workspace.make(
        _LEFT, "uhra_lengths", "methods/uhra/lengths", {"seats": seats}, most=_TOGETHER
    )
    params = {"sensitive": table.sensitive}
    while workspace.rows(left):
        turn += 1
        read = {"left_cells": left, "places": table.places}
        runs = workspace.make(_LEFT, "uhra_left_runs", "methods/uhra/left_runs", read, **params)
        tried = {"left_runs": runs, "shares": shares, "lengths": lengths}
        joining = workspace.make(
            _LEFT,
            "uhra_joining",
            "methods/uhra/joining",
            {**tried, "places": table.places},
            most=_TOGETHER,
            **params,
        )
        _, held = table.judged(_LEFT, joining, table.tested)
        moves = workspace.make(
            _LEFT,
            "uhra_moves",
            "methods/uhra/joined",
            {**tried, "left_cells": left, "held": held},
            most=_TOGETHER,
        )
        made = {"shares": shares, "moves": moves}
        shares = workspace.make(
            _LEFT, f"uhra_shares_{turn % 2}", "methods/uhra/moved", made, leaving=False
        )
        left = workspace.make(
            _LEFT,
            f"uhra_left_{turn % 2}",
            "methods/uhra/still_left",
            {"left_cells": left, "moves": moves},
        )
    return shares
