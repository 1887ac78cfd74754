"""What published cells cover of a population, in plain Python: k-map and δ-presence."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .lattice import Column, Label, Node, Record


def in_interval(cell: str | None, value: float | None) -> bool:
    """Whether a number lies in an interval as it is published; a star is all of them and NULL."""
    if cell == "*":
        return True
    if cell is None or value is None:
        return cell is None and value is None
    if not cell.startswith("["):
        return float(cell) == value
    low, high = cell.strip("[]").split(", ")
    return float(low) <= value <= float(high)


def in_bounds(bounds: Sequence[Any], value: float | None) -> bool:
    """Whether a number lies between two bounds; where there are none, everything does."""
    low, high = bounds
    return low is None or (value is not None and low <= value <= high)


def in_set(cell: str | None, value: str | None) -> bool:
    """Whether a text is of a set as it is published."""
    if cell is None or not cell.startswith("{"):
        return cell == value
    return ("NULL" if value is None else value) in cell.strip("{}").split(", ")


def under(tree: Mapping[str, Sequence[str]], cell: str | None, value: str | None) -> bool:
    """Whether a text lies under a label of its hierarchy."""
    return cell in ("*", value) or (value is not None and cell in tree[value])


@dataclass(frozen=True)
class Asked:
    """What is asked beside a population."""

    k_map: int = 1
    least: Fraction = Fraction(0)
    most: Fraction = Fraction(1)

    def holds(self, released: int, covered: int) -> bool:
        """Whether a published tuple meets it."""
        share = Fraction(released, covered)
        return covered >= self.k_map and self.least <= share <= self.most


@dataclass(frozen=True)
class Nodes:
    """Records and the population they are of, as every choice of levels shows them.

    Attributes:
        records: the released persons' quasi-identifiers.
        people: those of the population.
        columns: the quasi-identifiers' hierarchies.
        asked: what every published tuple must meet.
        k: how many records it must have.
        limit: the greatest share of the records that may be left out.
    """

    records: Sequence[Record]
    people: Sequence[Record]
    columns: Sequence[Column]
    asked: Asked
    k: int
    limit: Fraction

    def shown(self, record: Record, node: Node) -> Record:
        """What is published of a record."""
        return tuple(
            column.label(value, level)
            for column, value, level in zip(self.columns, record, node, strict=True)
        )

    def left_out(self, node: Node) -> list[Record]:
        """The records in tuples that do not meet what is asked."""
        tuples: dict[Record, list[Record]] = defaultdict(list)
        for record in self.records:
            tuples[self.shown(record, node)].append(record)
        covered = Counter(self.shown(person, node) for person in self.people)
        return [
            record
            for shown, some in tuples.items()
            if len(some) < self.k or not self.asked.holds(len(some), covered[shown])
            for record in some
        ]

    def satisfied(self) -> Iterator[tuple[Node, Fraction]]:
        """The nodes that leave few enough records out, with what each loses on average."""
        for node in itertools.product(*(range(column.height + 1) for column in self.columns)):
            out = Counter(self.left_out(node))
            if out.total() > self.limit * len(self.records) or out.total() == len(self.records):
                continue
            kept = Counter(self.records) - out
            lost = sum((self._loss(entry, node) * n for entry, n in kept.items()), Fraction(0))
            yield node, (lost + out.total()) / len(self.records)

    def _loss(self, record: Record, node: Node) -> Fraction:
        losses = [
            column.loss(value, level, any(person[at] is None for person in self.people))
            for at, (column, value, level) in enumerate(
                zip(self.columns, record, node, strict=True)
            )
        ]
        return sum(losses, Fraction(0)) / len(losses)


def reached(tuples: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The figures of tuples of so many records that cover so many of the population."""
    shares = [Fraction(released, covered) for released, covered in tuples]
    return {
        "k_map": min(covered for _, covered in tuples),
        "least_presence": min(shares),
        "most_presence": max(shares),
    }


__all__ = ["Asked", "Label", "Nodes", "in_bounds", "in_interval", "in_set", "reached", "under"]
