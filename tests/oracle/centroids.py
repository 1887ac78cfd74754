"""The centroid of a class, with exact fractions. Domingo-Ferrer and Torra (2005)."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any


def rounded_mean(values: Sequence[Any], digits: int) -> Fraction | None:
    """The mean of the numbers that are not None, rounded half up; None if there is none."""
    known = [Fraction(value) for value in values if value is not None]
    if not known:
        return None
    units = sum(known, Fraction(0)) / len(known) * 10**digits
    return Fraction(floor(units + Fraction(1, 2)), 10**digits)


def lower_median(values: Sequence[Any], order: Sequence[Any]) -> Any:
    """Of the values that are not None, in order, the last of the first half; None if none is."""
    known = sorted(order.index(value) for value in values if value is not None)
    return order[known[(len(known) - 1) // 2]] if known else None


def first_mode(values: Sequence[Any], order: Sequence[Any]) -> Any:
    """The most frequent value, of several the first in order; None is before all others."""
    counts = Counter(values)
    return min(counts, key=lambda one: (-counts[one], -1 if one is None else order.index(one)))


def told(value: Any, values: Sequence[Any], k: int) -> Any:
    """What is published of a class with this centroid: nothing where fewer than k have a value."""
    return value if is_told(values, k) else None


def is_told(values: Sequence[Any], k: int) -> bool:
    """Whether k or more of a class have a value: of each person the first that is not None."""
    return sum(value is not None for value in values) >= k
