"""The lattice of levels: a node is a level for every quasi-identifier. Samarati (2001), §3.

The optimal node keeps an objective least, by which a node has a cost, in whole numbers. Where a
loss is a sum over records, a level's loss is known before any node is judged. A suppressed record
then costs all, and nodes that cannot lose less are passed over. Discernibility is a sum over
classes: it falls from a level to the one below and rises with what is suppressed there, so every
node that may be satisfied is judged.

Non-uniform entropy is such a sum as well, though the bits that a record loses hang on its value:
summed over the records, -log P(v | cell) is log of the records alike in the cell less log of those
of the value. The second is the same for every node, so that its mean is taken from every record: a
record of which all is lost then counts 1, with any value. Gionis and Tassa (2009).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from sqlanon.domains.attribute import QuasiAttribute
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
        return math.prod(len(dimension.sizes) for dimension in self.dimensions)

    @property
    def bottom(self) -> Node:
        """The finest node."""
        return tuple(dimension.least for dimension in self.dimensions)

    @property
    def top(self) -> Node:
        """The coarsest node."""
        return tuple(dimension.levels_used[-1] for dimension in self.dimensions)

    def loss(self, node: Node) -> int:
        """The loss of all records, if none is suppressed."""
        pairs = zip(self.dimensions, node, strict=True)
        return sum(dimension.loss(level) for dimension, level in pairs)

    def above(self, node: Node) -> Iterator[Node]:
        """The nodes that are one level of one attribute higher."""
        for index, dimension in enumerate(self.dimensions):
            if node[index] < dimension.levels_used[-1]:
                yield (*node[:index], node[index] + 1, *node[index + 1 :])

    def below(self, node: Node) -> Iterator[Node]:
        """The nodes that are one level of one attribute lower."""
        for index, dimension in enumerate(self.dimensions):
            if node[index] > dimension.least:
                yield (*node[:index], node[index] - 1, *node[index + 1 :])

    @cached_property
    def fixed(self) -> tuple[int, ...]:
        """The attributes, by place, whose levels all nodes of a stretch share: the largest."""
        order = sorted(
            range(len(self.dimensions)), key=lambda index: (-self.dimensions[index].sizes[0], index)
        )
        count = next(
            count
            for count in range(len(order) + 1)
            if math.prod(len(self.dimensions[index].sizes) for index in order[count:]) <= TOGETHER
        )
        return tuple(order[:count])

    def stretches(self) -> Iterator[list[Node]]:
        """The nodes in stretches that share the levels of the largest attributes.

        They go from coarse to fine, within a stretch too: what is above a node comes before it.
        """
        choices = itertools.product(
            *(
                dimension.levels_used if index in self.fixed else (None,)
                for index, dimension in enumerate(self.dimensions)
            )
        )
        for choice in sorted(choices, key=_coarse_first):
            ranges = [
                dimension.levels_used if level is None else (level,)
                for dimension, level in zip(self.dimensions, choice, strict=True)
            ]
            yield sorted(itertools.product(*ranges), key=_coarse_first)

    def by_stretch(self, nodes: Sequence[Node]) -> Iterator[list[Node]]:
        """Some nodes, those of one stretch together."""

        def shared(node: Node) -> Node:
            return tuple(node[index] for index in self.fixed)

        for _, some in itertools.groupby(sorted(nodes, key=shared), key=shared):
            yield sorted(some)


def _coarse_first(node: Sequence[int | None]) -> tuple[int, tuple[int, ...]]:
    levels = tuple(level or 0 for level in node)
    return -sum(levels), levels


ObjectiveName = Literal[
    "gcp", "precision", "minimal_distortion", "discernibility", "non_uniform_entropy"
]
_ENTROPY: ObjectiveName = "non_uniform_entropy"
# A loss of 1, the whole domain of all quasi-identifiers, in the whole numbers of the search.
UNITS = 10**9


@dataclass(frozen=True)
class Objective:
    """A metric of the release that a search keeps as good as it can be.

    Attributes:
        name: the metric's.
    """

    name: ObjectiveName = "gcp"

    @property
    def by_record(self) -> bool:
        """Whether it is a sum over the records of what each loses."""
        return self.name != "discernibility"

    @property
    def by_entropy(self) -> bool:
        """Whether a record loses by how many are alike in its cell; nothing where all are."""
        return self.name == _ENTROPY

    def units(self, attributes: Sequence[QuasiAttribute]) -> list[int]:
        """The loss of a record by each quasi-identifier when all of it is lost."""
        weights = [self._weight(attribute) for attribute in attributes]
        total = sum(weights)
        return [_rounded(UNITS * weight / total) for weight in weights]

    def fixed(self, attribute: QuasiAttribute, units: int) -> dict[int, int] | None:
        """The loss of a record at each level; None where that hangs on its value."""
        if self.name in ("gcp", _ENTROPY):
            return None
        lost = units if self.by_record else 0
        levels = range(attribute.levels[0], attribute.levels[1] + 1)
        return {level: _rounded(Fraction(lost * level, attribute.height)) for level in levels}

    def value(self, loss: int, records: int, attributes: Sequence[QuasiAttribute]) -> str:
        """The metric, as it is recorded, of a node that loses so much of so many records."""
        if not self.by_record:
            return str(loss)
        # Rounded losses below none at all are none.
        share = max(loss, 0) / (records * sum(self.units(attributes)))
        if self.name == "minimal_distortion":
            return str(round(share * records * sum(attribute.height for attribute in attributes)))
        return f"{1 - share if self.name == 'precision' else share:.9f}"

    def _weight(self, attribute: QuasiAttribute) -> Fraction:
        if self.name in ("gcp", _ENTROPY):
            return attribute.weight
        return Fraction(attribute.height if self.name == "minimal_distortion" else 1)


def _rounded(value: Fraction) -> int:
    """The nearest whole number; halves go up."""
    return (value + Fraction(1, 2)).__floor__()
