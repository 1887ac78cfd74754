"""The tree of Split-or-Deal: cut every class by its cheapest allowed cut, level by level.

sqlanon, Split-or-Deal §3 to §5. A pooled cut parts a node's records in the order of one
quasi-identifier, as in Mondrian. A dealt cut parts every block of equal sensitive values at the
same proportional rank, so that both sides inherit the node's distribution up to rounding. Of the
cuts whose two sides meet every model, the one that loses least is made; a node without one is a
class.
"""

from __future__ import annotations

from dataclasses import replace

from sqlanon.methods.cut.cutting import (
    POSITIONS,
    Cutting,
    Ends,
    border_levels,
    cut_levels,
    deal_levels,
)
from sqlanon.methods.cut.effort import Effort
from sqlanon.methods.cut.scales import Grouping, Start, Table
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import work
from sqlanon.sql.names import Relation

MOST_LEVELS = 60
# However little they save, so many levels are cut.
FIRST_LEVELS = 4
# It ends where even so many more levels, each as good as the last two on average, would not make it
# better than what is known; nor would all further ones, if what they save goes on to fall.
HOPED_FOR = 2


class Tree:
    """Cuts the classes of a table.

    Args:
        workspace: makes the work relations.
        table: what is cut.
        effort: by how many quasi-identifiers, and in how many places.
    """

    def __init__(self, workspace: Workspace, table: Table, effort: Effort) -> None:
        self._workspace, self._table, self._effort = workspace, table, effort
        self._cutting = Cutting(table, effort)

    def grouping(self, parts: Relation, losses: str = "tree_class_losses") -> Grouping:
        """A grouping with its loss; the loss of every class is left in a relation of that name."""
        found = self._class_losses(parts, losses)
        total = self._workspace.one("methods/cut/total_loss", {"class_losses": found})
        return Grouping(parts, total["classes"], total["largest"], total["loss"], found)

    def _class_losses(self, parts: Relation, output: str) -> Relation:
        return self._workspace.make(
            "measuring what the classes lose",
            output,
            "methods/cut/class_losses",
            {"parts": parts, "cells": self._table.cells, **self._table.losses.inputs},
            **self._table.losses.params,
        )

    def cut(
        self, start: Start, output: str, *, k: int, beat: int | None = None, dealt: bool = False
    ) -> Relation:
        """The classes that are cut as far as it pays.

        Args:
            start: the classes.
            output: the name of the relation to make.
            k: the least class size.
            beat: cut no further when the loss is not going to be less than this.
            dealt: whether classes are dealt alone, in whole blocks.
        """
        cutting = self._cutting
        loop = cut_levels(
            self._opened(start.parts),
            self._table.columns,
            cutting.deal_whole_blocks(k) if dealt else cutting.cut(k, start.percent),
            self._ends(beat),
        )
        return self._numbered(output, self._workspace.repeat(loop, self._table.small))

    def borders(self, start: Start, output: str, *, k: int) -> Relation:
        """The cuts by which the classes would be cut, between values alone.

        Args:
            start: the classes.
            output: the name of the relation to make.
            k: the least class size.
        """
        loop = border_levels(
            self._opened(start.parts),
            self._table.columns,
            self._cutting.cut(k, start.percent),
            self._ends(None),
            POSITIONS,
            self._effort.cuts,
        )
        loop = replace(loop, output=work(output))
        return self._workspace.repeat(loop, self._table.small)

    def _ends(self, beat: int | None) -> Ends:
        return Ends(MOST_LEVELS, FIRST_LEVELS, self._effort.least_gain, beat, HOPED_FOR)

    def _opened(self, parts: Relation, classes: int | None = None) -> Relation:
        """The classes to be cut."""
        return self._workspace.make(
            "opening the classes to be cut",
            "tree_first",
            "methods/cut/first_parts",
            {
                "parts": parts,
                "cells": self._table.cells,
                "class_losses": self._class_losses(parts, "tree_class_losses"),
            },
            columns=self._table.columns,
            classes=classes,
        )

    def deal(self, parts: Relation, output: str, classes: int) -> Relation:
        """Deal the table out by dealt cuts alone.

        A node of c classes is cut in the ratio of floor(c / 2) to the rest, and so is every block
        of it. So each class has as many records, and as many of each sensitive value, as a
        proportional share rounded down or up: the bounds of Stack & Deal (Split-or-Deal §5).

        Args:
            parts: the table as one class.
            output: the name of the relation to make.
            classes: how many classes to form.
        """
        loop = deal_levels(
            self._opened(parts, classes), self._table.columns, self._cutting.deal(), POSITIONS
        )
        return self._numbered(output, self._workspace.repeat(loop, self._table.small))

    def _numbered(self, output: str, done: Relation) -> Relation:
        """The classes of all levels."""
        return self._workspace.make(
            "gathering the classes", output, "methods/cut/all_parts", {"done_parts": done}
        )
