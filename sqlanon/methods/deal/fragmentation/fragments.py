"""Fragments of the multiplicity matrix, and the search for those that keep every class close.

Gowda (2023), §4.3 and §4.4.1, for any number of ordered sensitive attributes (§4.5). A fragment is
a contiguous box of the matrix; a class that takes the table's share of every fragment, whichever
records, is within the fragmentation's aggregate bounds. All of this is counts and exact fractions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add, mul, sub
from typing import Literal

Cell = tuple[int, ...]
Box = tuple[tuple[int, int], ...]
Strategy = Literal["sum", "excess"]


@dataclass(frozen=True)
class Axis:
    """The ordered values of a sensitive attribute, one by one or in bins.

    Attributes:
        points: where each of them lies, in growing order.
        length: how far apart the least and the greatest value of the domain lie; it turns a
            distance between places into one between 0 and 1.
    """

    points: tuple[int, ...]
    length: int

    @classmethod
    def of_values(cls, values: int) -> Axis:
        """An axis of so many values, each at its rank."""
        return cls(tuple(range(values)), max(1, values - 1))


@dataclass(frozen=True)
class Matrix:
    """A multiplicity matrix. Gowda (2023), §4.2.1 and §4.5.

    Attributes:
        axes: the sensitive attributes.
        cells: how many records have each combination of values, by their numbers along the axes
            from 0; combinations that do not occur are left out.
    """

    axes: tuple[Axis, ...]
    cells: Mapping[Cell, int]

    @property
    def records(self) -> int:
        """The number of records, |M|."""
        return sum(self.cells.values())

    @property
    def whole(self) -> Fragment:
        """The one fragment that holds everything."""
        box = tuple((0, len(axis.points) - 1) for axis in self.axes)
        return Fragment(self, box, tuple(sorted(self.cells)))

    def fragment(self, box: Box) -> Fragment:
        """The fragment inside a box."""
        inside = (
            cell
            for cell in self.cells
            if all(low <= at <= high for at, (low, high) in zip(cell, box, strict=True))
        )
        return Fragment(self, box, tuple(sorted(inside)))

    def singletons(self) -> tuple[Fragment, ...]:
        """The finest fragmentation, without its empty fragments: a fragment for each cell."""
        return tuple(
            Fragment(self, tuple((at, at) for at in cell), (cell,)) for cell in sorted(self.cells)
        )


class Fragment:
    """A contiguous box of the matrix. Gowda (2023), definition 5.

    Args:
        matrix: whose part it is.
        box: for each axis the first and the last number, both included.
        cells: those of the matrix that lie in it, in order.

    Attributes:
        records: how many records it holds.
    """

    def __init__(self, matrix: Matrix, box: Box, cells: tuple[Cell, ...]) -> None:
        self.matrix, self.box, self.cells = matrix, box, cells
        self.records = sum(matrix.cells[cell] for cell in cells)

    def slice_sums(self, axis: int) -> list[int]:
        """The records at each number of the box along an axis. Gowda (2023), §4.5."""
        low, high = self.box[axis]
        sums = [0] * (high - low + 1)
        for cell in self.cells:
            sums[cell[axis] - low] += self.matrix.cells[cell]
        return sums

    def spreads(self) -> tuple[int, ...]:
        """The spread Δ along each axis, times the records of the table and the axis's length."""
        return self._spreads(self.box, self._weigh(self.cells))

    def splits(self) -> Iterator[Split]:
        """Every way to cut the box in two, in the order of the axes and then along each."""
        now = self.spreads()
        whole = self._weigh(self.cells)
        for axis, (low, high) in enumerate(self.box):
            slices: dict[int, list[Cell]] = defaultdict(list)
            for cell in self.cells:
                slices[cell[axis]].append(cell)
            below = [0] * (1 + len(self.box))
            for last in range(low, high):
                for index, weight in enumerate(self._weigh(slices.get(last, ()))):
                    below[index] += weight
                above = [all_ - some for all_, some in zip(whole, below, strict=True)]
                left = self._spreads(self._cut(axis, low, last), below)
                right = self._spreads(self._cut(axis, last + 1, high), above)
                change = tuple(a + b - c for a, b, c in zip(left, right, now, strict=True))
                yield Split(axis, last, change)

    def cut(self, split: Split) -> tuple[Fragment, Fragment]:
        """The two sides of a split."""
        (low, high), last = self.box[split.axis], split.last
        left = tuple(cell for cell in self.cells if cell[split.axis] <= last)
        right = tuple(cell for cell in self.cells if cell[split.axis] > last)
        return (
            Fragment(self.matrix, self._cut(split.axis, low, last), left),
            Fragment(self.matrix, self._cut(split.axis, last + 1, high), right),
        )

    def _cut(self, axis: int, low: int, high: int) -> Box:
        return (*self.box[:axis], (low, high), *self.box[axis + 1 :])

    def _weigh(self, cells: Sequence[Cell]) -> list[int]:
        """The records of some cells, then for each axis the sum of their places."""
        axes, counts = self.matrix.axes, self.matrix.cells
        weights = [0] * (1 + len(axes))
        for cell in cells:
            count = counts[cell]
            weights[0] += count
            for number, at in enumerate(cell):
                weights[1 + number] += count * axes[number].points[at]
        return weights

    def _spreads(self, box: Box, weights: Sequence[int]) -> tuple[int, ...]:
        """The cost of moving everything to the farther end of the box, along each axis.

        The earth mover's distance from a vector is convex in the vector it is moved to. So it is
        greatest where all mass is at one point, and of these points at an end (§4.2.3: the right
        end of a left-heavy vector, the left end of a right-heavy one).
        """
        records, *moments = weights
        spreads = []
        for axis, (low, high), moment in zip(self.matrix.axes, box, moments, strict=True):
            to_left = moment - records * axis.points[low]
            to_right = records * axis.points[high] - moment
            spreads.append(max(to_left, to_right))
        return tuple(spreads)


