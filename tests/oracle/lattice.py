"""Full-domain generalization in plain Python: every node of the lattice is looked at."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Label = str | None
Record = tuple[Label, ...]
Node = tuple[int, ...]
ROOT = "*"


@dataclass(frozen=True)
class Column:
    """A quasi-identifier: the labels above each leaf, up to below the root, and its weight."""

    chains: Mapping[str, Sequence[str]]
    weight: Fraction = Fraction(1)

    @property
    def height(self) -> int:
        """The level of the root."""
        return 1 + len(next(iter(self.chains.values())))

    def label(self, value: Label, level: int) -> Label:
        """The label of a value at a level; NULL is a value of its own up to the root."""
        if level == self.height:
            return ROOT
        if value is None or level == 0:
            return value
        return self.chains[value][level - 1]

    def loss(self, value: Label, level: int, has_null: bool) -> Fraction:
        """The leaves below the value's group, less one, over all leaves, less one."""
        leaves: list[Label] = [*self.chains, *([None] if has_null else [])]
        label = self.label(value, level)
        below = sum(self.label(leaf, level) == label for leaf in leaves)
        return Fraction(below - 1, max(1, len(leaves) - 1))


@dataclass(frozen=True)
class Judged:
    """A node: how many records its failing classes have, and what is lost with these left out."""

    suppressed: int
    loss: Fraction
    kept: tuple[tuple[Record, Label], ...]


@dataclass(frozen=True)
class Table:
    """Records with a sensitive value each, what a class must be like, and how many may be left out.

    Attributes:
        records: the quasi-identifiers of every record.
        sensitive: the sensitive values.
        columns: the quasi-identifiers' hierarchies.
        bounds: the lowest and the highest level of each.
        holds: whether a class of these sensitive values meets every model.
        limit: the greatest share of the records that may be left out.
        subsets: places of columns, and how many of the kept records share each tuple of these.
    """

    records: Sequence[Record]
    sensitive: Sequence[Label]
    columns: Sequence[Column]
    bounds: Sequence[tuple[int, int]]
    holds: Callable[[Sequence[Label]], bool]
    limit: Fraction
    subsets: Sequence[tuple[Sequence[int], int]] = ()

    def nodes(self) -> list[Node]:
        """Every node within the bounds."""
        return list(itertools.product(*(range(low, high + 1) for low, high in self.bounds)))

    def generalized(self, record: Record, node: Node) -> Record:
        """A record at a node."""
        cells = zip(self.columns, record, node, strict=True)
        return tuple(column.label(value, level) for column, value, level in cells)

    def judged(self, node: Node) -> Judged:
        """What a node comes to."""
        classes: dict[Record, list[int]] = defaultdict(list)
        for index, record in enumerate(self.records):
            classes[self.generalized(record, node)].append(index)
        kept = [
            place
            for places in classes.values()
            if self.holds([self.sensitive[number] for number in places])
            for place in places
        ]
        kept = self.sharing(
            [[number for number in places if number in {*kept}] for places in classes.values()],
            node,
        )
        nulls = [
            any(record[at] is None for record in self.records) for at in range(len(self.columns))
        ]
        weight = sum(column.weight for column in self.columns)
        lost = Fraction(len(self.records) - len(kept))
        for place in kept:
            cells = zip(self.columns, self.records[place], node, nulls, strict=True)
            lost += sum(
                column.weight * column.loss(value, level, null)
                for column, value, level, null in cells
            ) / Fraction(weight)
        records = [(self.records[place], self.sensitive[place]) for place in kept]
        suppressed = len(self.records) - len(kept)
        return Judged(suppressed, lost / len(self.records), tuple(records))

    def cost(self, node: Node, objective: str) -> Fraction:
        """What a node costs by another metric: the less the better."""
        found, heights = self.judged(node), [column.height for column in self.columns]
        if objective == "discernibility":
            classes = Counter(self.generalized(entry, node) for entry, _ in found.kept)
            alike = sum(size * size for size in classes.values())
            return Fraction(alike + found.suppressed * len(self.records))
        if objective == "non_uniform_entropy":
            return Fraction(self._bits_lost([entry for entry, _ in found.kept], node))
        climbed = len(found.kept) * sum(node) + found.suppressed * sum(heights)
        if objective == "minimal_distortion":
            return Fraction(climbed)
        pairs = zip(node, heights, strict=True)
        kept = sum((Fraction(level, height) for level, height in pairs), Fraction())
        share = len(found.kept) * kept / len(heights) + found.suppressed
        return share / len(self.records)

    def _bits_lost(self, kept: Sequence[Record], node: Node) -> float:
        """The weighted mean over the columns of the share of their bits that is lost."""
        total = 0.0
        for at, column in enumerate(self.columns):
            values = Counter(record[at] for record in self.records)
            alike = Counter(column.label(record[at], node[at]) for record in self.records)
            everything = len(self.records)
            most = sum(math.log2(everything / values[record[at]]) for record in self.records)
            left_out = values - Counter(entry[at] for entry in kept)
            lost = sum(
                math.log2(alike[column.label(entry[at], node[at])] / values[entry[at]])
                for entry in kept
            ) + sum(
                count * math.log2(everything / values[text]) for text, count in left_out.items()
            )
            total += float(column.weight) * lost / most if len(values) > 1 else 0.0
        return total / float(sum(column.weight for column in self.columns))

    def sharing(self, classes: Sequence[Sequence[int]], node: Node) -> list[int]:
        """The records that can be kept: a class goes where too few share what it shows of some."""
        left = [places for places in classes if places]
        while True:
            kept = [place for places in left for place in places]
            few: set[int] = set()
            for columns, least in self.subsets:
                shared: dict[Record, list[int]] = defaultdict(list)
                for place in kept:
                    shown = self.generalized(self.records[place], node)
                    shared[tuple(shown[at] for at in columns)].append(place)
                few |= {
                    number for places in shared.values() if len(places) < least for number in places
                }
            if not few:
                return kept
            left = [places for places in left if not few & {*places}]

    def satisfied(self, node: Node) -> bool:
        """Whether no more records are left out than may be, and not all."""
        found = self.judged(node)
        return found.suppressed <= self.limit * len(self.records) and bool(found.kept)

    def all_satisfied(self) -> list[Node]:
        """Every node that is satisfied."""
        return [node for node in self.nodes() if self.satisfied(node)]

    def minimal(self) -> list[Node]:
        """The nodes that are satisfied while none below them is."""
        found = self.all_satisfied()
        return [
            node
            for node in found
            if not any(
                other != node and all(a <= b for a, b in zip(other, node, strict=True))
                for other in found
            )
        ]

    def datafly(self) -> Node | None:
        """From the bottom, the column with most labels in the data goes up; the first of equals."""
        node = tuple(low for low, _ in self.bounds)
        while not self.satisfied(node):
            counts = [
                (-len({column.label(record[at], node[at]) for record in self.records}), at)
                for at, column in enumerate(self.columns)
                if node[at] < self.bounds[at][1]
            ]
            if not counts:
                return None
            at = min(counts)[1]
            node = (*node[:at], node[at] + 1, *node[at + 1 :])
        return node
