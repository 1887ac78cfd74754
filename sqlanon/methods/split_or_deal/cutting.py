"""One level of the tree: the cuts of its open nodes, the best of each, and the nodes it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlanon.methods.split_or_deal.effort import Effort
from sqlanon.methods.split_or_deal.scales import by_alias
from sqlanon.methods.split_or_deal.table import Table
from sqlanon.methods.tested import measure_sides
from sqlanon.methods.workspace import Workspace
from sqlanon.sql import Relation

# The size from which on a side of a pooled cut may be held to a part of t.
SMALL = 60


class Cutting:
    """Cuts the nodes of a level.

    Args:
        workspace: makes the work relations.
        table: what is cut.
        effort: by how many quasi-identifiers, and in how many places.
    """

    def __init__(self, workspace: Workspace, table: Table, effort: Effort) -> None:
        self._workspace, self._table = workspace, table
        self._effort, self._cuts = effort, effort.cuts
        self._scales = by_alias(table.scales)

    def allowed(
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

    def dealing(self, title: str, opened: Relation, nodes: Relation) -> dict[str, Relation]:
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

    def best(
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

    def close(self, title: str, level: int, opened: Relation, best: Relation) -> Relation:
        """The nodes of a level that are cut no further."""
        return self._workspace.make(
            title,
            f"tree_closed_{level}",
            "split_or_deal/closed_parts",
            {"open_parts": opened, "best_cuts": best},
        )

    def close_all(self, opened: Relation) -> Relation:
        """All open nodes: none of them is cut any more."""
        title = "closing the classes that are cut no further"
        return self._workspace.make(
            title, "tree_closed_last", "split_or_deal/last_parts", {"open_parts": opened}
        )

    def open(
        self,
        title: str,
        level: int,
        made: Mapping[str, Relation],
        best: Relation,
        cuts: Sequence[int] | None = None,
    ) -> Relation:
        """The nodes that the best cuts make."""
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
