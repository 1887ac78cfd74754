"""Top-down specialization in plain Python: every specialization is judged on the whole table.

Fung, Wang and Yu (2005), with the loss of our search, counted in billionths, for the score.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from oracle.lattice import Column, Label

UNITS = 10**9
Value = str | int | None


@dataclass(frozen=True, order=True)
class Group:
    """Values that are published as one: the first of them tells groups of a cut apart.

    Attributes:
        first: its first value's place among all.
        level: how far up its node is; 0 for an interval.
        values: the values.
        label: what is published.
        loss: what a record loses by it, 0 to 1.
    """

    first: int
    level: int
    values: tuple[Value, ...]
    label: Label
    loss: Fraction


Split = tuple[int, tuple[Group, ...]]


class Values(Protocol):
    """A column: its most general group, and how a group is specialized."""

    @property
    def weight(self) -> Fraction:
        """Its share in the loss."""

    def top(self) -> Group:
        """All values."""

    def splits(self, group: Group, counts: Counter[Value], units: int) -> Iterator[Split]:
        """The specializations of a group."""


def billionths(loss: Fraction, units: int) -> int:
    """A loss in whole units; halves go up."""
    return (loss * units + Fraction(1, 2)).__floor__()


@dataclass(frozen=True)
class Tree:
    """A column with a hierarchy."""

    column: Column
    null: bool

    @property
    def weight(self) -> Fraction:
        """Its share in the loss."""
        return self.column.weight

    def _leaves(self) -> list[Label]:
        chains = self.column.chains
        leaves: list[Label] = [None] if self.null else []
        return leaves + sorted(chains, key=lambda leaf: [*reversed(chains[leaf]), leaf])

    def _group(self, label: Label, level: int) -> Group:
        leaves = self._leaves()
        values = [leaf for leaf in leaves if self.column.label(leaf, level) == label]
        shown = next(
            labels.pop()
            for lower in range(self.column.height + 1)
            if len(labels := {self.column.label(leaf, lower) for leaf in values}) == 1
        )
        loss = self.column.loss(values[0], level, self.null)
        return Group(leaves.index(values[0]), level, tuple(values), shown, loss)

    def top(self) -> Group:
        """The root."""
        return self._group("*", self.column.height)

    def splits(self, group: Group, counts: Counter[Value], units: int) -> Iterator[Split]:
        """The children at the next level at which the records lose less."""

        def lost(groups: Sequence[Group]) -> int:
            return sum(
                counts[value] * billionths(one.loss, units)
                for one in groups
                for value in one.values
            )

        for level in reversed(range(group.level)):
            labels = dict.fromkeys(
                self.column.label(value, level)  # type: ignore[arg-type]
                for value in group.values
            )
            children = tuple(self._group(label, level) for label in labels)
            if lost(children) < lost([group]):
                yield level, children
                return


@dataclass(frozen=True)
class Line:
    """A column of numbers in use, in order; NULL comes first."""

    used: tuple[int | None, ...]
    weight: Fraction = Fraction(1)

    def _group(self, first: int, last: int) -> Group:
        values = self.used[first : last + 1]
        numbers = [one for one in self.used if one is not None]
        low, high = values[0], values[-1]
        if first == last:
            label, loss = None if low is None else str(low), Fraction(0)
        elif low is None or high is None:
            label, loss = "*", Fraction(1)
        else:
            label, loss = f"[{low}, {high}]", Fraction(high - low, numbers[-1] - numbers[0])
        return Group(first, 0, values, label, loss)

    def top(self) -> Group:
        """One interval."""
        return self._group(0, len(self.used) - 1)

    def splits(self, group: Group, counts: Counter[Value], units: int) -> Iterator[Split]:
        """Two intervals, wherever it can be cut."""
        last = group.first + len(group.values) - 1
        for place in range(group.first, last):
            yield place, (self._group(group.first, place), self._group(place + 1, last))


@dataclass(frozen=True)
class Released:
    """What the search comes to.

    Attributes:
        cells: what every record is published as; None where it is suppressed.
        suppressed: how many records are.
        losses: what was lost after each step, in units.
        cuts: the groups of every column.
    """

    cells: tuple[tuple[Label, ...] | None, ...]
    suppressed: int
    losses: tuple[int, ...]
    cuts: tuple[tuple[Group, ...], ...]


Cuts = tuple[tuple[Group, ...], ...]


@dataclass(frozen=True)
class Specializing:
    """Records with a sensitive value each, and what every class must be like.

    Attributes:
        records: the quasi-identifiers of every record.
        sensitive: the sensitive values.
        columns: what each quasi-identifier's values are.
        holds: whether a class of these sensitive values meets every model.
        limit: the greatest share of the records that may be left out.
    """

    records: Sequence[Sequence[Value]]
    sensitive: Sequence[Label]
    columns: Sequence[Values]
    holds: Callable[[Sequence[Label]], bool]
    limit: Fraction

    def _units(self) -> list[int]:
        total = sum((column.weight for column in self.columns), Fraction())
        return [billionths(column.weight / total, UNITS) for column in self.columns]

    def _judged(self, cuts: Cuts) -> tuple[int, int, list[tuple[Label, ...] | None]]:
        """How many records fail, what is lost, and what is published."""
        units, classes = self._units(), defaultdict[tuple[Group, ...], list[int]](list)
        for index, record in enumerate(self.records):
            published = (
                next(one for one in cut if value in one.values)
                for cut, value in zip(cuts, record, strict=True)
            )
            classes[tuple(published)].append(index)
        failing, lost = 0, 0
        cells: list[tuple[Label, ...] | None] = [None] * len(self.records)
        for groups, places in classes.items():
            if not self.holds([self.sensitive[number] for number in places]):
                failing += len(places)
                lost += len(places) * sum(units)
                continue
            pairs = zip(groups, units, strict=True)
            lost += len(places) * sum(billionths(pair.loss, most) for pair, most in pairs)
            for number in places:
                cells[number] = tuple(group.label for group in groups)
        return failing, lost, cells

    def _satisfied(self, failing: int) -> bool:
        return failing <= self.limit * len(self.records) and failing < len(self.records)

    def _specialized(self, cuts: Cuts) -> Iterator[tuple[int, int, int, Cuts]]:
        """Every specialization: its column, node and split, and the cuts after it."""
        for at, column in enumerate(self.columns):
            counts = Counter(record[at] for record in self.records)
            for group in cuts[at]:
                for split, made in column.splits(group, counts, self._units()[at]):
                    rest = tuple(one for one in cuts[at] if one != group)
                    yield at, group.first, split, (*cuts[:at], (*rest, *made), *cuts[at + 1 :])

    def released(self) -> Released | None:
        """The outcome of taking the best specialization, one after the other; None if all fails."""
        cuts: Cuts = tuple((column.top(),) for column in self.columns)
        failing, lost, cells = self._judged(cuts)
        if not self._satisfied(failing):
            return None
        losses = [lost]
        while True:
            found = []
            for at, first, split, finer in self._specialized(cuts):
                failing, lost, _ = self._judged(finer)
                if self._satisfied(failing) and lost < losses[-1]:
                    found.append((lost, at, first, split, finer))
            if not found:
                break
            lost, *_, cuts = min(found, key=lambda one: one[:4])
            losses.append(lost)
        failing, _, cells = self._judged(cuts)
        return Released(tuple(cells), failing, tuple(losses), cuts)