@dataclass(frozen=True)
class Split:
    """A cut of a fragment in two.

    Attributes:
        axis: across which it is cut.
        last: the last number along the axis that stays on the left.
        change: by how much the aggregate bounds grow, in the units of `Fragment.spreads`.
    """

    axis: int
    last: int
    change: tuple[int, ...]


def aggregate_bounds(matrix: Matrix, fragments: Sequence[Fragment]) -> tuple[Fraction, ...]:
    """The greatest distance of a conforming class, for each axis. Gowda (2023), definition 7.

    Spreads are over the length of the whole domain, 1 / (m_i - 1): over a fragment's own they would
    bound nothing of the table's distance.
    """
    sums = [
        sum(of_axis)
        for of_axis in zip(*(fragment.spreads() for fragment in fragments), strict=True)
    ]
    return tuple(
        Fraction(total, matrix.records * axis.length)
        for total, axis in zip(sums, matrix.axes, strict=True)
    )


def find_fragmentation(
    matrix: Matrix, t: Sequence[Fraction], strategy: Strategy = "excess", most: int | None = None
) -> list[Fragment] | None:
    """Split the matrix until every aggregate bound is at most its t. Gowda (2023), §4.4.1.

    At each step the split that leaves the least is made: the least ``sum`` of the bounds, or of
    their ``excess`` over t (the printed B tests the bound of the first attribute for the second's;
    each attribute's own is meant). Of equal ones the first by box, axis and place.

    Args:
        matrix: whose fragments are sought.
        t: the greatest bound of each axis.
        strategy: what is made least.
        most: how many fragments there may be; None for any number.

    Returns:
        The fragments in the order of their boxes, empty ones too; None if there would be too many.
    """
    return Splitting(matrix, [t], strategy, most).until(t)


