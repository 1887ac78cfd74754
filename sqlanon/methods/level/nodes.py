"""The lattice of levels: a node is a level for every quasi-identifier. Samarati (2001), §3."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlanon.sql.names import Relation, Sql

Node = tuple[int, ...]

# So many nodes are judged at once at most: what they have in common is rolled up once for all.
TOGETHER = 128
# Ids of classes stay below this.
MOST_ID = 2**62


@dataclass(frozen=True)
class Dimension:
    """A quasi-identifier in the lattice.

    Attributes:
        alias: its column.
        groups: a row for each code in use, with its group and loss at each level.
        least: the lowest level that it may have.
        sizes: how many groups are in use at each level, from the least on.
        losses: what all records lose at each level, in units.
    """

    alias: Sql
    groups: Relation
    least: int
    sizes: tuple[int, ...]
    losses: tuple[int, ...]

    @property
    def levels_used(self) -> range:
        """The levels that it may have."""
        return range(self.least, self.least + len(self.sizes))

    def size(self, level: int) -> int:
        """How many groups are in use at a level."""
        return self.sizes[level - self.least]

    def loss(self, level: int) -> int:
        """The loss of all records at a level."""
        return self.losses[level - self.least]


@dataclass(frozen=True)
class Lattice:
    """All choices of a level for every quasi-identifier."""

    dimensions: tuple[Dimension, ...]

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return math.prod(len(one.sizes) for one in self.dimensions)

    @property
    def bottom(self) -> Node:
        """The finest node."""
        return tuple(one.least for one in self.dimensions)

    @property
    def top(self) -> Node:
        """The coarsest node."""
        return tuple(one.levels_used[-1] for one in self.dimensions)

    def loss(self, node: Node) -> int:
        """The loss of all records, if none is suppressed."""
        pairs = zip(self.dimensions, node, strict=True)
        return sum(one.loss(level) for one, level in pairs)

    def above(self, node: Node) -> Iterator[Node]:
        """The nodes that are one level of one attribute higher."""
        for place, one in enumerate(self.dimensions):
            if node[place] < one.levels_used[-1]:
                yield (*node[:place], node[place] + 1, *node[place + 1 :])

    def below(self, node: Node) -> Iterator[Node]:
        """The nodes that are one level of one attribute lower."""
        for place, one in enumerate(self.dimensions):
            if node[place] > one.least:
                yield (*node[:place], node[place] - 1, *node[place + 1 :])

    @cached_property
    def fixed(self) -> tuple[int, ...]:
        """The attributes, by place, whose levels all nodes of a stretch share: the largest."""
        order = sorted(
            range(len(self.dimensions)),
            key=lambda place: (-self.dimensions[place].sizes[0], place),
        )
        count = next(
            count
            for count in range(len(order) + 1)
            if math.prod(len(self.dimensions[place].sizes) for place in order[count:]) <= TOGETHER
        )
        return tuple(order[:count])

    def stretches(self) -> Iterator[list[Node]]:
        """The nodes in stretches that share the levels of the largest attributes.

        They go from coarse to fine, within a stretch too: what is above a node comes before it.
        """
        choices = itertools.product(
            *(
                one.levels_used if place in self.fixed else (None,)
                for place, one in enumerate(self.dimensions)
            )
        )
        for choice in sorted(choices, key=_coarse_first):
            ranges = [
                one.levels_used if level is None else (level,)
                for one, level in zip(self.dimensions, choice, strict=True)
            ]
            yield sorted(itertools.product(*ranges), key=_coarse_first)

    def by_stretch(self, nodes: Sequence[Node]) -> Iterator[list[Node]]:
        """Some nodes, those of one stretch together."""

        def shared(node: Node) -> Node:
            return tuple(node[place] for place in self.fixed)

        for _, some in itertools.groupby(sorted(nodes, key=shared), key=shared):
            yield sorted(some)


def _coarse_first(node: Sequence[int | None]) -> tuple[int, tuple[int, ...]]:
    levels = tuple(level or 0 for level in node)
    return -sum(levels), levels
