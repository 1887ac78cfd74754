"""Cell suppression in plain Python: what a release says, and the least that could be suppressed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

Value = Any
Record = tuple[Value, ...]
STAR = "*"


def as_shown(value: Value) -> str | None:
    """A cell that is kept: the value as text; NULL stays NULL."""
    return None if value is None else str(value)


def stars(record: Record, shown: Record) -> tuple[bool, ...]:
    """Which cells of a record are suppressed.

    Raises:
        ValueError: if a cell is neither the record's value nor suppressed.
    """
    found = []
    for value, cell in zip(record, shown, strict=True):
        if cell != STAR and cell != as_shown(value):
            raise ValueError("a cell is neither the value nor suppressed")
        found.append(cell == STAR)
    return tuple(found)


def classes(shown: Mapping[int, Record]) -> list[list[int]]:
    """The records that show the same; a suppressed cell is a value of its own."""
    found: dict[Record, list[int]] = defaultdict(list)
    for number, cells in shown.items():
        found[cells].append(number)
    return list(found.values())


def least_cost(
    records: Sequence[Record],
    costs: Sequence[Fraction],
    holds: Callable[[Sequence[int]], bool],
) -> Fraction | None:
    """The least that cells must be suppressed for, over all ways to form classes.

    A class shows what its records have in common. If two classes of a way show the same, the way
    that has them as one costs no more. A model that holds of two classes must hold of both as one.

    Args:
        records: the quasi-identifiers of every record.
        costs: what a suppressed cell of each costs.
        holds: whether records, by their numbers, may be a class.
    """
    best: Fraction | None = None
    for way in _partitions(list(range(len(records)))):
        if all(holds(block) for block in way):
            cost = sum((_cost(records, costs, block) for block in way), Fraction(0))
            best = cost if best is None else min(best, cost)
    return best


def _cost(records: Sequence[Record], costs: Sequence[Fraction], block: Sequence[int]) -> Fraction:
    different = (
        cost
        for index, cost in enumerate(costs)
        if len({records[number][index] for number in block}) > 1
    )
    return len(block) * sum(different, Fraction(0))


def _partitions(numbers: list[int]) -> Iterator[list[list[int]]]:
    if not numbers:
        yield []
        return
    first, *rest = numbers
    for way in _partitions(rest):
        yield [[first], *way]
        for place in range(len(way)):
            yield [*way[:place], [first, *way[place]], *way[place + 1 :]]
