"""Growing classes: the cells of a cluster in order, cut into classes. Amiri et al. (2023), §4.1."""

from __future__ import annotations

from sqlanon.methods.deal.locality import along_curve, curve_through
from sqlanon.methods.grow.placed import Table
from sqlanon.methods.workspace import level_share
from sqlanon.plan import work
from sqlanon.sql.names import Relation, Sql

_ORDERING, _GROWING = "putting the points of every cluster in order", "growing classes"


class Growing:
    """Classes cut from the order of every block as soon as they meet every model.

    Args:
        table: what is worked on.
        order: how the points of a block are put in order: nearest or curve.
        block: how many points are compared two by two at most.
        passing: whether a record is passed over with which no class can begin; else all that
            follow it are left, too.
    """

    def __init__(self, table: Table, order: str, block: int, passing: bool) -> None:
        self._table, self._workspace = table, table.workspace
        self._order, self._block, self._passing = order, block, passing

    def seats(self, coded: Relation) -> Relation:
        """The records of every block in the order in which classes grow."""
        table = self._table
        return self._workspace.make(
            _ORDERING,
            "uhra_seats",
            "methods/uhra/seats",
            {
                "coded": coded,
                "cells": table.cells,
                "places": table.places,
                "walk": self._walk(),
            },
            coordinates=table.coordinates,
            sensitive=table.sensitive,
        )

    def grown(self, seats: Relation) -> Relation:
        """The first classes: from every seat the shortest stretch that meets every model."""
        workspace, table = self._workspace, self._table
        pieces: list[Relation] = []
        opened, shortest, longest = seats, table.least, table.least
        while not pieces or workspace.rows(opened):
            workspace.reached(level_share(len(pieces) + 1) / 2)
            stretches = workspace.make(
                _GROWING,
                "uhra_stretches",
                "methods/uhra/stretches",
                {"open_seats": opened, "seats": seats},
                shortest=shortest,
                longest=longest,
                records=table.records,
                sensitive=table.sensitive,
            )
            _, held = table.judged(_GROWING, stretches, table.tested)
            ends = workspace.make(
                _GROWING,
                f"uhra_ends_{len(pieces)}",
                "methods/uhra/ends",
                {"stretches": stretches, "held": held},
            )
            pieces.append(ends)
            opened = workspace.make(
                _GROWING,
                f"uhra_open_{len(pieces) % 2}",
                "methods/uhra/open_seats",
                {"open_seats": opened, "ends": ends, "seats": seats}
                | ({"stretches": stretches, "held": held} if table.lasting else {}),
                longest=longest,
                lasting=table.lasting,
            )
            shortest, longest = longest + 1, 2 * longest
        ends = workspace.make(
            _GROWING,
            "uhra_ends",
            "methods/uhra/jumps",
            {f"ends_{place}": piece for place, piece in enumerate(pieces)},
            pieces=pieces,
        )
        return workspace.make(
            _GROWING,
            "uhra_grown",
            "methods/uhra/grown",
            {"seats": seats, "starts": self._starts(seats, ends), "ends": ends},
            records=table.records,
        )

    def _starts(self, seats: Relation, ends: Relation) -> Relation:
        """The seats at which classes begin, one at the end of the other."""
        workspace, jumps, turn = self._workspace, ends, 0
        if self._passing:
            made = {"ends": ends, "seats": seats}
            jumps = workspace.make(_GROWING, "uhra_passes", "methods/uhra/passes", made)
        starts = workspace.make(
            _GROWING, "uhra_starts_0", "methods/uhra/first_starts", {"seats": seats}
        )
        while workspace.rows(jumps):
            turn += 1
            starts = workspace.make(
                _GROWING,
                f"uhra_starts_{turn % 2}",
                "methods/uhra/starts",
                {"starts": starts, "jumps": jumps},
            )
            jumps = workspace.make(
                _GROWING, f"uhra_jumps_{turn % 2}", "methods/uhra/longer_jumps", {"jumps": jumps}
            )
        return starts

    def _walk(self) -> Relation:
        """The points of every block in the order in which classes grow."""
        workspace, table, places = self._workspace, self._table, self._table.places
        inputs = {"places": places}
        leading: tuple[Sql, ...] = ()
        curved = self._order == "curve" or workspace.rows(places) > self._block
        if curved:
            counts = {one.alias: one.codes for one in table.scales}
            curve = curve_through(counts, table.records)
            columns = (Sql("cell_id"), *counts)
            curve_places = work("uhra_curve_places")
            for step in along_curve(table.cells, curve_places, table.attributes, columns, curve):
                workspace.create(step)
            inputs["curve_places"], leading = curve_places, curve.leading
        points = workspace.make(
            _ORDERING,
            "uhra_points",
            "methods/uhra/points",
            inputs,
            axes=table.axes,
            curved=curved,
            leading=leading,
            most=self._block,
            all_points=table.records,
        )
        if self._order == "curve":
            return points
        with workspace.windows_in_recursion("order: nearest", "{name: uhra, order: curve}"):
            return workspace.make(
                _ORDERING, "uhra_walk", "methods/uhra/walk", {"points": points}, axes=table.axes
            )
