"""Splits: between which neighbouring values a quasi-identifier may be parted, and into what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlanon.sql.names import Relation, Sql

#: Some of the splits of all quasi-identifiers, by their numbers.
Splits = frozenset[int]


@dataclass(frozen=True)
class Group:
    """Bins that are published alike.

    Attributes:
        number: its place among the groups of the quasi-identifier, from 0.
        low: its first bin.
        loss: what a record loses by it, in units.
    """

    number: int
    low: int
    loss: int


@dataclass(frozen=True)
class Dimension:
    """A quasi-identifier that is split.

    Attributes:
        alias: its column.
        bins: a row for each code, with its bin.
        size: how many bins there are.
        losses: what publishing the bins from one to another loses, in units; none where losses
            do not count.
        fixed: the bins that a group starts with always, but for the first: those of strata.
    """

    alias: Sql
    bins: Relation
    size: int
    losses: Mapping[tuple[int, int], int]
    fixed: tuple[int, ...] = ()

    def groups(self, starts: tuple[int, ...]) -> list[Group]:
        """The groups, the last first, by the bins that they start with but for the first."""
        lows = (0, *starts)
        ends = [*(one - 1 for one in starts), self.size - 1]
        groups = [
            Group(number, low, self.losses.get((low, high), 0))
            for number, (low, high) in enumerate(zip(lows, ends, strict=True))
        ]
        return groups[::-1]


@dataclass(frozen=True)
class Space:
    """All splits that a search chooses among, numbered along the quasi-identifiers."""

    dimensions: tuple[Dimension, ...]

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Of every split the place of its quasi-identifier, and the bin that starts there."""
        return [
            (place, start)
            for place, one in enumerate(self.dimensions)
            for start in range(1, one.size)
            if start not in one.fixed
        ]

    @property
    def all(self) -> Splits:
        """All splits."""
        return frozenset(range(len(self.places)))

    def starts(self, splits: Splits, place: int) -> tuple[int, ...]:
        """The bins of a quasi-identifier that a group starts with, but for the first."""
        found = (self.places[split] for split in splits)
        chosen = (start for other, start in found if other == place)
        return tuple(sorted((*self.dimensions[place].fixed, *chosen)))

    def near(self, splits: Splits) -> list[Splits]:
        """The sets with one split more or less, or one moved to a neighbouring place."""
        more = [splits | {one} for one in sorted(self.all - splits)]
        less = [splits - {one} for one in sorted(splits)]
        moved = [
            splits - {one} | {other}
            for one in sorted(splits)
            for other in (one - 1, one + 1)
            if 0 <= other < len(self.places)
            and other not in splits
            and self.places[other][0] == self.places[one][0]
        ]
        return [*more, *less, *moved]
