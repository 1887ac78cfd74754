"""A tree of cuts, level by level: what is the same however the cuts are found.

A level is given the open nodes. Its steps find a cut for some of them; those without one are
classes, and the two sides of each cut are the nodes of the next level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlanon.plan import Loop, Step, work
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
