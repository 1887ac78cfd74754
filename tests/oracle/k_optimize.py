"""Splits of ordered values in plain Python: every set of splits is looked at."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Value = Any
Record = tuple[Value, ...]
Starts = tuple[tuple[int, ...], ...]  # of every column, the places where a group begins


@dataclass(frozen=True)
class Line:
    """A quasi-identifier: its values in their order, NULL first, and how they are published.

    Attributes:
        values: the values in use.
        domain: all values that there may be.
        interval: whether they are published as an interval of numbers, and not as a set.
        weight: its share in the loss.
    """

    values: Sequence[Value]
    domain: Sequence[Value]
    interval: bool
    weight: Fraction = Fraction(1)

    def loss(self, group: Sequence[Value]) -> Fraction:
        """What a record of a group loses."""
        if len(group) == 1:
            return Fraction(0)
        if not self.interval:
            return Fraction(len(group) - 1, len(self.domain) - 1)
        if None in group:
            return Fraction(1)
        numbers = [one for one in self.domain if one is not None]
        return Fraction(max(group) - min(group), max(numbers) - min(numbers))

    def cell(self, group: Sequence[Value]) -> str | None:
        """What is published of the values of a group."""
        if len(group) == 1:
            return None if group[0] is None else str(group[0])
        if not self.interval:
            return "{" + ", ".join("NULL" if one is None else str(one) for one in group) + "}"
        return "*" if None in group else f"[{group[0]}, {group[-1]}]"


@dataclass(frozen=True)
class Judged:
    """What a set of splits comes to: by either metric, with so many records left out."""

    suppressed: int
    gcp: Fraction
    discernibility: int
    rows: tuple[Record, ...]


@dataclass(frozen=True)
class Split:
    """Records with a sensitive value each, what a class must be like, how many may be left out."""

    records: Sequence[Record]
    sensitive: Sequence[Value]
    lines: Sequence[Line]
    holds: Callable[[Sequence[Value]], bool]
    limit: Fraction

    def all(self) -> Iterator[Starts]:
        """Every set of splits."""
        choices = [
            [
                starts
                for count in range(len(line.values))
                for starts in itertools.combinations(range(1, len(line.values)), count)
            ]
            for line in self.lines
        ]
        yield from itertools.product(*choices)

    def judged(self, starts: Starts) -> Judged:
        """What a set of splits comes to."""
        groups: list[dict[Value, tuple[Value, ...]]] = []
        for line, cuts in zip(self.lines, starts, strict=True):
            ends = [0, *cuts, len(line.values)]
            parts = [tuple(line.values[a:b]) for a, b in itertools.pairwise(ends)]
            groups.append({one: part for part in parts for one in part})
        classes: dict[Record, list[int]] = defaultdict(list)
        for index, record in enumerate(self.records):
            key = tuple(group[one] for group, one in zip(groups, record, strict=True))
            classes[key].append(index)
        kept = {
            key: places
            for key, places in classes.items()
            if self.holds([self.sensitive[number] for number in places])
        }
        total = sum((line.weight for line in self.lines), Fraction())
        size = len(self.records)
        left = [place for places in kept.values() for place in places]
        lost = Fraction(size - len(left))
        rows = []
        for key, places in kept.items():
            pairs = list(zip(self.lines, key, strict=True))
            lost += sum(
                (len(places) * line.weight * line.loss(pair) / total for line, pair in pairs),
                Fraction(),
            )
            cells = []
            for at, (line, group) in enumerate(pairs):
                seen = {self.records[place][at] for place in left}
                cells.append(line.cell([one for one in group if one in seen]))
            rows += [(*cells, self.sensitive[place]) for place in places]
        pairs_alike = sum(len(places) ** 2 for places in kept.values())
        dropped = size - len(left)
        return Judged(dropped, lost / size, pairs_alike + dropped * size, tuple(rows))

    def satisfied(self) -> list[Judged]:
        """What every set of splits comes to that leaves out no more than may be, and not all."""
        found = [self.judged(starts) for starts in self.all()]
        most = self.limit * len(self.records)
        return [one for one in found if one.suppressed <= most and one.rows]
