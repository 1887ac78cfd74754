"""One level of the tree: the cuts of its open nodes, and the best of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlanon.methods.cut.constraints import Cuts, allowed_cuts, close_cuts, measured_exactly
from sqlanon.methods.cut.effort import Effort
from sqlanon.methods.cut.levels import (
    BEGUN,
    BEST,
    CUT_PARTS,
    OPENED,
    RANKED,
    TITLE,
    begin,
    part,
    step,
)
from sqlanon.methods.cut.scales import LossScale, by_alias
from sqlanon.methods.cut.table import Table
from sqlanon.plan import Step, work
from sqlanon.sql.names import Relation, Sql

# The size from which on a side of a pooled cut may be held to a part of t.
LARGE = 60
# Of so many cuts of a node is measured value by value what is measured in bins of all.
MOST_EXACT = 4

CANDIDATES, VALUES = work("tree_attributes"), work("tree_values")
POSITIONS, BLOCKS = work("tree_positions"), work("tree_blocks")
ALLOWED_BY_ALL = work("tree_allowed_by_all")
ALLOWED, LOSSES, NODES = work("tree_allowed"), work("tree_losses"), work("deal_nodes")
CHEAPEST, CLOSE = work("tree_cheapest"), work("tree_close")


def one_by_one(scales: Sequence[LossScale], columns: Sequence[Sql], dealing: bool) -> Step:
    """The parts of every node in the order of its candidate quasi-identifiers.

    Args:
        scales: the quasi-identifiers.
        columns: the codes of a cell.
        dealing: whether nodes may be dealt.
    """
    inputs = {"open_parts": OPENED, "candidate_attributes": CANDIDATES}
    params = {"scales": scales, "columns": columns, "dealing": dealing}
    return step(RANKED, "methods/cut/ranked_parts", inputs, **params)


def by_value(scales: Sequence[LossScale], columns: Sequence[Sql]) -> Step:
    """The same for cuts between values alone: the records of one value are in no order."""
    inputs = {"open_parts": OPENED, "candidate_attributes": CANDIDATES}
    params = {"scales": scales, "columns": columns}
    return step(RANKED, "methods/cut/parts_by_value", inputs, **params)


class Cutting:
    """The steps of a level.

    Args:
        table: what is cut.
        effort: by how many quasi-identifiers, and in how many places.
    """

    def __init__(self, table: Table, effort: Effort) -> None:
        self._table, self._effort = table, effort

    def cut(self, k: int, percent: int) -> Iterator[Step]:
        """Cut every node by the cheapest cut that keeps every model.

        Args:
            k: the least class size.
            percent: to how many percent of t the large sides of pooled cuts are held.
        """
        table, places = self._table, self._effort.cuts
        yield self._candidates(k)
        whole = self._effort.whole_values
        yield self._rank_values() if whole else self._rank()
        yield step(
            POSITIONS,
            "methods/cut/cut_positions",
            {"ranked_parts": VALUES if whole else RANKED},
            shares=self._effort.shares,
            cuts=places,
            k=k,
            whole_values=whole,
        )
        if whole:
            yield self._stretch(places)
        made = {"ranked_parts": RANKED, "cut_positions": POSITIONS}
        if table.dealing:
            yield self._deal(places, dealt_only=False)
            made["block_cuts"] = BLOCKS
        cuts = self._cuts(made, places, k, percent)
        yield from allowed_cuts(cuts, table.constraints, ALLOWED)
        yield self._price(places, table.dealing)
        priced = LOSSES
        if measured_exactly(table.constraints):
            yield step(
                CHEAPEST,
                "methods/cut/cheapest_cuts",
                {"cut_losses": LOSSES},
                most=MOST_EXACT,
            )
            yield from close_cuts(cuts, table.constraints, CHEAPEST, CLOSE, priced=True)
            priced = CLOSE
        yield from self._best(places, table.dealing, priced)

    def deal_whole_blocks(self, k: int) -> Iterator[Step]:
        """Deal every node by the cheapest dealt cut that keeps every model.

        Each block has one value of every sensitive attribute. So whether a cut is allowed does not
        depend on the quasi-identifier, and only nodes with an allowed cut are put in order.
        """
        table, shares = self._table, self._effort.dealt_shares
        places = tuple(range(1, len(shares) + 1))
        columns = [one.alias for one in table.constraints]
        yield step(VALUES, "methods/cut/node_values", {"open_parts": OPENED}, columns=columns, k=k)
        yield step(
            POSITIONS, "methods/cut/share_positions", {"ranked_parts": VALUES}, shares=shares, k=k
        )
        made = {"ranked_parts": VALUES, "cut_positions": POSITIONS}
        yield self._deal(places, dealt_only=False, ranked=VALUES)
        cuts = self._cuts({**made, "block_cuts": BLOCKS}, places, k, 100, pooling=False)
        yield from allowed_cuts(cuts, table.constraints, ALLOWED_BY_ALL)
        yield self._candidates(k, {"allowed_cuts": ALLOWED_BY_ALL})
        there = {"candidate_attributes": CANDIDATES}
        yield step(ALLOWED, "methods/cut/dealt_cuts", {"allowed_cuts": ALLOWED_BY_ALL, **there})
        yield step(
            RANKED,
            "methods/cut/parts_in_blocks",
            {"open_parts": OPENED, **there},
            scales=table.scales,
            columns=table.columns,
        )
        yield self._price(places, dealing=True, pooling=False)
        yield from self._best(places, dealing=True, priced=LOSSES, pooling=False)

    def deal(self) -> Iterator[Step]:
        """Deal every node out by its cheapest dealt cut; all of them are allowed."""
        dealt = {"deal_nodes": NODES}
        yield step(NODES, "methods/cut/deal_nodes", {"open_parts": OPENED})
        yield step(
            CANDIDATES,
            "methods/cut/deal_attributes",
            {"open_parts": OPENED, **dealt},
            scales=self._table.scales,
        )
        yield step(
            POSITIONS,
            "methods/cut/deal_positions",
            {"candidate_attributes": CANDIDATES, **dealt},
        )
        yield self._rank()
        yield self._deal((1,), dealt_only=True)
        yield step(ALLOWED, "methods/cut/deal_cuts", {"cut_positions": POSITIONS})
        yield self._price((1,), dealing=True)
        yield from self._best((1,), dealing=True, priced=LOSSES)

    def _candidates(self, k: int, allowed: Mapping[str, Relation] | None = None) -> Step:
        """The quasi-identifiers by which every node, or every one that may be cut, is cut."""
        scales = self._table.scales
        return step(
            CANDIDATES,
            "methods/cut/candidate_attributes",
            {"open_parts": OPENED, **by_alias(scales), **(allowed or {})},
            scales=scales,
            k=k,
            candidates=self._effort.candidates,
        )

    def _cuts(
        self,
        made: Mapping[str, Relation],
        places: Sequence[int],
        k: int,
        percent: int,
        pooling: bool = True,
    ) -> Cuts:
        return Cuts(
            title=TITLE,
            made=made,
            places=places,
            records=self._table.records,
            k=k,
            percent=percent,
            small=LARGE,
            pooling=pooling,
        )

    def _rank(self) -> Step:
        return one_by_one(self._table.scales, self._table.columns, self._table.dealing)

    def _rank_values(self) -> Step:
        inputs = {"open_parts": OPENED, "candidate_attributes": CANDIDATES}
        return step(VALUES, "methods/cut/ranked_values", inputs, scales=self._table.scales)

    def _stretch(self, cuts: Sequence[int]) -> Step:
        """The parts of every node between neighbouring cuts, taken together."""
        table = self._table
        return step(
            RANKED,
            "methods/cut/value_stretches",
            {"open_parts": OPENED, "cut_positions": POSITIONS},
            scales=table.scales,
            boxed=table.losses.boxed,
            listed=table.losses.listed,
            columns=[one.alias for one in table.constraints],
            cuts=cuts,
        )

    def _deal(self, cuts: Sequence[int], dealt_only: bool, ranked: Relation = RANKED) -> Step:
        return step(
            BLOCKS,
            "methods/cut/block_cuts",
            {"ranked_parts": ranked, "cut_positions": POSITIONS},
            cuts=cuts,
            dealt_only=dealt_only,
        )

    def _price(self, places: Sequence[int], dealing: bool, pooling: bool = True) -> Step:
        """The step that finds the losses of the sides of the allowed cuts."""
        return step(
            LOSSES,
            "methods/cut/cut_losses",
            {
                "ranked_parts": RANKED,
                "cut_positions": POSITIONS,
                **({"block_cuts": BLOCKS} if dealing else {}),
                "allowed_cuts": ALLOWED,
                **self._table.losses.inputs,
            },
            scales=self._table.scales,
            cuts=places,
            pooling=pooling,
            dealing=dealing,
            stretched=self._effort.whole_values,
            **self._table.losses.params,
        )

    def _best(
        self, places: Sequence[int], dealing: bool, priced: Relation, pooling: bool = True
    ) -> Iterator[Step]:
        """The cheapest cuts, and the nodes that they make."""
        yield begin()
        yield step(BEST, "methods/cut/best_cuts", {"begun_level": BEGUN, "cut_losses": priced})
        columns, scales = self._table.columns, self._table.scales
        if self._effort.whole_values:
            made = {"open_parts": OPENED, "cut_positions": POSITIONS, "best_cuts": BEST}
            yield step(
                CUT_PARTS,
                "methods/cut/parts_of_values",
                made,
                scales=scales,
                columns=columns,
                cuts=places,
            )
        else:
            blocks = {"block_cuts": BLOCKS} if dealing else {}
            yield part(columns, RANKED, places, blocks, pooling)
