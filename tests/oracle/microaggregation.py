"""Microaggregation in plain Python, one record after the other, by lists.

Domingo-Ferrer & Torra (2005); Solanas & Martinez-Balleste (2006); Soria-Comas et al. (2015),
algorithms 1 to 3. Of records that are
equally far the last in their order is the farthest, and the first the nearest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, order=True)
class Cell:
    """Records that are alike: where they come in the order of all, where they lie, their value."""

    place: int
    point: tuple[int, ...]
    value: Any


@dataclass(frozen=True, order=True)
class Binned:
    """A record and the part of the sensitive attribute's range that it counts for."""

    cell: Cell
    bin: int


Class = list[Cell]
Short = Callable[[Sequence[Any]], int]
# With which of its nearest a class is tried.
TRIED = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128)


def apart(one: Sequence[int], two: Sequence[int]) -> int:
    """The squared distance."""
    return sum((a - b) ** 2 for a, b in zip(one, two, strict=True))


def middle(members: Sequence[Cell]) -> tuple[int, ...]:
    """The mean, to whole numbers."""
    sums = [sum(axis) for axis in zip(*(one.point for one in members), strict=True)]
    return tuple((2 * one + len(members)) // (2 * len(members)) for one in sums)


def farthest(records: Sequence[Cell], point: Sequence[int]) -> Cell:
    """The farthest of a point."""
    return max(records, key=lambda record: (apart(record.point, point), record.place))


def mdav(records: Sequence[Cell], k: int) -> list[Class]:
    """Groups of k, the last with up to 2k - 1."""
    left, groups = list(records), []

    def around(seed: Cell) -> None:
        size = k if len(left) >= 2 * k else len(left)
        group = sorted(left, key=lambda one: (apart(one.point, seed.point), one.place))[:size]
        for one in group:
            left.remove(one)
        groups.append(group)

    while left:
        first = farthest(left, middle(left))
        around(first)
        if left:
            around(farthest(left, first.point))
    return groups


def k_first(
    records: Sequence[Cell],
    k: int,
    distance: Callable[[Sequence[Any]], Fraction],
    t: Fraction,
    rank: Callable[[Any], int],
) -> list[Class]:
    """Groups of k as by MDAV, each swapping members with records that are in no group yet.

    Soria-Comas et al. (2015), algorithm 2: one candidate after the other, the nearest to the seed
    first, as long as the group is not t-close. It comes for the member by whose leaving the group
    is nearest to the table, if that is nearer than before; of equal members the first value's, and
    of that value's the farthest from the seed.
    """
    left, groups = list(records), []

    def around(seed: Cell) -> None:
        def far(one: Cell) -> tuple[int, int]:
            return apart(one.point, seed.point), one.place

        size = k if len(left) >= 2 * k else len(left)
        line = sorted(left, key=far)
        group, candidates = line[:size], line[size:]
        for candidate in candidates:
            before = distance([one.value for one in group])
            if before <= t:
                break
            found = []
            for value in {one.value for one in group}:
                leaving = max((one for one in group if one.value == value), key=far)
                rest = list(group)
                rest.remove(leaving)
                swapped_in = [*rest, candidate]
                after = distance([one.value for one in swapped_in])
                found.append((after, rank(value), swapped_in))
            after, _, better = min(found, key=lambda one: one[:2])
            if after < before:
                group = better
        groups.append(group)
        for one in group:
            left.remove(one)

    while left:
        first = farthest(left, middle(left))
        around(first)
        if left:
            around(farthest(left, first.point))
    return groups


def v_mdav(records: Sequence[Cell], k: int, gamma: Fraction) -> list[Class]:
    """Groups of k to 2k - 1, around the farthest from the middle of all, one after the other."""
    left, groups, centre = list(records), [], middle(records)

    def nearest(one: Cell, others: Sequence[Cell]) -> int:
        return min(apart(one.point, other.point) for other in others)

    while left:
        seed = farthest(left, centre)
        size = k if len(left) >= 2 * k else len(left)
        group = sorted(left, key=lambda one: (apart(one.point, seed.point), one.place))[:size]
        groups.append(group)
        for one in group:
            left.remove(one)
        first = tuple(group)
        for one in sorted(left, key=lambda one: (nearest(one, first), one.place)):
            rest = list(left)
            rest.remove(one)
            if len(group) == 2 * k - 1 or len(rest) < k:
                break
            if nearest(one, group) >= gamma**2 * nearest(one, rest):
                break
            group.append(one)
            left = rest
    return groups


def group_size(n: int, t: Fraction) -> int:
    """The least whole number that is not below n / (2 (n - 1) t + 1)."""
    size = 1
    while size < Fraction(n) / (2 * (n - 1) * t + 1):
        size += 1
    return size


def bins(
    records: Sequence[Cell],
    size: int,
    along: Callable[[Cell], Any],
    rank: Callable[[Any], int],
) -> list[Binned]:
    """As many records in each bin as there will be groups; what is over in the middle, bin -1."""
    groups = max(1, len(records) // size)
    stack: list[Cell] = []
    for position in sorted({rank(record.value) for record in records}):
        alike = [record for record in records if rank(record.value) == position]
        alike.sort(key=lambda one: (along(one), one.place))
        reach = -(-len(alike) // groups)
        stack += [one for first in range(reach) for one in alike[first::reach]]
    full, over = divmod(len(records), groups)
    before = full // 2 * groups
    return [
        Binned(
            one,
            seat // groups
            if seat < before
            else -1
            if seat < before + over
            else (seat - over) // groups,
        )
        for seat, one in enumerate(stack)
    ]


def close_first(records: Sequence[Binned]) -> list[Class]:
    """Groups with the nearest record of every bin, and of the middle one while there are any."""
    left, groups = list(records), []

    def around(seed: Cell) -> None:
        group: Class = []
        rest = sum(one.bin == 0 for one in left)
        for number in sorted({one.bin for one in left}):
            held = [one for one in left if one.bin == number]
            held.sort(key=lambda one: (apart(one.cell.point, seed.point), one.cell.place))
            for one in held[: -(-len(held) // rest)]:
                left.remove(one)
                group.append(one.cell)
        groups.append(group)

    while left:
        cells = [one.cell for one in left]
        first = farthest(cells, middle(cells))
        around(first)
        if left:
            around(farthest([one.cell for one in left], first.point))
    return groups


def near(classes: Mapping[int, Class], number: int) -> list[tuple[int, int]]:
    """Those of the nearest other classes it is tried with: how far each is, and its number."""
    here = middle(classes[number])
    found = ((apart(here, middle(one)), other) for other, one in classes.items() if other != number)
    return [one for rank, one in enumerate(sorted(found), 1) if rank in TRIED]


def first_of_both(wishes: Sequence[tuple[Any, int, int]]) -> list[tuple[int, int]]:
    """Of wishes, each a key and two classes, those that come first for both."""
    first: dict[int, tuple[Any, int, int]] = {}
    for wish in sorted(wishes):
        for touched in wish[1:]:
            first.setdefault(touched, wish)
    return [
        (one, other)
        for key, one, other in wishes
        if first[one] == first[other] == (key, one, other)
    ]


def joined(groups: Sequence[Class], short: Short) -> list[Class]:
    """The groups when none violates a model: one that does is joined with one of its nearest.

    With that by which both together fall least short in comparison with before; of equals with the
    nearest. Of the pairs of a round that have a class in common the first by that is joined.
    """
    classes = dict(enumerate(list(group) for group in groups))

    def of(*members: int) -> int:
        return short([cell.value for number in members for cell in classes[number]])

    while len(classes) > 1:
        own = {number: of(number) for number in classes}
        wishes = []
        for number in (one for one in classes if own[one]):
            less, far, other = min(
                (of(number, other) - own[number] - own[other], far, other)
                for far, other in near(classes, number)
            )
            wishes.append(((less, far), number, other))
        if not wishes:
            break
        for number, into in first_of_both(wishes):
            classes[into] += classes.pop(number)
    return list(classes.values())


def swapped(
    groups: Sequence[Class],
    distance: Callable[[Sequence[Any]], Fraction],
    t: Fraction,
    rank: Callable[[Any], int],
    rounds: int,
) -> list[Class]:
    """The groups after near ones swapped records, so that those that are not t-close come nearer.

    The other group stays within t or comes no farther. Of the records of a value the farthest from
    the middle of its group goes; of the swaps of a round that have a group in common that of the
    nearest is made.
    """
    classes = dict(enumerate(list(group) for group in groups))

    def values(number: int) -> list[Any]:
        return [cell.value for cell in classes[number]]

    def without(number: int, out: Any, into: Any) -> Fraction:
        held = values(number)
        held.remove(out)
        return distance([*held, into])

    for _ in range(rounds):
        wishes, choice = [], {}
        far_off = {number: distance(values(number)) for number in classes}
        for number in (one for one in classes if far_off[one] > t):
            found = []
            for far, other in near(classes, number):
                for out in set(values(number)):
                    for into in set(values(other)) - {out}:
                        own, others = without(number, out, into), without(other, into, out)
                        if own < far_off[number] and (others <= t or others <= far_off[other]):
                            found.append((own, far, other, rank(out), rank(into), out, into))
            if found:
                _, far, other, *_, out, into = min(found, key=lambda one: one[:5])
                wishes.append((far, number, other))
                choice[number] = (out, into)
        pairs = first_of_both(wishes)
        if not pairs:
            break
        for number, other in pairs:
            taken = []
            for one, value in zip((number, other), choice[number], strict=True):
                centre = middle(classes[one])
                alike = [cell for cell in classes[one] if cell.value == value]
                taken.append(max(alike, key=lambda cell: (apart(cell.point, centre), cell.place)))
            given, come = taken
            classes[number].remove(given)
            classes[other].remove(come)
            classes[number].append(come)
            classes[other].append(given)
    return list(classes.values())
