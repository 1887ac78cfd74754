"""A tree of cuts, level by level: what is the same however the cuts are found.

A level is given the open nodes. Its steps find the best cut for some of them; those without one are
classes, and the two sides of each cut are the nodes of the next level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.methods.cut.constraints import (
    Cuts,
    SensitiveConstraint,
    allowed_cuts,
    close_cuts,
    measured_exactly,
)
from sqlanon.methods.cut.effort import Effort
from sqlanon.methods.cut.scales import LossScale, Table, by_alias
from sqlanon.plan import Loop, SearchOnCells, Step, work
from sqlanon.sql.names import Relation, Sql

TITLE = "cutting classes"
# The open parts of a level and these in order, its begin and end, its chosen cuts, and the nodes
# that these make.
RANKED = work("tree_ranked")
OPENED, BEGUN, ENDED = work("tree_open"), work("tree_begun"), work("tree_ended")
BEST, CUT_PARTS = work("tree_best"), work("tree_cut")
DONE, LEFT = work("tree_done_in"), work("tree_left_in")

_GIVEN = ("level", "lost", "gained", "node", "node_loss", "root", "cell_id", "records", "stratum")
_DONE = ("node", "root", "cell_id", "records", "level")
_BORDERS = ("node", "level", "attribute", "border", "left_node", "right_node")


@dataclass(frozen=True)
class Ends:
    """When a tree ends before no node has a cut: it is the last level if any of this holds.

    Attributes:
        most_levels: so many levels were cut.
        first_levels: so many are cut at least.
        least_gain: a level saved less than this share of the loss.
        beat: what the tree is to lose less than; None if nothing is known.
        hoped_for: even so many more levels would not make it so.
    """

    most_levels: int
    first_levels: int
    least_gain: Fraction
    beat: int | None
    hoped_for: int


@dataclass(frozen=True)
class CutSearch(SearchOnCells):
    """A search for classes by cuts.

    Attributes:
        cells: a row for each combination of codes in the data: cell_id, q1, …, s1, …, records.
        parts: the relation to make: how many records of each cell go to each class, as cell_id,
            class_id (from 0, without gaps) and records.
        quasi: the quasi-identifiers.
        sensitive: the sensitive attributes with what is asked of them.
        k: the least class size, at most the number of records.
    """

    cells: Relation
    parts: Relation
    quasi: tuple[QuasiIdentifierScale, ...]
    sensitive: tuple[SensitiveConstraint, ...]
    k: int

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.parts


def step(output: Relation, template: str, inputs: Mapping[str, Relation], **params: Any) -> Step:
    """One step of a level."""
    return Step(TITLE, output, template, inputs, params)


def begin() -> Step:
    """Where a level begins, which its chosen cuts are numbered from."""
    return step(BEGUN, "methods/cut/begun_level", {"open_parts": OPENED})


def part(
    columns: Sequence[Sql],
    ranked: Relation,
    cuts: Sequence[int],
    blocks: Mapping[str, Relation] | None = None,
    pooling: bool = True,
) -> Step:
    """The records of every node that is cut, on the two sides of its cut.

    Args:
        columns: the codes of a cell.
        ranked: the parts of the nodes in order.
        cuts: the places of a node's cuts.
        blocks: the cuts of every block, where nodes may be dealt.
        pooling: whether cuts are pooled as well.
    """
    return step(
        CUT_PARTS,
        "methods/cut/cut_parts",
        {"ranked_parts": ranked, **(blocks or {}), "best_cuts": BEST},
        columns=columns,
        cuts=cuts,
        pooling=pooling,
        dealing=bool(blocks),
    )


def cut_levels(
    first: Relation, columns: Sequence[Sql], steps: Iterable[Step], ends: Ends | None = None
) -> Loop:
    """All levels of a tree.

    Args:
        first: the classes to be cut.
        columns: the codes of a cell.
        steps: what a level makes: its begin, its chosen cuts and the nodes that these make.
        ends: when it ends earlier.
    """
    ended = step(
        ENDED,
        "methods/cut/ended_level",
        {"open_parts": OPENED, "begun_level": BEGUN, "best_cuts": BEST},
        ends=ends,
    )
    after = {"cut_parts": CUT_PARTS, "ended_level": ENDED}
    cut = {"open_parts": OPENED, "best_cuts": BEST, **after}
    return _loop(
        first,
        (*_GIVEN, *columns),
        (*steps, ended),
        step(DONE, "methods/cut/done_parts", cut),
        step(LEFT, "methods/cut/left_parts", after, columns=columns),
    )


def border_levels(
    first: Relation,
    columns: Sequence[Sql],
    steps: Iterable[Step],
    ends: Ends,
    positions: Relation,
    cuts: Sequence[int],
) -> Loop:
    """All levels of a tree of which the cuts are wanted, and not the classes.

    Args:
        first: the classes to be cut, between values alone.
        columns: the codes of a cell.
        steps: what a level makes: its begin, its chosen cuts and the nodes that these make.
        ends: when it ends earlier.
        positions: the cuts of a level.
        cuts: the places of a node's cuts.
    """
    levels = cut_levels(first, columns, steps, ends)
    read = {"begun_level": BEGUN, "cut_positions": positions, "best_cuts": BEST}
    return replace(
        levels,
        done=step(DONE, "methods/cut/borders", read, cuts=cuts),
        done_columns=tuple(map(Sql, _BORDERS)),
    )


def deal_levels(
    first: Relation, columns: Sequence[Sql], steps: Iterable[Step], positions: Relation
) -> Loop:
    """All levels of a tree whose nodes are dealt out to a number of classes each.

    Args:
        first: the table as one node.
        columns: the codes of a cell.
        steps: what a level makes.
        positions: the cuts, with the classes of either side.
    """
    read = {"begun_level": BEGUN, "cut_positions": positions, "cut_parts": CUT_PARTS}
    return _loop(
        first,
        (*_GIVEN, "classes", *columns),
        tuple(steps),
        step(DONE, "methods/cut/done_parts", {"open_parts": OPENED, "best_cuts": BEST}),
        step(LEFT, "methods/cut/deal_parts", {**read, "best_cuts": BEST}, columns=columns),
    )


def _loop(
    first: Relation, given: Sequence[str], steps: tuple[Step, ...], done: Step, left: Step
) -> Loop:
    return Loop(
        title=TITLE,
        turn="level",
        output=work("tree_done"),
        first=first,
        given=OPENED,
        columns=tuple(map(Sql, given)),
        steps=steps,
        done=done,
        done_columns=tuple(map(Sql, _DONE)),
        left=left,
    )


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
        table, numbers = self._table, self._effort.cuts
        yield self._candidates(k)
        whole = self._effort.whole_values
        yield self._rank_values() if whole else self._rank()
        yield step(
            POSITIONS,
            "methods/cut/cut_positions",
            {"ranked_parts": VALUES if whole else RANKED},
            shares=self._effort.shares,
            cuts=numbers,
            k=k,
            whole_values=whole,
        )
        if whole:
            yield self._stretch(numbers)
        made = {"ranked_parts": RANKED, "cut_positions": POSITIONS}
        if table.dealing:
            yield self._deal(numbers, dealt_only=False)
            made["block_cuts"] = BLOCKS
        cuts = self._cuts(made, numbers, k, percent)
        yield from allowed_cuts(cuts, table.constraints, ALLOWED)
        yield self._price(numbers, table.dealing)
        priced = LOSSES
        if measured_exactly(table.constraints):
            yield step(
                CHEAPEST, "methods/cut/cheapest_cuts", {"cut_losses": LOSSES}, most=MOST_EXACT
            )
            yield from close_cuts(cuts, table.constraints, CHEAPEST, CLOSE, priced=True)
            priced = CLOSE
        yield from self._best(numbers, table.dealing, priced)

    def deal_whole_blocks(self, k: int) -> Iterator[Step]:
        """Deal every node by the cheapest dealt cut that keeps every model.

        Each block has one value of every sensitive attribute. So whether a cut is allowed does not
        depend on the quasi-identifier, and only nodes with an allowed cut are put in order.
        """
        table, shares = self._table, self._effort.dealt_shares
        numbers = tuple(range(1, len(shares) + 1))
        columns = [constraint.alias for constraint in table.constraints]
        yield step(VALUES, "methods/cut/node_values", {"open_parts": OPENED}, columns=columns, k=k)
        yield step(
            POSITIONS, "methods/cut/share_positions", {"ranked_parts": VALUES}, shares=shares, k=k
        )
        made = {"ranked_parts": VALUES, "cut_positions": POSITIONS}
        yield self._deal(numbers, dealt_only=False, ranked=VALUES)
        cuts = self._cuts({**made, "block_cuts": BLOCKS}, numbers, k, 100, pooling=False)
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
        yield self._price(numbers, dealing=True, pooling=False)
        yield from self._best(numbers, dealing=True, priced=LOSSES, pooling=False)

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
            POSITIONS, "methods/cut/deal_positions", {"candidate_attributes": CANDIDATES, **dealt}
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
        numbers: Sequence[int],
        k: int,
        percent: int,
        pooling: bool = True,
    ) -> Cuts:
        return Cuts(
            title=TITLE,
            made=made,
            numbers=numbers,
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
            columns=[constraint.alias for constraint in table.constraints],
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

    def _price(self, numbers: Sequence[int], dealing: bool, pooling: bool = True) -> Step:
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
            cuts=numbers,
            pooling=pooling,
            dealing=dealing,
            stretched=self._effort.whole_values,
            **self._table.losses.params,
        )

    def _best(
        self, numbers: Sequence[int], dealing: bool, priced: Relation, pooling: bool = True
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
                cuts=numbers,
            )
        else:
            blocks = {"block_cuts": BLOCKS} if dealing else {}
            yield part(columns, RANKED, numbers, blocks, pooling)
