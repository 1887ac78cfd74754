"""Which node of the lattice is chosen: the methods, as choices of one search.

Nodes are judged from coarse to fine. Where all models allow it, the nodes below a node that is not
satisfied are passed over. Nodes that cannot lose less than the best so far are, with all models.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from sqlanon.methods.level.judging import Judge
from sqlanon.methods.level.nodes import Lattice, Node

ChoiceName = Literal["optimal", "samarati", "incognito", "datafly"]


@dataclass(frozen=True)
class Choice:
    """The node that was chosen, if there is any, and those that it was chosen among.

    Attributes:
        node: the node.
        minimal: with incognito, all nodes that are satisfied while none below is.
    """

    node: Node | None
    minimal: tuple[Node, ...] = ()


def choose(name: ChoiceName, lattice: Lattice, judge: Judge) -> Choice:
    """Search the lattice."""
    return _CHOICES[name](lattice, judge)


def _optimal(lattice: Lattice, judge: Judge) -> Choice:
    """The least loss; of equal losses the fewest suppressed records, then the least height."""
    best: list[tuple[int, int, int, Node]] = []

    def most_loss() -> int | None:
        return best[0][0] if best else None

    def judged(node: Node) -> None:
        found = judge.found[node]
        if judge.satisfied(node):
            best[:] = [min([*best, (found.loss, found.failing, sum(node), node)])]

    _walk(lattice, judge, judged, most_loss=most_loss)
    return Choice(best[0][-1] if best else None)


def _samarati(lattice: Lattice, judge: Judge) -> Choice:
    """The least height; of equal heights the least loss."""
    best: list[tuple[int, int, Node]] = []

    def judged(node: Node) -> None:
        if judge.satisfied(node):
            best[:] = [min([*best, (sum(node), judge.found[node].loss, node)])]

    _walk(lattice, judge, judged, most_height=lambda: best[0][0] if best else None)
    return Choice(best[0][-1] if best else None)


def _incognito(lattice: Lattice, judge: Judge) -> Choice:
    """All minimal nodes, and of these the one that loses least."""
    satisfied: set[Node] = set()

    def judged(node: Node) -> None:
        if judge.satisfied(node):
            satisfied.add(node)

    _walk(lattice, judge, judged)
    beyond: set[Node] = set()  # nodes above a satisfied one
    for stretch in reversed(list(lattice.stretches())):
        for node in reversed(stretch):
            if any(one in satisfied or one in beyond for one in lattice.below(node)):
                beyond.add(node)
    minimal = sorted(satisfied - beyond)
    keys = [(judge.found[node].loss, sum(node), node) for node in minimal]
    return Choice(min(keys)[-1] if keys else None, tuple(minimal))


def _datafly(lattice: Lattice, judge: Judge) -> Choice:
    """From the bottom up the attribute with most groups goes a level higher, until it is enough."""
    node = lattice.bottom
    while True:
        judge.judge([node])
        if judge.satisfied(node):
            return Choice(node)
        higher = [
            (-one.size(level), place)
            for place, (one, level) in enumerate(zip(lattice.dimensions, node, strict=True))
            if level < one.levels_used[-1]
        ]
        if not higher:
            return Choice(None)
        place = min(higher)[1]
        node = (*node[:place], node[place] + 1, *node[place + 1 :])


_CHOICES: dict[ChoiceName, Callable[[Lattice, Judge], Choice]] = {
    "optimal": _optimal,
    "samarati": _samarati,
    "incognito": _incognito,
    "datafly": _datafly,
}


def _walk(
    lattice: Lattice,
    judge: Judge,
    judged: Callable[[Node], None],
    most_loss: Callable[[], int | None] = lambda: None,
    most_height: Callable[[], int | None] = lambda: None,
) -> None:
    """Judge the nodes from coarse to fine, but for those of which it is known what they come to.

    Args:
        lattice: the nodes.
        judge: judges them.
        judged: takes every node that was judged.
        most_loss: the loss beyond which a node is not wanted, so far.
        most_height: the height beyond which a node is not wanted, so far.
    """
    for stretch in lattice.stretches():
        loss, height, wanted = most_loss(), most_height(), []
        for node in stretch:
            above = list(lattice.above(node))
            judge.certain[node] = max((judge.certain[one] for one in above), default=0)
            if any(one in judge.ruled_out for one in above):
                judge.ruled_out.add(node)
                continue
            too_much = loss is not None and lattice.loss(node) + judge.certain[node] > loss
            if not too_much and (height is None or sum(node) <= height):
                wanted.append(node)
        judge.judge(wanted, loss)
        for node in wanted:
            if node in judge.found:
                judged(node)
