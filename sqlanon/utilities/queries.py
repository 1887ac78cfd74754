"""COUNT queries, drawn from a seed, and how far what they count is off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

SELECTIVITY = 0.05  # the share of the records that a query is expected to count
_MOST_COLUMNS = 4
_BOUND = 1000  # an error is of a thousandth of the records at least


@dataclass(frozen=True)
class Range:
    """A predicate: that a column's value lies in one of some neighbouring bins.

    Attributes:
        column: the column's alias.
        low: the first bin, from 1.
        high: the last.
    """

    column: str
    low: int
    high: int


CountQuery = tuple[Range, ...]


def draw(
    bins: Mapping[str, int], sensitive: Sequence[str], number: int, seed: int
) -> tuple[CountQuery, ...]:
    """Draw queries as Xiao and Tao (2006), §6, do, but of neighbouring values.

    Of b bins of a column a query of c columns asks for b s^(1/c), rounded, one at least, where s is
    the expected selectivity.

    Args:
        bins: how many bins each column has; those that have one say nothing, and are left out.
        sensitive: the columns of which every query asks one, where they have more than one bin.
        number: how many queries.
        seed: what they are drawn from.

    Returns:
        The queries; none where no column has two bins.
    """
    chance = Random(seed)  # noqa: S311 - nothing secret hangs on it
    asked = [name for name, size in bins.items() if size > 1]
    always = [name for name in sensitive if name in asked]
    if not asked:
        return ()
    queries = []
    for _ in range(number):
        most = min(_MOST_COLUMNS, len(asked))
        count = chance.randint(min(2, most), most)
        first = [chance.choice(always)] if always else []
        others = [name for name in asked if name not in first]
        columns = first + chance.sample(others, count - len(first))
        queries.append(
            tuple(_range(one, bins[one], count, chance) for one in asked if one in columns)
        )
    return tuple(queries)


def _range(column: str, bins: int, columns: int, chance: Random) -> Range:
    width = max(1, round(bins * SELECTIVITY ** (1 / columns)))
    low = chance.randint(1, bins - width + 1)
    return Range(column, low, low + width - 1)


def relative_errors(
    true: Sequence[float], found: Sequence[float], records: int
) -> tuple[float, ...]:
    """How far each query is off, the least first.

    Args:
        true: what the queries count in the source.
        found: what they count in the release.
        records: how many the source has; an error is of a thousandth of them at least, so that a
            query that counts nearly nothing does not decide.
    """
    both = zip(true, found, strict=True)
    return tuple(sorted(error_of_count(is_, one, records) for is_, one in both))


def error_of_count(true: float, found: float, records: int) -> float:
    """How far one query is off."""
    return abs(found - true) / max(true, records / _BOUND)
