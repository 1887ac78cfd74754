"""The tree of Split-or-Deal, level by level, and how its classes are refined.

sqlanon, Split-or-Deal §3 to §5. A pooled cut parts a node's records in the order of one
quasi-identifier, as in Mondrian. A dealt cut parts every block of equal sensitive values at the
same proportional rank, so that both sides inherit the node's distribution up to rounding. Of the
cuts whose two sides meet every model, the one that loses least is made; a node without one is a
class.

Refining: neighbouring classes are pooled, and cut again where that loses less. Exchanging: classes
swap records that are alike in all that is asked, and their boxes shrink. §6. A class that is
stretched by few records gives them away, and takes as many of the same kind from other classes: of
the same sensitive values. So every class keeps its number of records and of each value, and every
model goes on to hold. Gowda (2021, §6) proposes such exchanges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlanon.methods.cut.cutting import (
    POSITIONS,
    Cutting,
    Ends,
    border_levels,
    cut_levels,
    deal_levels,
)
from sqlanon.methods.cut.effort import MANY_CELLS, NEXT, Effort
from sqlanon.methods.cut.scales import Grouping, Start, Table, by_alias
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import work
from sqlanon.sql.names import Relation, Sql

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


# Of how many classes the pools of each refining pass are, in turn.
TOGETHER = (8, 4, 16, 2, 32, 8)
# Fewer classes than so many are few, where they were carved: a second pass takes as long as the
# first and saves a third as much; larger pools are much like the table, where the tree lost more.
FEW_CARVED = 320
# The gain below which it ends: a smaller one where k alone is asked, and a pass is cheap; a greater
# one where there are more cells than so many, and a pass takes long.
LEAST_GAIN, LEAST_GAIN_OF_K = 0.003, 0.002
LEAST_GAINS_OF_MANY = ((MANY_CELLS, 0.02), (20_000, 0.01))
# Before the first pass one pool in so many is cut, to see what all are worth; not if they are few.
# Where cells are many it is one in more, as long as so many pools are left.
PROBED, FEW_POOLS = 8, 64
PROBED_OF_MANY = 32


class Refining:
    """Pools classes and cuts the pools again.

    Args:
        tree: cuts classes.
        workspace: makes the work relations.
        table: what is searched.
        effort: how much is tried.
        zones: the classes of which no pool is made of two, if there are such.
    """

    def __init__(
        self, tree: Tree, workspace: Workspace, table: Table, effort: Effort, zones: Relation | None
    ) -> None:
        self._tree, self._workspace, self._table = tree, workspace, table
        self._effort, self._zones = effort, zones

    def refined(
        self, best: Grouping, carved: bool, asked: int | None
    ) -> tuple[Grouping, list[float]]:
        """Pool neighbouring classes and cut the pools again, as long as it pays.

        Args:
            best: the classes.
            carved: whether they were carved.
            asked: how often at most; None if as the effort says.

        Returns:
            The classes, and the loss of a record after every pass.
        """
        now = self._tree.grouping(best.parts, "refine_losses")
        least, losses = self._least_gain(), list[float]()
        for turn in range(self._effort.refine if asked is None else asked):
            together = TOGETHER[turn % len(TOGETHER)]
            # One pool of all classes is the table, which was cut alone.
            alone = self._effort.pooled_percents and not turn and now.classes <= together
            few = carved and self._table.constraints and now.classes < FEW_CARVED
            enough = asked is None and few and turn >= self._effort.refine_few
            if not now.loss or alone or enough:
                break
            before = now
            # For k alone a probe would only lead the passes elsewhere.
            probes = self._table.constraints and now.classes >= FEW_POOLS * together
            if not turn and probes:
                probed = self._probed(now.classes // together)
                now = self._pass(turn, now, probed)
                if (before.loss - now.loss) * probed < least * before.loss:
                    losses.append(self._table.share(now.loss))
                    break
            now = self._pass(turn, now)
            losses.append(self._table.share(now.loss))
            if before.loss - now.loss < least * before.loss:
                break
        return now, losses

    def _least_gain(self) -> float:
        cells = self._workspace.rows(self._table.cells)
        for many, least in LEAST_GAINS_OF_MANY:
            if cells > many:
                return least
        return LEAST_GAIN if self._table.constraints else LEAST_GAIN_OF_K

    def _probed(self, pools: int) -> int:
        """Of how many pools one is cut to see what all are worth."""
        if self._workspace.rows(self._table.cells) <= MANY_CELLS:
            return PROBED
        return max(PROBED, min(PROBED_OF_MANY, pools // FEW_POOLS))

    def _pass(self, turn: int, before: Grouping, every: int = 1) -> Grouping:
        """One pass, along another curve and with pools of another size each turn.

        Args:
            turn: which pass it is, from 0.
            before: the classes.
            every: of how many pools one is cut again, evenly spread; the others are kept.
        """
        workspace, table = self._workspace, self._table
        count = len(table.scales)
        order = [(index * (-1) ** turn + turn) % count for index in range(count)]
        title = f"refining the classes: pass {turn + 1}"
        pools = workspace.make(
            title,
            "refine_pools",
            "methods/split_or_deal/class_pools",
            {
                "parts": before.parts,
                "cells": table.cells,
                "class_losses": before.losses,
                **by_alias(table.scales),
                **({} if self._zones is None else {"zones": self._zones}),
            },
            scales=table.scales,
            order=[table.scales[index].alias for index in order],
            bits=max(1, min(5, 48 // count)),
            offset=turn * 37 % 100,
            shift=turn % 2,
            together=TOGETHER[turn % len(TOGETHER)],
            every=every,
        )
        pooled = workspace.make(
            title,
            "refine_pooled",
            "methods/split_or_deal/pooled_parts",
            {"parts": before.parts, "class_pools": pools},
        )
        with workspace.part(NEXT):
            cut = self._tree.cut(Start(pooled), "refine_cut", k=table.k)
        new = self._tree.grouping(cut, "refine_new_losses")
        better = workspace.make(
            title,
            "refine_better",
            "methods/split_or_deal/better_pools",
            {"class_pools": pools, "class_losses": new.losses},
        )
        parts = workspace.make(
            title,
            "refine_probed" if every > 1 else f"refine_parts_{turn % 2}",
            "methods/split_or_deal/refined_parts",
            {"parts": before.parts, "new_parts": cut, "class_pools": pools, "better_pools": better},
        )
        return self._tree.grouping(parts, "refine_losses")


TITLE = "exchanging records between classes"
# Of how many records an offer is at most, and how many partners a class asks for each of them.
MOST, WISHES = 16, 6
# A turn compares classes with cells; more comparisons than these take longer than all the rest.
MOST_COMPARED = 60_000_000


class Exchange:
    """Exchanges records between classes, turn by turn.

    Args:
        tree: measures what classes lose.
        workspace: makes the work relations.
        table: what is searched.
        effort: how many turns there are at most, and what a turn has to gain.
        zones: the classes between which nothing is exchanged, if there are such.
    """

    def __init__(
        self, tree: Tree, workspace: Workspace, table: Table, effort: Effort, zones: Relation | None
    ) -> None:
        self._tree, self._workspace, self._table = tree, workspace, table
        self._effort, self._zones = effort, zones

    def exchanged(self, now: Grouping) -> tuple[Relation, list[float]]:
        """Exchange records as long as it pays.

        Returns:
            The classes, and the loss of a record after every turn.
        """
        losses = list[float]()
        compared = now.classes * self._workspace.rows(self._table.cells)
        if not (self._effort.exchanges and self._table.losses.boxed and compared <= MOST_COMPARED):
            return now.parts, losses
        kinds = self._make("exchange_cells", {"cells": self._table.cells}, alike=self._alike)
        open_classes: Relation | None = None
        for turn in range(1, self._effort.exchanges + 1):
            if not now.loss:
                break
            before = now
            new, open_classes = self._turn(turn, now.parts, kinds, open_classes)
            now = self._tree.grouping(new, "exchange_losses")
            if now.loss >= before.loss:
                return before.parts, losses
            losses.append(self._table.share(now.loss))
            if before.loss - now.loss < self._effort.exchange_gain * before.loss:
                break
        return now.parts, losses

    @property
    def _alike(self) -> tuple[Sql, ...]:
        """The codes in which records of a kind agree: those that a model or the loss counts."""
        asked = (constraint.alias for constraint in self._table.constraints)
        return (*asked, *(scale.alias for scale in self._table.losses.listed))

    def _turn(
        self, turn: int, parts: Relation, kinds: Relation, open_classes: Relation | None
    ) -> tuple[Relation, Relation]:
        """The classes after one turn, and those whose offers are worth trying in the next."""
        made = {"parts": parts, "exchange_cells": kinds}
        losses = self._table.losses
        zones = {} if self._zones is None else {"zones": self._zones}
        boxes = self._make("exchange_boxes", made | zones)
        tried = {} if open_classes is None else {"exchange_open": open_classes}
        offers = self._make(
            "exchange_offers",
            made | losses.inputs | tried,
            turn=turn,
            most=MOST,
            offers=self._effort.offers,
        )
        made["exchange_offers"] = offers
        given = self._make("exchange_given", made)
        there = {"exchange_given": given, "exchange_cells": kinds, "exchange_boxes": boxes}
        near = self._make("exchange_near", there)
        partners = self._make(
            "exchange_partners", made | there | losses.inputs | {"exchange_near": near}
        )
        wishes = self._make("exchange_wishes", {"exchange_partners": partners})
        wished = {"exchange_partners": partners, "exchange_wishes": wishes}
        met = self._make("exchange_met", wished, turn=turn, wishes=WISHES)
        agreed = {"exchange_met": met, "exchange_offers": offers, "exchange_cells": kinds}
        exchanges = self._make("exchange_made", agreed)
        new = self._make(
            "exchanged_parts",
            {"parts": parts, "exchange_made": exchanges},
            f"exchanged_parts_{turn % 2}",
        )
        after = {"exchange_wishes": wishes, "exchange_made": exchanges}
        return new, self._make("exchange_open", after)

    def _make(
        self, template: str, inputs: Mapping[str, Relation], name: str | None = None, **params: Any
    ) -> Relation:
        """One relation of a turn, by default under its template's name."""
        return self._workspace.make(
            TITLE,
            name or template,
            f"methods/split_or_deal/{template}",
            inputs,
            **self._table.losses.params,
            **params,
        )
