"""Frequent patterns that a release lacks, and such as it alone has. Oliveira and Zaïane (2002)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SUPPORT = 1  # per cent of the records that a frequent pattern has at least


class Patterns(NamedTuple):
    """How many values of a column, or pairs of values of two, are frequent.

    Attributes:
        frequent: in the source.
        missed: of these not in the release.
        released_frequent: in the release.
        artifactual: of these not in the source.
    """

    frequent: int
    missed: int
    released_frequent: int
    artifactual: int


def is_frequent(records: float, of: float) -> bool:
    """Whether so many records of a side make a pattern frequent; as ``utility/distance`` has it."""
    return of > 0 and round(100 * records / of, 9) >= SUPPORT


def hiding_failure(found: Sequence[tuple[bool, bool]]) -> float | None:
    """The share of the source's frequent patterns to be hidden that the release still shows.

    Args:
        found: whether each pattern to be hidden is frequent in the source, and in the release.

    Returns:
        It, from 0 to 1; None where none of them is frequent in the source.
    """
    released = [after for before, after in found if before]
    return sum(released) / len(released) if released else None


def costs(found: Sequence[Patterns]) -> dict[str, float | None]:
    """The misses cost and the share of artifactual patterns; None of no patterns.

    Args:
        found: the patterns of each column and each pair of columns.
    """
    frequent, missed, released, artifactual = (
        sum(counts) for counts in (zip(*found, strict=True) if found else [()] * 4)
    )
    return {
        "misses_cost": missed / frequent if frequent else None,
        "artifactual_patterns": artifactual / released if released else None,
    }
