"""One level of the tree: the cuts of its open nodes, and the best of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlanon.methods.split_or_deal.effort import Effort
from sqlanon.methods.split_or_deal.levels import BEGUN, BEST, OPENED, TITLE, begin, part, step
from sqlanon.methods.split_or_deal.scales import by_alias
from sqlanon.methods.split_or_deal.table import Table
from sqlanon.methods.tested import sides
from sqlanon.plan import Step, work
from sqlanon.sql import Relation

# The size from which on a side of a pooled cut may be held to a part of t.
SMALL = 60

CANDIDATES, RANKED = work("tree_attributes"), work("tree_ranked")
POSITIONS, BLOCKS = work("tree_positions"), work("tree_blocks")
ALLOWED, LOSSES, NODES = work("tree_allowed"), work("tree_losses"), work("deal_nodes")


class Cutting:
    """The steps of a level.

    Args:
        table: what is cut.
        effort: by how many quasi-identifiers, and in how many places.
    """

    def __init__(self, table: Table, effort: Effort) -> None:
        self._table, self._effort = table, effort

    def cut(self, k: int, betas: Sequence[int]) -> Iterator[Step]:
        """Cut every node by the cheapest cut that keeps every model.

        Args:
            k: the least class size.
            betas: to how many percent of t the large sides of pooled cuts are held, for each start.
        """
        table, cuts = self._table, self._effort.cuts
        yield step(
            CANDIDATES,
            "split_or_deal/candidate_attributes",
            {"open_parts": OPENED, **by_alias(table.scales)},
            scales=table.scales,
            k=k,
            candidates=self._effort.candidates,
        )
        yield self._rank()
        yield step(
            POSITIONS,
            "split_or_deal/cut_positions",
            {"ranked_parts": RANKED},
            shares=self._effort.shares,
            cuts=cuts,
            k=k,
        )
        made = {"ranked_parts": RANKED, "cut_positions": POSITIONS}
        if table.dealing:
            yield self._deal(cuts, dealt_only=False)
            made["block_cuts"] = BLOCKS
        measured: dict[str, Relation] = {}
        for test in table.tests:
            yield from sides(TITLE, test, made, cuts, table.records)
            measured |= {one.name: one.relation for one in test.measures}
        yield step(
            ALLOWED,
            "split_or_deal/allowed_cuts",
            {"cut_positions": POSITIONS, **measured}
            | ({"open_parts": OPENED} if len(set(betas)) > 1 else {}),
            conditions=[one for test in table.tests for one in test.conditions],
            measures=[one for test in table.tests for one in test.measures],
            dealing=table.dealing,
            cuts=cuts,
            k=k,
            betas=betas,
            small=SMALL,
        )
        yield from self._best(cuts, table.dealing)

    def deal(self) -> Iterator[Step]:
        """Deal every node out by its cheapest dealt cut; all of them are allowed."""
        dealt = {"deal_nodes": NODES}
        yield step(NODES, "split_or_deal/deal_nodes", {"open_parts": OPENED})
        yield step(
            CANDIDATES,
            "split_or_deal/deal_attributes",
            {"open_parts": OPENED, **dealt},
            scales=self._table.scales,
        )
        yield step(
            POSITIONS,
            "split_or_deal/deal_positions",
            {"candidate_attributes": CANDIDATES, **dealt},
        )
        yield self._rank()
        yield self._deal((1,), dealt_only=True)
        yield step(ALLOWED, "split_or_deal/deal_cuts", {"cut_positions": POSITIONS})
        yield from self._best((1,), dealing=True)

    def _rank(self) -> Step:
        return step(
            RANKED,
            "split_or_deal/ranked_parts",
            {"open_parts": OPENED, "candidate_attributes": CANDIDATES},
            scales=self._table.scales,
            columns=self._table.columns,
            dealing=self._table.dealing,
        )

    def _deal(self, cuts: Sequence[int], dealt_only: bool) -> Step:
        return step(
            BLOCKS,
            "split_or_deal/block_cuts",
            {"ranked_parts": RANKED, "cut_positions": POSITIONS},
            cuts=cuts,
            dealt_only=dealt_only,
        )

    def _best(self, cuts: Sequence[int], dealing: bool) -> Iterator[Step]:
        """The best of the allowed cuts, and the nodes that they make."""
        blocks = {"block_cuts": BLOCKS} if dealing else {}
        yield begin()
        yield step(
            LOSSES,
            "split_or_deal/cut_losses",
            {
                "ranked_parts": RANKED,
                "cut_positions": POSITIONS,
                **blocks,
                "allowed_cuts": ALLOWED,
                **self._table.losses.inputs,
            },
            scales=self._table.scales,
            cuts=cuts,
            dealing=dealing,
            **self._table.losses.params,
        )
        yield step(
            BEST, "split_or_deal/best_cuts", {"begun_level": BEGUN, "cut_losses": LOSSES}
        )
        yield part(self._table.columns, RANKED, cuts, blocks)