@dataclass(frozen=True)
class _Known:
    """A fragment of a fragmentation, with what it adds to the bounds and what splits would change.

    Attributes:
        fragment: itself.
        spreads: what it adds to the bound of each axis.
        changes: for each of its splits, in their order, by how much the bounds would grow.
        splits: the splits.
        least: the least sum of the changes; None where it cannot be split.
    """

    fragment: Fragment
    spreads: tuple[int, ...]
    changes: tuple[tuple[int, ...], ...]
    splits: tuple[Split, ...]
    least: int | None


class Splitting:
    """A fragmentation on its way from the whole matrix down to single cells.

    Args:
        matrix: whose fragments are sought.
        wanted: every t that will be asked for.
        strategy: what each split makes least.
        most: how many fragments there may be; None for any number.
    """

    def __init__(
        self,
        matrix: Matrix,
        wanted: Sequence[Sequence[Fraction]],
        strategy: Strategy,
        most: int | None = None,
    ) -> None:
        self._strategy, self._most = strategy, most
        # Everything is a whole multiple of one unit, so that comparisons are exact and fast.
        scales = [matrix.records * axis.length for axis in matrix.axes]
        self._unit = math.lcm(*scales, *(limit.denominator for t in wanted for limit in t))
        self._factors = [self._unit // scale for scale in scales]
        self._known: dict[Box, _Known] = {}
        self._bounds = tuple(0 for _ in matrix.axes)
        self._add(matrix.whole)

    def until(self, t: Sequence[Fraction]) -> list[Fragment] | None:
        """Go on splitting until every bound is at most its t; None if that takes too many."""
        limits = [limit.numerator * (self._unit // limit.denominator) for limit in t]
        while True:
            over = tuple(map(sub, self._bounds, limits))
            if all(one <= 0 for one in over):
                return [self._known[box].fragment for box in sorted(self._known)]
            if self._most is not None and len(self._known) >= self._most:
                return None
            box, index = self._least_sum() if self._strategy == "sum" else self._least_excess(over)
            known = self._known.pop(box)
            self._bounds = tuple(map(sub, self._bounds, known.spreads))
            for side in known.fragment.cut(known.splits[index]):
                self._add(side)

    def _add(self, fragment: Fragment) -> None:
        def scaled(numbers: Sequence[int]) -> tuple[int, ...]:
            return tuple(map(mul, numbers, self._factors))

        splits = tuple(fragment.splits())
        changes = tuple(scaled(split.change) for split in splits)
        known = _Known(
            fragment,
            scaled(fragment.spreads()),
            changes,
            splits,
            min(map(sum, changes), default=None),
        )
        self._known[fragment.box] = known
        self._bounds = tuple(map(add, self._bounds, known.spreads))

    def _least_sum(self) -> tuple[Box, int]:
        """The split that leaves the least sum of the bounds: each fragment has its own best."""
        least, box = min(
            (known.least, box) for box, known in self._known.items() if known.least is not None
        )
        return box, [sum(change) for change in self._known[box].changes].index(least)

    def _least_excess(self, over: tuple[int, ...]) -> tuple[Box, int]:
        """The split that leaves the least sum of what the bounds exceed t by.

        No split of a fragment leaves less than if the fragment had no spread at all: the fragments
        are tried in the order of that, until the rest can give nothing better.
        """
        floors = sorted(
            (sum(max(0, now - own) for now, own in zip(over, known.spreads, strict=True)), box)
            for box, known in self._known.items()
            if known.splits
        )
        best: tuple[int, Box, int] | None = None
        for floor, box in floors:
            if best is not None and floor > best[0]:
                break
            changes = self._known[box].changes
            left = [sum([one for one in map(add, over, change) if one > 0]) for change in changes]
            own = min(left)
            if best is None or (own, box) < best[:2]:
                best = (own, box, left.index(own))
        assert best is not None  # noqa: S101 - single cells have bounds of zero, at most any t
        return best[1], best[2]
