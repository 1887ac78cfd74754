"""Mondrian in plain Python: one class after the other, by lists of records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Record = tuple[Any, ...]


@dataclass(frozen=True)
class Axis:
    """A quasi-identifier: how its values are ordered, and what publishing some of them loses."""

    key: Callable[[Any], Any]
    width: Callable[[set[Any]], int]


def mondrian(
    records: Sequence[Record],
    axes: Sequence[Axis],
    holds: Callable[[Sequence[Record]], bool],
    strict: bool,
) -> list[list[Record]]:
    """The classes of a table; the last ties are in the order of the whole records.

    Args:
        records: the quasi-identifiers of each, in the order of the axes, and more.
        axes: the quasi-identifiers.
        holds: whether records may be a class.
        strict: whether records alike in all quasi-identifiers stay together.
    """
    for left, right in halves(records, axes, strict):
        if holds(left) and holds(right):
            return [
                *mondrian(left, axes, holds, strict),
                *mondrian(right, axes, holds, strict),
            ]
    return [list(records)]


def halves(
    records: Sequence[Record], axes: Sequence[Axis], strict: bool
) -> Iterator[tuple[list[Record], list[Record]]]:
    """The two sides of every cut that a class may have, in the order in which they are tried."""
    turns = in_turn(records, axes)
    for place in turns:
        borders = _borders(records, axes, place) if strict else [(len(records) + 1) // 2]
        ordered = sorted(records, key=lambda record: _order(record, axes, [place, *turns[:3]]))
        for border in borders:
            left, right = ordered[:border], ordered[border:]
            if left and right:
                yield left, right


def in_turn(records: Sequence[Record], axes: Sequence[Axis]) -> list[int]:
    """The quasi-identifiers with more than one value among the records, the widest first."""
    values = [{record[place] for record in records} for place in range(len(axes))]
    several = [index for index, found in enumerate(values) if len(found) > 1]
    return sorted(several, key=lambda place: (-axes[place].width(values[place]), place))


def _order(record: Record, axes: Sequence[Axis], places: Sequence[int]) -> tuple[Any, ...]:
    return (*(axes[place].key(record[place]) for place in places), record)


def _borders(records: Sequence[Record], axes: Sequence[Axis], place: int) -> list[int]:
    """Where the value of the lower median begins and ends, the place nearer to the middle first."""
    keys = sorted(axes[place].key(record[place]) for record in records)
    median = keys[(len(keys) - 1) // 2]
    below, above = keys.index(median), keys.index(median) + keys.count(median)
    return sorted([above, below], key=lambda border: abs(2 * border - len(keys)))
