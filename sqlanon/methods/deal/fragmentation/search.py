"""The search for fragments, and for the most classes dealt from them that hold.

Gowda (2023), §4. The multiplicity matrix is cut into contiguous boxes, fragments, such that a class
with the table's share of every fragment is close to the table, whichever records it gets. That
freedom is used to give every class neighbours in the quasi-identifiers. How many classes there are
is not the dissertation's greatest common divisor but the most that an envelope of every class
allows (`envelope.py`); and what is promised from counts is measured on the classes as dealt
before it is taken.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.measure.asked import Asked
from sqlanon.methods.cut.scales import make_scales
from sqlanon.methods.deal import locality
from sqlanon.methods.deal.fragmentation.fragments import (
    Axis,
    Fragment,
    Matrix,
    Strategy,
    aggregate_bounds,
)
from sqlanon.methods.deal.fragmentation.sizing import Sized, by_divisor, by_envelope
from sqlanon.methods.grow.placed import placed
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Materialization, Runner, SearchBase, Step, work
from sqlanon.sql.names import Relation, Sql

# The search in Python holds every cell of the matrix: so many of them at most.
MOST_CELLS = 20_000
_OUTERMOST = work("outermost")


@dataclass(frozen=True)
class Ordered:
    """A sensitive attribute, as fragments are sought over it.

    Attributes:
        alias: its column.
        t: the greatest distance of a class to the table.
        positions: its values in the order of the distance.
        bins: the bin of every value.
    """

    alias: Sql
    t: Fraction
    positions: Relation
    bins: Relation


@dataclass(frozen=True)
class Near:
    """The quasi-identifiers, as the nearness of two records is measured by them.

    Attributes:
        cells: the combinations of quasi-identifiers in the data.
        quasi: the quasi-identifiers, as they are priced.
    """

    cells: Relation
    quasi: tuple[QuasiIdentifierScale, ...]

    @property
    def axes(self) -> range:
        """The quasi-identifiers by number, from 1."""
        return range(1, len(self.quasi) + 1)


@dataclass(frozen=True)
class FragmentSearch(SearchBase):
    """The search for fragments, and for the most classes dealt from them that hold.

    Attributes:
        matrix: the cells of the multiplicity matrix: a bin of every attribute, and records.
        table_matrix: those of the table, to which classes are to be close; another where the
            records are those of a stratum.
        curve_places: the records with their place on the curve.
        assigned: the relation to make: a class for every record.
        columns: of the records.
        released: those of them that go on to the release.
        sensitive: the sensitive attributes.
        curve: the order of the records.
        models: everything that every class must meet.
        least: how many records a class must have to meet them at all.
        sizing: ``envelope``, or ``gcd`` as in the dissertation.
        strategy: by what fragments are split; None to try each.
        near: the quasi-identifiers, where a class takes the records that are nearest to one; None
            where it takes those that follow each other on the curve.
    """

    title: ClassVar[str] = "searching for the fragments that make the most classes"

    matrix: Relation
    table_matrix: Relation
    curve_places: Relation
    assigned: Relation
    columns: locality.Columns
    released: tuple[Sql, ...]
    sensitive: tuple[Ordered, ...]
    curve: locality.Curve
    models: tuple[Asked, ...]
    least: int
    sizing: str
    strategy: Strategy | None
    near: Near | None

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.assigned

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return locality.described(self)

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say what was dealt and chosen."""
        workspace = Workspace(session)
        axes = self._axes(workspace)
        matrix = self._read(workspace, axes, self.matrix)
        table = matrix
        if self.table_matrix != self.matrix:
            table = self._read(workspace, axes, self.table_matrix)
        t = [attribute.t for attribute in self.sensitive]
        ceiling = max(1, matrix.records // self.least)
        if self.sizing == "gcd":
            sized = [by_divisor(matrix, t, self.strategy or "excess", ceiling)]
        else:
            sized = by_envelope(matrix, table, t, self.strategy, ceiling)
        dealing = _Dealing(self, session, workspace)
        most = max(sized, key=lambda dimension: dimension.classes)
        fewest = ceiling + 1
        while not dealing.holds(most) and most.classes > 1:
            fewest = most.classes
            sized[sized.index(most)] = most.lowered()
            most = max(sized, key=lambda dimension: dimension.classes)
        if most.envelope is not None:
            self._raise(dealing, most, fewest)
        session.notes.append(("search_tried", json.dumps(dealing.tried)))
        session.notes.append(("search_fragments", json.dumps(_written(matrix, dealing.dealt))))
        workspace.clear()

    def _raise(self, dealing: _Dealing, found: Sized, too_many: int) -> None:
        """Deal into more classes than the envelope allows, as long as measuring allows them.

        The envelope fears the worst of a fragment's records; along the curve they come mixed.
        """
        dealt = found
        while too_many - found.classes > max(1, found.classes // 16):
            dealt = replace(found, classes=(found.classes + too_many) // 2)
            if dealing.holds(dealt):
                found = dealt
            else:
                too_many = dealt.classes
        if dealt is not found:
            dealing.holds(found)

    def _axes(self, workspace: Workspace) -> tuple[Axis, ...]:
        """Where the bins of every attribute lie."""
        axes = []
        for attribute in self.sensitive:
            extents = workspace.several(
                "methods/fragmentation/extents", {"bins": attribute.bins}, MOST_CELLS
            )
            extents.sort(key=lambda row: row["bin"])
            # Twice the middle of a bin's places, so that it is a whole number.
            middles = [row["first_position"] + row["last_position"] for row in extents]
            length = 2 * (extents[-1]["last_position"] - extents[0]["first_position"])
            axes.append(Axis(tuple(middles), max(1, length)))
        return tuple(axes)

    def _read(self, workspace: Workspace, axes: tuple[Axis, ...], matrix: Relation) -> Matrix:
        """A multiplicity matrix, of counts."""
        aliases = [attribute.alias for attribute in self.sensitive]
        cells = workspace.several(
            "methods/fragmentation/cells", {"matrix": matrix}, MOST_CELLS, sensitive=aliases
        )
        counts = {tuple(row[str(alias)] for alias in aliases): row["records"] for row in cells}
        return Matrix(axes, counts)


def _written(matrix: Matrix, fragments: Sequence[Fragment]) -> dict[str, object]:
    """The aggregate bounds of fragments, and of each its box and its records.

    A box has for each attribute its first and last place, or bin, from 1. Gowda (2023), §4.3.
    """
    return {
        "bounds": [float(number) for number in aggregate_bounds(matrix, fragments)],
        "fragments": [
            {
                "box": [[low + 1, high + 1] for low, high in fragment.box],
                "records": fragment.records,
            }
            for fragment in fragments
        ],
    }


class _Dealing:
    """Deals fragments into classes and measures these, time and again.

    Attributes:
        tried: what was dealt, in order, and how many classes violated a model.
        dealt: the fragments that were dealt last.
    """

    def __init__(self, search: FragmentSearch, session: Runner, workspace: Workspace) -> None:
        self._search, self._session, self._workspace = search, session, workspace
        self._aliases = tuple(attribute.alias for attribute in search.sensitive)
        self._bins = {str(attribute.alias): attribute.bins for attribute in search.sensitive}
        self.dealt: tuple[Fragment, ...] = ()
        self._places: Relation | None = None
        self.tried: list[dict[str, object]] = []

    def holds(self, sized: Sized) -> bool:
        """Deal; whether every class meets every model."""
        self._deal(sized)
        search = self._search
        positions = {attribute.alias: attribute.positions for attribute in search.sensitive}
        fall_short = locality.failing(self._workspace, search.assigned, positions, search.models)
        self.tried.append(
            {
                "found": sized.name,
                "fragments": len(sized.fragments),
                "classes": sized.classes,
                "failing": fall_short,
            }
        )
        return not fall_short

    def _deal(self, sized: Sized) -> None:
        new = sized.fragments is not self.dealt
        if new:
            self._cut(sized.fragments)
        stacks = self._stack(sized.classes)
        if new:
            self._order(stacks)
            self.dealt = sized.fragments
        if self._search.near is None:
            spread, assigned = locality.spread_along(
                stacks, self._search.assigned, self._search.released
            )
            self._workspace.create(spread)
            self._session.create(replace(assigned, how=Materialization.WORK_TABLE))
        else:
            self._generate(self._search.near, stacks)

    def _generate(self, near: Near, stacks: Relation) -> None:
        """Give every class the records that are closest to one of its own."""
        classes = Step(
            "taking the closest records",
            self._search.assigned,
            "methods/fragmentation/assigned",
            {"outermost": _OUTERMOST, "stripe_stacks": stacks},
            {"axes": near.axes, "columns": self._search.released},
        )
        instead = "{name: fragmentation, neighbours: curve}"
        with self._workspace.windows_in_recursion("neighbours: nearest", instead):
            self._session.create(classes)

    def _cut(self, fragments: tuple[Fragment, ...]) -> None:
        boxes = [[end for ends in fragment.box for end in ends] for fragment in fragments]
        workspace = self._workspace
        found = workspace.make(
            "writing the fragments down",
            "fragments",
            "methods/deal/fragments",
            {},
            sensitive=self._aliases,
            boxes=boxes,
        )
        workspace.make(
            "the fragment of every combination of sensitive values",
            "pieces",
            "methods/deal/pieces",
            {"matrix": self._search.matrix, "fragments": found},
            sensitive=self._aliases,
        )

    def _stack(self, classes: int) -> Relation:
        return self._workspace.make(
            "stacking the fragments",
            "stripe_stacks",
            "methods/deal/stripe_stacks",
            {"pieces": work("pieces")},
            classes=classes,
        )

    def _order(self, stacks: Relation) -> None:
        """Put the records of every fragment in the order of the curve."""
        search, workspace = self._search, self._workspace
        striped = workspace.make(
            "finding the fragment of every record",
            "striped",
            "methods/deal/striped",
            {
                "curve_places": search.curve_places,
                "pieces": work("pieces"),
                **{f"bins_{alias}": bins for alias, bins in self._bins.items()},
            },
            columns=search.columns.all,
            sensitive=self._aliases,
            bins=self._bins,
        )
        if search.near is not None:
            self._place(search.near, striped)
        else:
            by = (Sql("fragment"),)
            workspace.create(
                locality.ordered_along(
                    striped, stacks, search.columns, by, search.curve, in_stripes=False
                )
            )
        workspace.drop(striped)

    def _place(self, near: Near, striped: Relation) -> None:
        """Put the records in an order, from the farthest to the nearest to their middle."""
        workspace, cells, columns = self._workspace, near.cells, self._search.columns
        if self._places is None:
            records = int(workspace.one("cells/record_count", {"cells": cells})["records"])
            scales = make_scales(workspace, cells, records, near.quasi, whole_groups=True)
            self._places = placed(workspace, cells, None, scales, near.quasi)
        workspace.make(
            "placing the records",
            "outermost",
            "methods/fragmentation/outermost",
            {"striped": striped, "cells": cells, "places": self._places},
            axes=near.axes,
            columns=columns.all,
            quasi_identifiers=columns.quasi_codes,
            ties=columns.all,
        )
