"""Into how many classes a fragmentation is dealt, and which fragmentations are tried.

The dissertation takes as many classes as the fragments' greatest common divisor (§4.4.2): on real
counts that is one. Here the fragments are dealt round robin, the next one beginning where the last
one ended, so that every class gets its share of every fragment rounded up or down; and every kind
of class is bounded by its envelope, whichever records of a fragment it gets.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise

from sqlanon.methods.deal.fragmentation.fragments import (
    Fragment,
    Matrix,
    Splitting,
    Strategy,
    find_fragmentation,
)
from sqlanon.sql.names import exact


def common_divisor(fragments: Sequence[Fragment]) -> int:
    """The number of equal classes that conform exactly, q. Gowda (2023), §4.4.2."""
    return math.gcd(*(fragment.records for fragment in fragments))


def greatest_divisor(number: int, limit: int) -> int:
    """The greatest divisor of a number that is at most a limit."""
    low = [one for one in range(1, math.isqrt(number) + 1) if number % one == 0]
    return max(one for each in low for one in (each, number // each) if one <= limit)


@dataclass(frozen=True)
class _Compared:
    """An axis of the table, as a class is compared with it.

    Attributes:
        below: how many records lie at each number of the axis or below, the last number left out.
        gaps: how far the next number lies from each.
        length: of the axis.
        limit: the greatest distance, t.
        reached: for each fragment the first number of its box, and its records from there up to
            each number of the box.
    """

    below: tuple[int, ...]
    gaps: tuple[int, ...]
    length: int
    limit: Fraction
    reached: tuple[tuple[int, list[int]], ...]


class Envelope:
    """The bounds of the classes that dealing fragments, in a given order, makes.

    Let a class hold g records of a fragment. At or below any value it has at most as many of them
    as if they were the fragment's g least. It has at least as many as if they were its g greatest.
    The same holds of the sums over the fragments; so the distance is at most the sum, over the gaps
    between two values, of the larger of the two differences from the table.

    Args:
        matrix: the table, from which distances are measured.
        fragments: in the order in which they are dealt, none of them empty: of the table, or of a
            part of it.
        t: the greatest distance along each axis.
    """

    def __init__(
        self, matrix: Matrix, fragments: Sequence[Fragment], t: Sequence[Fraction]
    ) -> None:
        self._records = matrix.records
        self._sizes = [fragment.records for fragment in fragments]
        self._starts = [0, *accumulate(self._sizes)]
        self._axes = []
        for number, (axis, limit) in enumerate(zip(matrix.axes, t, strict=True)):
            points = axis.points
            self._axes.append(
                _Compared(
                    tuple(accumulate(matrix.whole.slice_sums(number)[:-1])),
                    tuple(high - low for low, high in pairwise(points)),
                    axis.length,
                    limit,
                    tuple(
                        (fragment.box[number][0], list(accumulate(fragment.slice_sums(number))))
                        for fragment in fragments
                    ),
                )
            )

    def holds(self, classes: int) -> bool:
        """Whether every class is within every t, whichever records of a fragment it gets."""
        return all(
            moved * axis.limit.denominator
            <= axis.limit.numerator * size * self._records * axis.length
            for size, distances in self._kinds(classes)
            for moved, axis in zip(distances, self._axes, strict=True)
        )

    def bounds(self, classes: int) -> tuple[Fraction, ...]:
        """The greatest distance that any class may have, along each axis."""
        kinds = list(self._kinds(classes))
        return tuple(
            max(Fraction(moved[index], size * self._records * axis.length) for size, moved in kinds)
            for index, axis in enumerate(self._axes)
        )

    def _kinds(self, classes: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """For each kind of class its size, and how far it may be along each axis, unscaled.

        Between two places where a fragment begins, counted modulo the number of classes, all
        classes hold the same numbers of records of every fragment.
        """
        hand = _Hand(self._sizes, self._axes)
        for index, (start, end) in enumerate(pairwise(self._starts)):
            for _ in range(-(-end // classes) - -(-start // classes)):
                hand.give(index)
        yield hand.size, self._moved(hand)
        turns: dict[int, list[int]] = {}
        for index, start in enumerate(self._starts):
            if start % classes:
                turns.setdefault(start % classes, []).append(index)
        # From the class on at which a fragment begins it has one more of it, and one less of the
        # fragment before.
        for turn in sorted(turns):
            for index in turns[turn]:
                if index > 0:
                    hand.take(index - 1)
                if index < len(self._sizes):
                    hand.give(index)
            yield hand.size, self._moved(hand)

    def _moved(self, hand: _Hand) -> tuple[int, ...]:
        """The bound of a class along each axis, times its size, the table's and the length."""
        moved = []
        for axis, early, late in zip(self._axes, hand.early, hand.late, strict=True):
            total = most = least = 0
            for gap, below, sooner, later in zip(axis.gaps, axis.below, early, late, strict=True):
                most += sooner
                least += later
                fair = hand.size * below
                total += gap * max(most * self._records - fair, fair - least * self._records)
            moved.append(total)
        return tuple(moved)


