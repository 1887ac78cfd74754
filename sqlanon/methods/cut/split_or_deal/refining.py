"""Refining: neighbouring classes are pooled, and cut again where that loses less."""

from __future__ import annotations

from sqlanon.methods.cut.effort import MANY_CELLS, NEXT, Effort
from sqlanon.methods.cut.scales import by_alias
from sqlanon.methods.cut.table import Grouping, Start, Table
from sqlanon.methods.cut.tree import Tree
from sqlanon.methods.workspace import Workspace
from sqlanon.sql.names import Relation

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
        order = [(place * (-1) ** turn + turn) % count for place in range(count)]
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
            order=[table.scales[place].alias for place in order],
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
            {
                "parts": before.parts,
                "new_parts": cut,
                "class_pools": pools,
                "better_pools": better,
            },
        )
        return self._tree.grouping(parts, "refine_losses")
