"""t-k-Utility in plain Python: one record after the other, by lists. Amiri et al. (2023), §4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, order=True)
class Cell:
    """Records that are alike: where they lie, and their sensitive value."""

    place: int
    point: tuple[int, ...]
    value: Any


Class = list[Cell]
Meets = Callable[[Sequence[Any]], bool]


def apart(one: Sequence[Any], two: Sequence[Any]) -> Any:
    """The squared distance."""
    return sum((a - b) ** 2 for a, b in zip(one, two, strict=True))


def nearest_next(records: Sequence[Cell], alike: Callable[[Cell], Any]) -> list[Cell]:
    """From the first point to the nearest that is left, of equally near ones to the first."""
    points: dict[Any, list[Cell]] = {}
    for record in sorted(records):
        points.setdefault(alike(record), []).append(record)
    left, order = list(points.values()), []
    now = left[0]
    while True:
        order += now
        left.remove(now)
        if not left:
            return order
        now = min(left, key=lambda one: (apart(one[0].point, now[0].point), one[0].place))


def grown(order: Sequence[Cell], meets: Meets) -> tuple[list[Class], list[Cell]]:
    """The classes of algorithm 2, lines 5 to 20, and what is left out."""
    classes: list[Class] = []
    group: Class = []
    for record in order:
        group.append(record)
        if meets([one.value for one in group]):
            classes.append(group)
            group = []
    return classes, _settled(classes, group, meets)


def _settled(classes: list[Class], left: Sequence[Cell], meets: Meets) -> list[Cell]:
    """What no class takes, each record going to the first that does."""
    out = []
    for record in left:
        for entry in classes:
            if meets([member.value for member in (*entry, record)]):
                entry.append(record)
                break
        else:
            out.append(record)
    return out


def over_table(order: Sequence[Cell], meets: Meets) -> tuple[list[Counter[Cell]], int]:
    """The classes of one list, and how many are left out: BKA-JS, as §2.1 and §5.3.1 tell it.

    The next records of the list are a class as soon as they meet every model; a record with which
    no class can begin is passed over, and goes to the first class that takes it.
    """
    classes: list[Class] = []
    left: list[Cell] = []
    at = 0
    while at < len(order):
        ends = range(at + 1, len(order) + 1)
        end = next((number for number in ends if meets([r.value for r in order[at:number]])), None)
        if end is None:
            left.append(order[at])
            at += 1
        else:
            classes.append(list(order[at:end]))
            at = end
    out = _settled(classes, left, meets)
    if out and meets([one.value for one in out]):
        classes, out = [*classes, out], []
    return [Counter(entry) for entry in classes], len(out)


def middle(members: Class) -> tuple[Fraction, ...]:
    """The mean of a class."""
    return tuple(
        Fraction(sum(axis), len(members))
        for axis in zip(*(one.point for one in members), strict=True)
    )


def _rounded(members: Class) -> tuple[int, ...]:
    return tuple(int((2 * number + 1) // 2) for number in middle(members))


def wishes(classes: list[Class], meets: Meets, margin: int) -> list[tuple[int, Cell, int, int]]:
    """Of every cell of every class the nearest class that may take a record of it, and the gain."""
    middles = [_rounded(entry) for entry in classes]
    found = []
    for here, members in enumerate(classes):
        for cell in sorted(set(members)):
            rest = list(members)
            rest.remove(cell)
            if not meets([one.value for one in rest]):
                continue
            own = apart(cell.point, middles[here])
            for distance, there in sorted(
                (apart(cell.point, entry), index) for index, entry in enumerate(middles)
            ):
                if distance + margin >= own:
                    break
                if meets([one.value for one in (*classes[there], cell)]):
                    found.append((own - distance, cell, here, there))
                    break
    return found


def refined(classes: list[Class], meets: Meets, margin: int) -> list[Class]:
    """Rounds of moves: all that are wished, fewer of those that touch a class that would fail."""
    while wanted := wishes(classes, meets, margin):
        wanted.sort(key=lambda one: (-one[0], one[1].place, one[2], one[3]))
        amounts = [classes[here].count(cell) for _, cell, here, _ in wanted]
        while failing := _failing(after(classes, wanted, amounts), classes, meets):
            amounts = _fewer(wanted, amounts, failing)
        before = spread(classes)
        classes[:] = after(classes, wanted, amounts)
        assert spread(classes) < before
    return classes


def after(
    classes: list[Class], wanted: Sequence[tuple[int, Cell, int, int]], amounts: Sequence[int]
) -> list[Class]:
    """The classes when so many records of every wish have moved."""
    found = [list(entry) for entry in classes]
    for (_, cell, here, there), amount in zip(wanted, amounts, strict=True):
        for _ in range(amount):
            found[here].remove(cell)
            found[there].append(cell)
    return found


def _failing(found: list[Class], before: list[Class], meets: Meets) -> set[int]:
    """The classes that were changed and do not meet every model."""
    return {
        index
        for index, entry in enumerate(found)
        if Counter(entry) != Counter(before[index]) and not meets([cell.value for cell in entry])
    }


def _fewer(
    wanted: Sequence[tuple[int, Cell, int, int]], amounts: Sequence[int], failing: set[int]
) -> list[int]:
    """Of what touches a class that fails an eighth of the records, one at least, best first."""
    found = list(amounts)
    for place in failing:
        touching = [number for number, wish in enumerate(wanted) if place in wish[2:]]
        spare = max(1, sum(amounts[number] for number in touching) // 8)
        for number in touching:
            taken = min(amounts[number], spare)
            spare -= taken
            found[number] = min(found[number], taken)
    return found


def spread(classes: list[Class]) -> Fraction:
    """The sum of the squared distances of records from the middles of their classes."""
    return sum(
        (Fraction(apart(cell.point, middle(entry))) for entry in classes for cell in entry),
        Fraction(0),
    )


def utility(
    clusters: Sequence[Sequence[Cell]],
    alike: Callable[[Cell], Any],
    meets: Meets,
    margin: int,
) -> tuple[list[Counter[Cell]], int]:
    """The classes of all clusters, and how many records are left out."""
    found, out = [], 0
    for records in clusters:
        classes, left = grown(nearest_next(records, alike), meets)
        if left and meets([one.value for one in left]):
            found.append(Counter(left))
            left = []
        out += len(left)
        found += [Counter(entry) for entry in refined(classes, meets, margin)]
    return found, out
