"""Joining what fails a model with one of its nearest, in rounds. Soria-Comas et al. (2015)."""

from __future__ import annotations

from sqlanon.methods.grow.microaggregation.nearness import near_classes, short_of
from sqlanon.methods.grow.placed import Table
from sqlanon.methods.workspace import level_share
from sqlanon.sql import Relation

_JOINING = "joining groups that violate a model with one of their nearest"


def joined(table: Table, shares: Relation) -> tuple[Relation, Relation, int]:
    """The classes when each meets every model, their middles, and after how many rounds.

    A class that is all of its cluster stays as it is, even if it fails a model.

    Args:
        table: what is worked on.
        shares: how many records of each cell each group has.
    """
    workspace, turn = table.workspace, 0
    models = table.asked or table.tested
    while True:
        workspace.reached(0.8 + level_share(turn + 1) / 5)
        centroids = table.centroids(_JOINING, "micro_centroids", shares)
        formed = table.formed(_JOINING, "micro_formed", shares)
        shortfalls = short_of(table, _JOINING, formed, models, "micro_shortfalls")
        near = near_classes(table, _JOINING, shortfalls, centroids)
        if not workspace.rows(near):
            return shares, centroids, turn
        turn += 1
        tried = workspace.make(
            _JOINING,
            "micro_tried",
            "methods/microaggregation/tried",
            {"near": near, "formed": formed},
            columns=tuple(table.positions),
        )
        together = short_of(table, _JOINING, tried, models, "micro_together")
        joins = workspace.make(
            _JOINING,
            "micro_joins",
            "methods/microaggregation/joins",
            {"near": near, "shortfalls": shortfalls, "tried": together},
        )
        shares = workspace.make(
            _JOINING,
            f"micro_joined_{turn % 2}",
            "methods/microaggregation/joined",
            {"shares": shares, "joins": joins},
        )
