"""The search among all sets of splits: first by climbing, then by enumeration with a bound.

Bayardo and Agrawal, "Data Privacy through Optimal k-Anonymization" (2005), §4. A node of the tree
is a set of splits, its head, with those that may be added, its tail. Nothing below a node costs
less than its bound. Nodes with the least bound are looked at first. So the least bound of those
that are left says how much better than the best so far any set could be.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlanon.methods.level.k_optimize.splits import Candidate, Judge, Judgement, Space, Splits

Key = tuple[bool, int, int, int, tuple[int, ...]]


@dataclass(frozen=True)
class Found:
    """The result of a search.

    Attributes:
        splits: the best set; None if none is satisfied.
        judgement: what it comes to; of no splits, where none is satisfied.
        bound: the least that any set costs.
        judged: how many sets were judged.
        complete: whether no other set can be better.
    """

    splits: Splits | None
    judgement: Judgement
    bound: int
    judged: int
    complete: bool


@dataclass(frozen=True)
class _Open:
    """A node whose children are yet to be judged: its head, and its tail in order."""

    head: Splits
    tail: tuple[int, ...]


class Enumeration:
    """The search.

    Args:
        space: the splits.
        judge: judges sets of them.
        nodes: how many are judged at most.
        late: whether the time is over.
        reached: takes the share of the nodes that was judged.
    """

    def __init__(
        self,
        space: Space,
        judge: Judge,
        nodes: int,
        late: Callable[[], bool],
        reached: Callable[[float], None],
    ) -> None:
        self._space, self._judge, self._nodes = space, judge, nodes
        self._late, self._reached = late, reached
        self._judged, self._stopped = 0, False
        self._best: tuple[Key, Splits, Judgement] | None = None

    def run(self) -> Found:
        """The best set of splits, or the best that was found within the limits."""
        nothing: Splits = frozenset()
        (root,) = self._look([Candidate(nothing, self._space.all, nothing)])
        bound = root.bound
        if not root.hopeless:
            self._climb(root)
            bound = self._enumerate(root)
        best = self._best
        splits, judgement = (None, root) if best is None else best[1:]
        if splits is not None:
            bound = min(bound, judgement.cost)
        return Found(splits, judgement, bound, self._judged, not self._stopped)

    def _look(self, candidates: Sequence[Candidate]) -> list[Judgement]:
        """Judge some sets, and remember the best."""
        found = self._judge.judge(candidates)
        self._judged += len(candidates)
        self._reached(min(1.0, self._judged / self._nodes))
        for candidate, judgement in zip(candidates, found, strict=True):
            key = _key(candidate.head, judgement)
            if judgement.satisfied and (self._best is None or key < self._best[0]):
                self._best = (key, candidate.head, judgement)
        return found

    def _left(self) -> int:
        """How many sets may yet be judged."""
        return 0 if self._late() else max(0, self._nodes - self._judged)

    def _climb(self, root: Judgement) -> None:
        """From no splits to a set that no near one is better than: a cost to prune by."""
        here: Splits = frozenset()
        known, hopeless = {here: root}, list[Splits]()
        while True:
            near = [columns for columns in self._space.near(here) if columns not in known]
            near = [columns for columns in near if not any(bad <= columns for bad in hopeless)]
            near = near[: self._left()]
            found = self._look([Candidate(columns, columns, columns) for columns in near])
            known |= dict(zip(near, found, strict=True))
            hopeless += [columns for columns in near if known[columns].hopeless]
            best = min((here, *near), key=lambda one: _key(one, known[one]))
            if best == here:
                return
            here = best

    def _enumerate(self, root: Judgement) -> int:
        """Look at all nodes that can be better than the best; the least that any set costs."""
        tick = 0
        first = _Open(frozenset(), tuple(sorted(self._space.all)))
        heap = [(root.bound, 0, tick, first)]
        while heap and not self._pruned(heap[0][0]):
            taken, candidates = list[tuple[int, _Open]](), list[Candidate]()
            while heap and len(candidates) < self._judge.together and not self._pruned(heap[0][0]):
                bound, _, _, node = heapq.heappop(heap)
                taken.append((bound, node))
                candidates += _children(node)
            if self._left() < len(candidates):
                self._stopped = True
                return min(bound for bound, _ in taken)
            found = iter(self._look(candidates))
            for bound, node in taken:
                judged = {split: next(found) for split in node.tail}
                for low, child in _grown(node, judged):
                    tick += 1
                    least = max(low, bound)
                    if child.tail and not self._pruned(least):
                        heapq.heappush(heap, (least, -len(child.head), tick, child))
        return heap[0][0] if heap else root.cost if self._best is None else self._best[2].cost

    def _pruned(self, bound: int) -> bool:
        """Whether nothing below a node of that bound is better than the best."""
        return self._best is not None and bound >= self._best[2].cost


def _children(node: _Open) -> list[Candidate]:
    """A node with each split of its tail; those after it may yet be added."""
    return [
        Candidate(node.head | {split}, node.head | frozenset(node.tail[index:]), node.head)
        for index, split in enumerate(node.tail)
    ]


def _grown(node: _Open, judged: dict[int, Judgement]) -> list[tuple[int, _Open]]:
    """The children that are left, with their bounds.

    A split that is useless, or that rules out what it is added to, is left out of the tails of all;
    the dearest come first in each.
    """
    left = [split for split in node.tail if judged[split].useful and not judged[split].hopeless]
    grown = []
    for index, split in enumerate(left):
        tail = sorted(left[index + 1 :], key=lambda one: (-judged[one].cost, one))
        grown.append((judged[split].bound, _Open(node.head | {split}, tuple(tail))))
    return grown


def _key(splits: Splits, judgement: Judgement) -> Key:
    """By what sets are compared: what is satisfied first, then cost, or what fails."""
    cost = judgement.cost if judgement.satisfied else judgement.failing
    return (not judgement.satisfied, cost, judgement.failing, len(splits), tuple(sorted(splits)))
