"""Fragments of a multiplicity matrix, once more from the definitions. Gowda (2023), chapter 4.

Everything is recomputed from the whole matrix at every step, by enumeration; small matrices only.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import floor, gcd
from typing import Any, NamedTuple

from .marginals import Box, Cell, Matrix, box_mass, marginal, mass

Codes = tuple[tuple[int, int], ...]
Boxes = tuple[Codes, ...]
Place = tuple[Codes, int, int]


def farthest(vector: Sequence[int]) -> int:
    """How far a vector may be from one of the same mass: the work of moving it to one place.

    Gowda (2023), section 4.2.3, left without its case distinction: the work is convex in the vector
    it is moved to, so some vector with all mass in one place is among the farthest.
    """
    return max(
        sum(count * abs(index - to) for index, count in enumerate(vector))
        for to in range(len(vector))
    )


def slice_sums(counts: Matrix, box: Box, axis: int) -> list[int]:
    """The records of a box at each code along an axis. Gowda (2023), section 4.5."""
    low, high = box[axis]
    return [
        box_mass(counts, [*box[:axis], (code, code), *box[axis + 1 :]])
        for code in range(low, high + 1)
    ]


def aggregate_bounds(
    counts: Matrix, sizes: Sequence[int], boxes: Sequence[Box], of_fragment: bool = False
) -> list[Fraction]:
    """The bound of each axis. Gowda (2023), definition 7.

    Args:
        counts: The multiplicity matrix.
        sizes: How many values each attribute has.
        boxes: The fragments.
        of_fragment: Whether to divide by the fragment's own length, as the print may be read.
    """
    bounds = []
    for axis, size in enumerate(sizes):
        total = Fraction(0)
        for box in boxes:
            low, high = box[axis]
            length = high - low if of_fragment else size - 1
            total += Fraction(farthest(slice_sums(counts, box, axis)), max(1, length))
        bounds.append(total / mass(counts))
    return bounds


def splits(boxes: Boxes) -> Iterator[tuple[Place, Boxes]]:
    """Every fragmentation with one fragment more, and what it is ordered by among equals."""
    for box in boxes:
        for axis, (low, high) in enumerate(box):
            for last in range(low, high):
                left = (*box[:axis], (low, last), *box[axis + 1 :])
                right = (*box[:axis], (last + 1, high), *box[axis + 1 :])
                others = [other for other in boxes if other != box]
                yield (box, axis, last), tuple(sorted([*others, left, right]))


class Found(NamedTuple):
    """A fragmentation, and whether no step of the way to it had an equal one."""

    boxes: Boxes
    unique: bool


def find_fragmentation(
    counts: Matrix, sizes: Sequence[int], t: Sequence[Fraction], strategy: int
) -> Found:
    """Split greedily until every bound is at most its t. Gowda (2023), section 4.4.1.

    Strategy 1 makes the sum of the bounds least, 2 the sum of their excesses over t (the printed B
    tests the first attribute's bound; its own is meant).
    """
    boxes: Boxes = (tuple((0, size - 1) for size in sizes),)
    unique = True

    def left(candidate: Boxes) -> Fraction:
        bounds = aggregate_bounds(counts, sizes, candidate)
        if strategy == 1:
            return sum(bounds, Fraction(0))
        over = [b - limit for b, limit in zip(bounds, t, strict=True) if b > limit]
        return sum(over, Fraction(0))

    while any(
        b > limit for b, limit in zip(aggregate_bounds(counts, sizes, boxes), t, strict=True)
    ):
        ranked = sorted((left(candidate), place, candidate) for place, candidate in splits(boxes))
        unique &= len(ranked) == 1 or ranked[0][0] < ranked[1][0]
        boxes = ranked[0][2]
    return Found(boxes, unique)


def sizes_by_divisor(masses: Sequence[int]) -> tuple[int, int, list[int]]:
    """How many classes, how large, and what each takes of the fragments. Gowda (2023), 4.4.2."""
    q = gcd(*masses)
    return q, sum(masses) // q, [number // q for number in masses]


class Placed(NamedTuple):
    """A record of a fragment; of equally far and equally near ones the one of lower order goes."""

    fragment: int
    point: tuple[int, ...]
    order: Any


def generate_classes(
    records: Sequence[Placed], shares: Sequence[Mapping[int, int]]
) -> list[list[Placed]]:
    """GENERATE-CLASSES, with the farthest record from the middle as w. Gowda (2023), 4.4.3.

    Args:
        records: of all fragments.
        shares: of every class how many records of each fragment it takes.
    """
    middle = [
        floor(Fraction(sum(x), len(x)) + Fraction(1, 2))
        for x in zip(*(r.point for r in records), strict=True)
    ]
    waiting = sorted(records, key=lambda record: (-_apart(record.point, middle), record.order))
    classes = []
    for share in shares:
        w = next(one for one in waiting if share.get(one.fragment))
        taken: list[int] = []
        for fragment, number in share.items():
            own = [at for at, one in enumerate(waiting) if one.fragment == fragment]
            taken += sorted(own, key=lambda at: (_apart(waiting[at].point, w.point), at))[:number]
        classes.append([waiting[at] for at in taken])
        waiting = [one for at, one in enumerate(waiting) if at not in taken]
    assert not waiting
    return classes


def _apart(one: Sequence[int], other: Sequence[int]) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def worst_distance(counts: Matrix, size: int, axis: int, taken: Mapping[Box, int]) -> Fraction:
    """An upper bound of the ordered distance of any class that takes so many of each fragment.

    Up to every value the class has at most the records it would have if it took each fragment's
    least, at least those if it took its greatest.
    """
    records = sum(taken.values())
    table = list(accumulate(marginal(counts, axis, size)))
    most, least = [0] * size, [0] * size
    for box, number in taken.items():
        values = [code for code, n in enumerate(_along(counts, box, axis, size)) for _ in range(n)]
        for code in range(size):
            most[code] += sum(value <= code for value in values[:number])
            least[code] += sum(value <= code for value in values[len(values) - number :])
    share = [Fraction(one, mass(counts)) for one in table]
    total = sum(
        max(
            Fraction(most[code], records) - share[code],
            share[code] - Fraction(least[code], records),
        )
        for code in range(size - 1)
    )
    return Fraction(total) / max(1, size - 1)


def _along(counts: Matrix, box: Box, axis: int, size: int) -> list[int]:
    inside: dict[Cell, int] = {
        cell: count
        for cell, count in counts.items()
        if all(low <= code <= high for code, (low, high) in zip(cell, box, strict=True))
    }
    return marginal(inside, axis, size)
