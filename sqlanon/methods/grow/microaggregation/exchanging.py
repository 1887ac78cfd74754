"""Swapping the members of a group, while it forms, with records that are in none yet.

Soria-Comas et al. (2015), algorithm 2. One group of every block forms at a time, and no other does
before its swaps are made: each swap is a turn of its own. `swapped` begins when all
groups are formed: these swap with each other, many in a round.
"""

from __future__ import annotations

from typing import Any

from sqlanon.measure.asked import Asked
from sqlanon.methods.grow.microaggregation.nearness import near_classes, short_of
from sqlanon.methods.grow.placed import Table
from sqlanon.sql.names import Relation

_SWAPPING = "swapping records between near groups"
# Twice as many rounds as a group has records: each may be swapped, and has to wait for its turn.
_ROUNDS = 2

_EXCHANGING = "swapping members with records in no group yet"


def grouped(
    table: Table, lots: Relation, number: int, members: Relation | None, size: int, close: Asked
) -> tuple[Relation, Relation, int]:
    """One more group of every block: the lots, the records it formed from, and how many turns.

    Args:
        table: what is worked on.
        lots: the records of every block, and the groups of some of them.
        number: of the group.
        members: the records that the group before it formed from, where this one begins with the
            farthest from that one's first; None where with the farthest from the middle.
        size: how many records a group has at least.
        close: the t, and of which attribute; its distance is ordered or equal.
    """
    workspace, turn = table.workspace, 0
    inputs = {"lots": lots, "places": table.places}
    inputs |= {} if members is None else {"members": members}
    found = workspace.make(
        _EXCHANGING,
        f"micro_members_{number % 2}_0",
        "methods/microaggregation/seeded",
        inputs,
        axes=table.axes,
        size=size,
        again=members is not None,
    )
    while True:
        exchanges = _exchanges(table, found, close)
        if not workspace.rows(exchanges):
            break
        turn += 1
        found = workspace.make(
            _EXCHANGING,
            f"micro_members_{number % 2}_{1 + turn % 2}",
            "methods/microaggregation/exchanged",
            {"members": found, "exchanges": exchanges},
        )
    after = workspace.make(
        _EXCHANGING,
        f"micro_lots_{number % 2}",
        "methods/microaggregation/grouped",
        {"lots": lots, "members": found},
        number=number,
    )
    return after, found, turn


def _exchanges(table: Table, members: Relation, close: Asked) -> Relation:
    """The next swap of every block whose group is too far from the table, if any helps."""
    assert close.attribute is not None  # noqa: S101 - a t is always of an attribute
    workspace, attribute = table.workspace, close.attribute
    about: dict[str, Any] = {
        "attribute": attribute.alias,
        "ordered": attribute.distance == "ordered",
    }

    def made(name: str, template: str, **inputs: Relation) -> Relation:
        of = f"methods/microaggregation/{template}"
        return workspace.make(_EXCHANGING, f"micro_{name}", of, inputs, **about)

    shares = made("inside", "inside", members=members)
    formed = table.formed(_EXCHANGING, "micro_formed", shares)
    shortfalls = short_of(table, _EXCHANGING, formed, [close], "micro_shortfalls")
    near = made("far", "far", shortfalls=shortfalls)
    changes = made("changes", "changes", formed=formed, near=near, positions=attribute.positions)
    return made("exchanges", "exchanges", members=members, cells=table.cells, changes=changes)


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
