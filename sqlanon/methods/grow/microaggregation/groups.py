"""Groups of neighbours, formed of every block at once.

Two in a round by MDAV (Domingo-Ferrer & Torra 2005), one of varying size by V-MDAV (Solanas &
Martinez-Balleste 2006).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.asked import Asked
from sqlanon.methods.deal.locality import along_curve, curve_through
from sqlanon.methods.grow.microaggregation.exchanging import grouped
from sqlanon.methods.grow.placed import Table
from sqlanon.plan import work
from sqlanon.sql.names import Relation, Sql

# Of the search, forming groups takes about so much.
_SHARE = 0.8
_CUTTING, _FORMING = "cutting the table into blocks", "forming groups of neighbours"


class Groups:
    """Forms the groups of every block.

    Args:
        table: what is worked on.
        coded: the records with their codes.
        block: how many records a block has at most.
        size: how many records a group has at least.
        gamma: how many times the distance to its nearest other a record may be from a group that
            it joins; none where groups have no more than size.
        close: the t for which a group swaps members with records in none yet; none where it does
            not.
    """

    def __init__(
        self,
        table: Table,
        coded: Relation,
        block: int,
        size: int,
        gamma: Fraction | None,
        close: Asked | None = None,
    ) -> None:
        self._table, self._workspace, self._coded = table, table.workspace, coded
        self._block, self._size, self._gamma = max(block, size), size, gamma
        self._close = close
        self.swaps = 0  # turns of these

    def formed(self, order: SensitiveAttribute | None) -> tuple[Relation, int]:
        """How many records of each cell every group has, and in how many rounds it came to that.

        Args:
            order: the attribute from whose range a group takes a record of every part; none where
                the quasi-identifiers alone decide.
        """
        workspace, binned = self._workspace, order is not None
        lots = self._lots(order)
        params = {"size": self._size, "binned": binned}
        found = workspace.one("methods/microaggregation/most_groups", {"lots": lots}, **params)
        most = int(found["groups"])
        one_each = self._gamma or self._close
        rounds = most if one_each else (most + 1) // 2
        members: Relation | None = None
        for turn in range(rounds):
            workspace.reached(turn / rounds * _SHARE)
            if self._close is not None:
                last = members if turn % 2 else None
                lots, members, swaps = grouped(
                    self._table, lots, turn, last, self._size, self._close
                )
                self.swaps += swaps
                continue
            template, how = self._round(turn, binned)
            lots = workspace.make(
                _FORMING,
                f"micro_lots_{turn % 2}",
                template,
                {"lots": lots, "places": self._table.places},
                axes=self._table.axes,
                size=self._size,
                **how,
            )
        shares = workspace.make(
            _FORMING,
            "micro_shares_0",
            "methods/microaggregation/shares",
            {"lots": lots},
            records=self._table.records,
        )
        return shares, rounds

    def _round(self, turn: int, binned: bool) -> tuple[str, Mapping[str, Any]]:
        """The template of a round, and its parameters without the size of groups."""
        if self._gamma:
            return "methods/microaggregation/varied", {"gamma": self._gamma, "number": turn}
        return "methods/microaggregation/round", {"binned": binned, "first": 2 * turn}

    def _lots(self, order: SensitiveAttribute | None) -> Relation:
        """The records of every block and part, none of them in a group yet."""
        workspace, table = self._workspace, self._table
        inputs = {"coded": self._coded, "cells": table.cells, "places": table.places}
        leading: tuple[Sql, ...] = ()
        curved = order is not None or table.records > self._block
        if curved:
            curve = curve_through({one.alias: one.codes for one in table.scales}, table.records)
            columns = (Sql("cell_id"), *(one.alias for one in table.scales))
            curve_places = work("micro_curve_places")
            for step in along_curve(table.cells, curve_places, table.attributes, columns, curve):
                workspace.create(step)
            inputs["curve_places"], leading = curve_places, curve.leading
        if order is not None:
            inputs["positions"] = order.positions
        return workspace.make(
            _CUTTING,
            "micro_lots",
            "methods/microaggregation/lots",
            inputs,
            coordinates=table.coordinates,
            records=table.records,
            size=self._size,
            most=self._block,
            curved=curved,
            leading=leading,
            binned=None if order is None else order.alias,
        )
