"""Joining what fails a model with its nearest, in rounds. Soria-Comas et al. (2015)."""

from __future__ import annotations

from sqlanon.methods.placed import Table
from sqlanon.methods.workspace import level_share
from sqlanon.sql import Relation

_JOINING = "joining groups that fall short with their nearest"


def joined(table: Table, shares: Relation) -> tuple[Relation, Relation, int]:
    """The classes when each meets every model, their middles, and after how many rounds.

    A class that is all of its cluster stays as it is, whatever it meets.

    Args:
        table: what is worked on.
        shares: how many records of each cell each group has.
    """
    workspace, turn = table.workspace, 0
    while True:
        workspace.reached(0.8 + level_share(turn + 1) / 5)
        centroids = workspace.make(
            _JOINING,
            "micro_centroids",
            "uhra/centroids",
            {"shares": shares, "places": table.places},
            axes=table.axes,
        )
        formed = workspace.make(
            _JOINING,
            "micro_formed",
            "uhra/formed",
            {"shares": shares, "cells": table.cells},
            columns=tuple(table.positions),
        )
        _, held = table.judged(_JOINING, formed, table.asked or table.tested)
        joins = workspace.make(
            _JOINING,
            "micro_joins",
            "microaggregation/joins",
            {"held": held, "centroids": centroids},
            axes=table.axes,
        )
        if not workspace.rows(joins):
            return shares, centroids, turn
        turn += 1
        shares = workspace.make(
            _JOINING,
            f"micro_shares_{turn % 2}",
            "microaggregation/joined",
            {"shares": shares, "joins": joins},
        )
