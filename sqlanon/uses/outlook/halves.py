"""How close to the whole table a class of at most half of the records can come.

Counts are whole numbers: a class of three records cannot have a half of each of two values. Where
no class of at most half of the records is within t, there are no two classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

MOST_COMPARED = 1_000_000  # values of classes of all sizes; of more it takes too long


def closest(counts: Sequence[int], least: int, ordered: bool) -> Fraction | None:
    """The least distance from the whole table that a class of at most half of its records has.

    Args:
        counts: how many records have each value, in the order of the values.
        least: how many records a class must have.
        ordered: whether values lie as far apart as their places; else all are equally far apart.

    Returns:
        The distance; None where that is too much to compare, or no class has two values.
    """
    half = sum(counts) // 2
    if len(counts) < 2 or least > half or len(counts) * half > MOST_COMPARED:
        return None
    of = _by_positions if ordered else _by_shares
    return min(of(counts, size) for size in range(least, half + 1))


def _by_shares(counts: Sequence[int], size: int) -> Fraction:
    """Half of the sum of differences of the shares: the greatest remainders are rounded up."""
    total = sum(counts)
    remainders = sorted((size * count % total for count in counts), reverse=True)
    raised = sum(remainders) // total
    return Fraction(sum(total - number for number in remainders[:raised]), total * size)


def _by_positions(counts: Sequence[int], size: int) -> Fraction:
    """The mean difference of the cumulated shares, each of which is rounded to the nearest."""
    total = sum(counts)
    remainders = (size * so_far % total for so_far in [*accumulate(counts)][:-1])
    apart = sum(min(number, total - number) for number in remainders)
    return Fraction(apart, total * size * (len(counts) - 1))
