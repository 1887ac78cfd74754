"""The tree of Split-or-Deal: cut every class by its cheapest allowed cut, level by level.

sqlanon, Split-or-Deal §3 to §5. A pooled cut parts a node's records in the order of one
quasi-identifier, as in Mondrian. A dealt cut parts every block of equal sensitive values at the
same proportional rank, so that both sides inherit the node's distribution up to rounding. Of the
cuts whose two sides meet every model, the one that loses least is made; a node without one is a
class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlanon.methods.split_or_deal.effort import Effort
from sqlanon.methods.split_or_deal.scales import Losses, Scale, by_alias
from sqlanon.methods.tested import Test, measure_sides
from sqlanon.methods.workspace import Workspace, level_share
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

# The size from which on a side of a pooled cut may be held to a part of t.
SMALL = 60
MOST_LEVELS = 60
# However little they save, so many levels are cut.
FIRST_LEVELS = 4
# It is given up when even so many more levels, each as good as the last two on average, would not
# make it better than what is known.
HOPED_FOR = 8


@dataclass(frozen=True)
class Table:
    """The table that is searched.

    Attributes:
        cells: cell_id, stratum, records and the codes of every cell, as numbered on the scales.
        records: how many records there are.
        scales: the quasi-identifiers.
        tests: the sensitive attributes of which something is asked.
        k: the least class size.
        dealing: whether nodes may be dealt; without strata a dealt cut would be a pooled one.
        losses: what publishing a class loses.
    """

    cells: Relation
    records: int
    scales: tuple[Scale, ...]
    tests: tuple[Test, ...]
    k: int
    dealing: bool
    losses: Losses

    @property
    def columns(self) -> tuple[Sql, ...]:
        """The codes of a cell."""
        return (*(one.alias for one in self.scales), *(one.alias for one in self.tests))


@dataclass(frozen=True)
class Start:
    """Classes of the whole table, to be cut further.

    Attributes:
        parts: the classes.
        beta: to how many percent of t the large sides of pooled cuts are held, so that they can be
            cut further.
    """

    parts: Relation
    beta: int = 100


@dataclass(frozen=True)
class Grouping:
    """Classes that were found.

    Attributes:
        parts: how many records of every cell each class has.
        classes: how many classes there are.
        largest: how many records the largest has.
        loss: what they lose together, in units times records.
        losses: what each of them loses.
    """

    parts: Relation
    classes: int
    largest: int
    loss: int
    losses: Relation


class Tree:
    """Cuts the classes of a table.

    Args:
        workspace: makes the work relations.
        table: what is cut.
        effort: by how many quasi-identifiers, and in how many places.
    """

    def __init__(self, workspace: Workspace, table: Table, effort: Effort) -> None:
        self._effort, self._cuts = effort, effort.cuts
        self._workspace = workspace
        self._table = table
        self._scales = by_alias(table.scales)

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
                pieces.append(self._close_all(opened))
                break
            workspace.reached(level_share(level))
            title = f"cutting classes: level {level}"
            made = self._candidate_cuts(title, opened, k, betas)
            best = self._best_cuts(title, made, node)
            found = workspace.one(
                "split_or_deal/level_gain", {"best_cuts": best, "node_losses": losses}
            )
            cuts, gain, largest = found["cuts"], found["gain"], found["largest"]
            loss -= gain
            pieces.append(self._close(title, level, opened, best))
            if not cuts:
                break
            opened = self._open(title, level, made, best)
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
            made = self._dealing_cuts(title, opened, nodes)
            best = self._best_cuts(title, made, node, (1,))
            cuts = workspace.rows(best)
            pieces.append(self._close(title, level, opened, best))
            opened = self._open(title, level, made, best, (1,))
            nodes = workspace.make(
                title,
                f"deal_nodes_{1 + level % 2}",
                "split_or_deal/deal_nodes",
                {"cut_positions": made["cut_positions"], "best_cuts": best},
            )
            node += 2 * cuts
        return self._together(output, pieces)

    def _candidate_cuts(
        self, title: str, opened: Relation, k: int, betas: Sequence[int]
    ) -> dict[str, Relation]:
        """The cuts of every open node that keep every model, and what they are made of."""
        candidates = self._workspace.make(
            title,
            "tree_attributes",
            "split_or_deal/candidate_attributes",
            {"open_parts": opened, **self._scales},
            scales=self._table.scales,
            k=k,
            candidates=self._effort.candidates,
        )
        ranked = self._ranked(title, opened, candidates)
        positions = self._workspace.make(
            title,
            "tree_positions",
            "split_or_deal/cut_positions",
            {"ranked_parts": ranked},
            shares=self._effort.shares,
            cuts=self._cuts,
            k=k,
        )
        made = {"ranked_parts": ranked, "cut_positions": positions}
        if self._table.dealing:
            made["block_cuts"] = self._blocks(title, made, self._cuts, dealt_only=False)
        measured: dict[str, Relation] = {}
        for test in self._table.tests:
            measured |= measure_sides(
                self._workspace, title, test, made, self._cuts, self._table.records
            )
        allowed = self._workspace.make(
            title,
            "tree_allowed",
            "split_or_deal/allowed_cuts",
            {"cut_positions": positions, **measured}
            | ({"open_parts": opened} if len(set(betas)) > 1 else {}),
            conditions=[one for test in self._table.tests for one in test.conditions],
            measures=[one for test in self._table.tests for one in test.measures],
            dealing=self._table.dealing,
            cuts=self._cuts,
            k=k,
            betas=betas,
            small=SMALL,
        )
        return {**made, "allowed_cuts": allowed}

    def _dealing_cuts(self, title: str, opened: Relation, nodes: Relation) -> dict[str, Relation]:
        """The cut of every node by every quasi-identifier, all of them allowed."""
        candidates = self._workspace.make(
            title,
            "tree_attributes",
            "split_or_deal/deal_attributes",
            {"open_parts": opened, "deal_nodes": nodes},
            scales=self._table.scales,
        )
        positions = self._workspace.make(
            title,
            "tree_positions",
            "split_or_deal/deal_positions",
            {"candidate_attributes": candidates, "deal_nodes": nodes},
        )
        ranked = self._ranked(title, opened, candidates)
        made = {"ranked_parts": ranked, "cut_positions": positions}
        made["block_cuts"] = self._blocks(title, made, (1,), dealt_only=True)
        allowed = self._workspace.make(
            title, "tree_allowed", "split_or_deal/deal_cuts", {"cut_positions": positions}
        )
        return {**made, "allowed_cuts": allowed}

    def _ranked(self, title: str, opened: Relation, candidates: Relation) -> Relation:
        return self._workspace.make(
            title,
            "tree_ranked",
            "split_or_deal/ranked_parts",
            {"open_parts": opened, "candidate_attributes": candidates},
            scales=self._table.scales,
            columns=self._table.columns,
            dealing=self._table.dealing,
        )

    def _blocks(
        self, title: str, made: Mapping[str, Relation], cuts: Sequence[int], dealt_only: bool
    ) -> Relation:
        return self._workspace.make(
            title, "tree_blocks", "split_or_deal/block_cuts", made, cuts=cuts, dealt_only=dealt_only
        )

    def _best_cuts(
        self, title: str, made: Mapping[str, Relation], node: int, cuts: Sequence[int] | None = None
    ) -> Relation:
        """The cut of every node that loses least; the nodes it makes are numbered from ``node``."""
        losses = self._workspace.make(
            title,
            "tree_losses",
            "split_or_deal/cut_losses",
            {**made, **self._table.losses.inputs},
            scales=self._table.scales,
            cuts=cuts or self._cuts,
            dealing=self._table.dealing,
            **self._table.losses.params,
        )
        return self._workspace.make(
            title, "tree_best", "split_or_deal/best_cuts", {"cut_losses": losses}, next_node=node
        )

    def _close(self, title: str, level: int, opened: Relation, best: Relation) -> Relation:
        return self._workspace.make(
            title,
            f"tree_closed_{level}",
            "split_or_deal/closed_parts",
            {"open_parts": opened, "best_cuts": best},
        )

    def _close_all(self, opened: Relation) -> Relation:
        title = "closing the classes that are cut no further"
        return self._workspace.make(
            title, "tree_closed_last", "split_or_deal/last_parts", {"open_parts": opened}
        )

    def _open(
        self,
        title: str,
        level: int,
        made: Mapping[str, Relation],
        best: Relation,
        cuts: Sequence[int] | None = None,
    ) -> Relation:
        return self._workspace.make(
            title,
            f"tree_open_{1 + level % 2}",
            "split_or_deal/next_parts",
            {
                **{name: made[name] for name in ("ranked_parts", "block_cuts") if name in made},
                "best_cuts": best,
            },
            columns=self._table.columns,
            cuts=cuts or self._cuts,
            dealing=self._table.dealing,
        )

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