class _Hand:
    """The records that a class holds of every fragment.

    Attributes:
        size: how many records it holds.
        early: for each axis, how many of them would lie at each of its numbers if they were the
            least of their fragments; the last number is left out.
        late: the same, if they were the greatest.
    """

    def __init__(self, sizes: Sequence[int], axes: Sequence[_Compared]) -> None:
        self.size = 0
        self.early = [[0] * len(axis.gaps) for axis in axes]
        self.late = [[0] * len(axis.gaps) for axis in axes]
        self._sizes, self._axes = sizes, axes
        self._held = [0] * len(sizes)

    def give(self, index: int) -> None:
        """One more record of a fragment."""
        self._count(index, self._held[index], 1)
        self._held[index] += 1

    def take(self, index: int) -> None:
        """One less."""
        self._held[index] -= 1
        self._count(index, self._held[index], -1)

    def _count(self, index: int, others: int, by: int) -> None:
        self.size += by
        for axis, early, late in zip(self._axes, self.early, self.late, strict=True):
            first, reached = axis.reached[index]
            low = first + bisect_left(reached, others + 1)
            high = first + bisect_left(reached, self._sizes[index] - others)
            if low < len(early):
                early[low] += by
            if high < len(late):
                late[high] += by


def most_classes(envelope: Envelope, ceiling: int) -> int:
    """About the most classes, up to a ceiling, that the envelope allows; 1 if it allows no more.

    Fewer classes are not always closer: this walks down by sixteenths to the first number that
    holds, and halves the last step.
    """
    failed, found = ceiling + 1, ceiling
    while found > 1 and not envelope.holds(found):
        failed, found = found, min(found - 1, found * 15 // 16)
    while failed - found > 1:
        middle = (found + failed) // 2
        if envelope.holds(middle):
            found = middle
        else:
            failed = middle
    return found


# Fragments for what part of t are tried. A class gets its share of each rounded up or down, for
# which small fragments leave room: a part of t.
PARTS_OF_T = tuple(map(Fraction, ("1", "3/4", "2/3", "1/2", "2/5", "1/3", "1/4", "1/6", "1/8")))
STRATEGIES: tuple[Strategy, ...] = ("excess", "sum")
# Finer fragmentations take long to find; single cells are tried where they are not more than this.
MOST_FRAGMENTS, MOST_SINGLE_CELLS = 400, 2000
# How many of the fragmentations with the most classes are dealt, if measuring asks for fewer.
DEALT = 4


@dataclass(frozen=True)
class Sized:
    """A fragmentation, and into how many classes it is to be dealt.

    Attributes:
        name: how it was found.
        fragments: in the order in which they are dealt, none of them empty.
        classes: how many.
        envelope: what bounds the classes; None where they conform to the fragments exactly.
    """

    name: str
    fragments: tuple[Fragment, ...]
    classes: int
    envelope: Envelope | None

    def lowered(self) -> Sized:
        """The same with fewer classes, down to one."""
        if self.envelope is None:
            divisor = common_divisor(self.fragments)
            return replace(self, classes=greatest_divisor(divisor, self.classes - 1))
        ceiling = min(self.classes - 1, self.classes * 7 // 8)
        return replace(self, classes=most_classes(self.envelope, ceiling))


def by_divisor(matrix: Matrix, t: Sequence[Fraction], strategy: Strategy, ceiling: int) -> Sized:
    """The dissertation's form, with k: the divisor of q that leaves classes large enough."""
    found = find_fragmentation(matrix, t, strategy, MOST_SINGLE_CELLS)
    fragments = _filled(matrix.singletons() if found is None else found)
    divisor = greatest_divisor(common_divisor(fragments), ceiling)
    return Sized(f"gcd, {strategy}", fragments, divisor, None)


def by_envelope(
    matrix: Matrix, table: Matrix, t: Sequence[Fraction], strategy: Strategy | None, ceiling: int
) -> list[Sized]:
    """The fragmentations with the most classes, those with the fewest fragments first of equals.

    Args:
        matrix: of the records that are dealt.
        table: of all records, to which a class must be close.
        t: the greatest distance along each axis.
        strategy: by what fragments are split; None to try each.
        ceiling: the greatest number of classes.
    """
    strategies = STRATEGIES if strategy is None else (strategy,)
    sized = []
    for name, fragments in _fragmentations(matrix, t, strategies):
        for turn in range(len(matrix.axes)):
            # Neighbours follow each other: along one attribute first, then another.
            ordered = tuple(
                sorted(fragments, key=lambda fragment: (*fragment.box[turn:], *fragment.box[:turn]))
            )
            envelope = Envelope(table, ordered, t)
            classes = most_classes(envelope, ceiling)
            sized.append(Sized(name, ordered, classes, envelope))
    sized.sort(key=lambda one: (-one.classes, len(one.fragments)))
    return sized[:DEALT]


def _fragmentations(
    matrix: Matrix, t: Sequence[Fraction], strategies: Sequence[Strategy]
) -> Iterator[tuple[str, tuple[Fragment, ...]]]:
    """The fragmentations that are tried, each once."""
    known = set()
    wanted = [[limit * part for limit in t] for part in PARTS_OF_T]
    for strategy in strategies:
        splitting = Splitting(matrix, wanted, strategy, MOST_FRAGMENTS)
        for part, limits in zip(PARTS_OF_T, wanted, strict=True):
            if strategy == "excess":  # its way depends on t; that of the sum does not
                splitting = Splitting(matrix, wanted, strategy, MOST_FRAGMENTS)
            found = splitting.until(limits)
            if found is None:  # those for less would be more
                break
            fragments = _filled(found)
            boxes = tuple(fragment.box for fragment in fragments)
            if boxes not in known:
                known.add(boxes)
                yield f"{exact(part)} t, {strategy}", fragments
    if len(matrix.cells) <= MOST_SINGLE_CELLS:
        yield "single cells", matrix.singletons()


def _filled(fragments: Sequence[Fragment]) -> tuple[Fragment, ...]:
    return tuple(fragment for fragment in fragments if fragment.records)
