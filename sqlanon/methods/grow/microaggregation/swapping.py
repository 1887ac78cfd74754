"""Swapping records between near groups, so that more of them are t-close.

Soria-Comas et al. (2015), algorithm 2 swaps members of a group with records that are in none yet,
as `exchanging` does. Here all groups are formed first, and swap with each other, many in a round.
"""

from __future__ import annotations

from sqlanon.measure import Asked
from sqlanon.methods.grow.microaggregation.nearness import near_classes, short_of
from sqlanon.methods.grow.placed import Table
from sqlanon.sql import Relation

_SWAPPING = "swapping records between near groups"
# Twice as many rounds as a group has records: each may be swapped, and has to wait for its turn.
_ROUNDS = 2


def swapped(table: Table, shares: Relation, close: Asked, size: int) -> tuple[Relation, int]:
    """The groups after no swap helps any more, or after 2 * size rounds; and how many these were.

    A group that is within t stays so, and none that is not comes farther from the table.

    Args:
        table: what is worked on.
        shares: how many records of each cell each group has.
        close: the t, and of which attribute; its distance is ordered or equal.
        size: how many records a group has at least.
    """
    assert close.attribute is not None  # noqa: S101 - a t is always of an attribute
    workspace, attribute = table.workspace, close.attribute
    about = {"attribute": attribute.alias, "ordered": attribute.distance == "ordered"}
    for turn in range(1, _ROUNDS * size + 1):
        centroids = table.centroids(_SWAPPING, "micro_centroids", shares)
        formed = table.formed(_SWAPPING, "micro_formed", shares)
        shortfalls = short_of(table, _SWAPPING, formed, [close], "micro_shortfalls")
        near = near_classes(table, _SWAPPING, shortfalls, centroids)
        changes = workspace.make(
            _SWAPPING,
            "micro_changes",
            "methods/microaggregation/changes",
            {"formed": formed, "near": near, "positions": attribute.positions},
            **about,
        )
        swaps = workspace.make(
            _SWAPPING,
            "micro_swaps",
            "methods/microaggregation/swaps",
            {
                "near": near,
                "shares": shares,
                "cells": table.cells,
                "places": table.places,
                "centroids": centroids,
                "changes": changes,
                "measured": close.relation,
            },
            axes=table.axes,
            bound=close.bound,
            **about,
        )
        if not workspace.rows(swaps):
            return shares, turn - 1
        shares = workspace.make(
            _SWAPPING,
            f"micro_swapped_{turn % 2}",
            "methods/microaggregation/swapped",
            {"shares": shares, "swaps": swaps},
        )
    return shares, _ROUNDS * size
