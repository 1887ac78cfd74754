"""The tree of Split-or-Deal: cut every class by its cheapest allowed cut, level by level.

sqlanon, Split-or-Deal §3 to §5. A pooled cut parts a node's records in the order of one
quasi-identifier, as in Mondrian. A dealt cut parts every block of equal sensitive values at the
same proportional rank, so that both sides inherit the node's distribution up to rounding. Of the
cuts whose two sides meet every model, the one that loses least is made; a node without one is a
class.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.methods.split_or_deal.cutting import Cutting
from sqlanon.methods.split_or_deal.effort import Effort
from sqlanon.methods.split_or_deal.table import Grouping, Start, Table
from sqlanon.methods.workspace import Workspace, level_share
from sqlanon.sql import Relation

MOST_LEVELS = 60
# However little they save, so many levels are cut.
FIRST_LEVELS = 4
# It is given up when even so many more levels, each as good as the last two on average, would not
# make it better than what is known.
HOPED_FOR = 8


class Tree:
    """Cuts the classes of a table.

    Args:
        workspace: makes the work relations.
        table: what is cut.
        effort: by how many quasi-identifiers, and in how many places.
    """

    def __init__(self, workspace: Workspace, table: Table, effort: Effort) -> None:
        self._workspace, self._table, self._effort = workspace, table, effort
        self._cutting = Cutting(workspace, table, effort)

    def grouping(self, parts: Relation, losses: str = "tree_class_losses") -> Grouping:
        """What a grouping loses; the loss of every class is left in a relation of that name."""
        found = self._class_losses(parts, losses)
        total = self._workspace.one("split_or_deal/total_loss", {"class_losses": found})
        return Grouping(parts, total["classes"], total["largest"], total["loss"], found)

    def _class_losses(self, parts: Relation, output: str) -> Relation:
        return self._workspace.make(
            "measuring what the classes lose",
            output,
            "split_or_deal/class_losses",
            {"parts": parts, "cells": self._table.cells, **self._table.losses.inputs},
            **self._table.losses.params,
        )

    def cut(self, start: Start, output: str, *, k: int, beat: int | None = None) -> Relation | None:
        """Cut classes as far as it pays.

        Args:
            start: the classes.
            output: the name of the relation to make.
            k: the least class size.
            beat: give up when the loss is not going to be less than this.

        Returns:
            The classes that were found, or None if they were given up.
        """
        return self._grown(start.parts, output, k, (start.beta,), beat)

    def cut_all(
        self, starts: Sequence[Start], output: str, *, k: int
    ) -> tuple[list[int], Relation]:
        """Cut several starts side by side, by no more statements than one alone takes.

        Returns:
            What each of them loses, and the classes of the first that loses least.
        """
        workspace = self._workspace
        together = workspace.make(
            "opening the classes to be cut",
            "tree_starts",
            "split_or_deal/started_parts",
            {f"piece_{place}": one.parts for place, one in enumerate(starts, 1)},
            pieces=[one.parts for one in starts],
        )
        grown = self._grown(together, "tree_grown", k, [one.beta for one in starts])
        assert grown is not None  # noqa: S101 - there is nothing to beat
        rows = workspace.several(
            "split_or_deal/start_losses",
            {"class_losses": self._class_losses(grown, "tree_class_losses")},
            len(starts),
            starts=len(starts),
        )
        losses = [row["loss"] for row in sorted(rows, key=lambda row: row["start_id"])]
        parts = self._together(output, [grown], len(starts), losses.index(min(losses)))
        workspace.drop(together)
        return losses, parts

    def _grown(
        self,
        parts: Relation,
        output: str,
        k: int,
        betas: Sequence[int],
        beat: int | None = None,
    ) -> Relation | None:
        """Cut the classes of one or several starts; of several, a root tells its start."""
        workspace, cells = self._workspace, self._table.cells
        pieces: list[Relation] = []
        begun = self.grouping(parts)
        loss, gained, largest = begun.loss, 0, begun.largest
        node = begun.classes * len(betas)  # above the number of every root
        opened = workspace.make(
            "opening the classes to be cut",
            "tree_open_0",
            "split_or_deal/first_parts",
            {"parts": parts, "cells": cells},
            columns=self._table.columns,
        )
        losses = workspace.make(
            "opening the classes to be cut",
            "tree_node_losses",
            "split_or_deal/first_losses",
            {"class_losses": begun.losses},
        )
        for level in range(1, MOST_LEVELS + 2):
            done = level > FIRST_LEVELS and gained < self._effort.least_gain * loss
            if done or largest < 2 * k or level > MOST_LEVELS:
                pieces.append(self._cutting.close_all(opened))
                break
            workspace.reached(level_share(level))
            title = f"cutting classes: level {level}"
            made = self._cutting.allowed(title, opened, k, betas)
            best = self._cutting.best(title, made, node)
            found = workspace.one(
                "split_or_deal/level_gain", {"best_cuts": best, "node_losses": losses}
            )
            cuts, gain, largest = found["cuts"], found["gain"], found["largest"]
            loss -= gain
            pieces.append(self._cutting.close(title, level, opened, best))
            if not cuts:
                break
            opened = self._cutting.open(title, level, made, best)
            losses = workspace.make(
                title, "tree_node_losses", "split_or_deal/node_losses", {"best_cuts": best}
            )
            node += 2 * cuts
            hoped = HOPED_FOR * (gain + gained) // 2
            if beat is not None and level > FIRST_LEVELS and loss - hoped > beat:
                workspace.drop(*pieces)
                return None
            gained = gain
        return self._together(output, pieces)

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
        workspace = self._workspace
        pieces: list[Relation] = []
        title = "dealing the records out"
        opened = workspace.make(
            title,
            "tree_open_0",
            "split_or_deal/first_parts",
            {"parts": parts, "cells": self._table.cells},
            columns=self._table.columns,
        )
        nodes = workspace.make(
            title, "deal_nodes_0", "split_or_deal/deal_root", {}, classes=classes
        )
        node, level, cuts = 1, 0, 1
        while cuts:
            level += 1
            workspace.reached(level_share(level))
            title = f"dealing the records out: level {level}"
            made = self._cutting.dealing(title, opened, nodes)
            best = self._cutting.best(title, made, node, (1,))
            cuts = workspace.rows(best)
            pieces.append(self._cutting.close(title, level, opened, best))
            opened = self._cutting.open(title, level, made, best, (1,))
            nodes = workspace.make(
                title,
                f"deal_nodes_{1 + level % 2}",
                "split_or_deal/deal_nodes",
                {"cut_positions": made["cut_positions"], "best_cuts": best},
            )
            node += 2 * cuts
        return self._together(output, pieces)

    def _together(
        self, output: str, pieces: Sequence[Relation], starts: int = 1, start: int | None = None
    ) -> Relation:
        """The classes in all pieces, or those of one start among several."""
        parts = self._workspace.make(
            "gathering the classes",
            output,
            "split_or_deal/all_parts",
            {f"piece_{place}": piece for place, piece in enumerate(pieces, 1)},
            pieces=pieces,
            starts=starts,
            start=start,
        )
        self._workspace.drop(*pieces)
        return parts
