"""Strata: which of them cannot be released as classes of their own, with exact fractions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TypeVar

Record = TypeVar("Record")


def strata(
    records: Sequence[Record], group_of: Callable[[Record], Hashable]
) -> dict[Hashable, list[Record]]:
    """The records by what they agree in."""
    found: dict[Hashable, list[Record]] = defaultdict(list)
    for record in records:
        found[group_of(record)].append(record)
    return dict(found)


def distance(some: Sequence[Hashable], of: Sequence[Hashable]) -> Fraction:
    """Half the sum of the differences of two distributions of values: t of equal distances."""
    own, all_of = Counter(some), Counter(of)
    parts = (
        abs(Fraction(own[value], len(some)) - Fraction(all_of[value], len(of))) for value in all_of
    )
    return sum(parts, Fraction(0)) / 2


def failing(
    found: dict[Hashable, list[Record]],
    value_of: Callable[[Record], Hashable],
    k: int,
    least: int,
    t: Fraction,
) -> set[Hashable]:
    """The strata that as one class are too small, too alike or too far from the table.

    Args:
        found: the records of every stratum.
        value_of: the sensitive value of a record.
        k: how many records a class has at least.
        least: how many sensitive values.
        t: how far its values may be from those of the table.
    """
    table = [value_of(record) for records in found.values() for record in records]
    return {
        name
        for name, records in found.items()
        if len(records) < k
        or len({value_of(record) for record in records}) < least
        or distance([value_of(record) for record in records], table) > t
    }
