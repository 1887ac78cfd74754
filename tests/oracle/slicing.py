"""Which attributes stay together in a slice, in plain Python with exact fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any


def cells(values: Sequence[Any], most: int) -> list[Hashable]:
    """The cell of each value: its own, or of many values one of cells of as many records."""
    known = [value for value in values if value is not None]
    if len(set(known)) <= most:
        return list(values)
    return [
        None if value is None else sum(other < value for other in known) * most // len(known)
        for value in values
    ]


def contingency(one: Sequence[Hashable], other: Sequence[Hashable]) -> Fraction:
    """φ² = Σ (f_ij - f_i f_j)² / (f_i f_j) / (min(d_1, d_2) - 1). Li et al. (2012)."""
    records, ones, others = len(one), Counter(one), Counter(other)
    joint = Counter(zip(one, other, strict=True))
    if min(len(ones), len(others)) < 2:
        return Fraction(0)
    total = Fraction(0)
    for a in ones:
        for b in others:
            expected = Fraction(ones[a], records) * Fraction(others[b], records)
            total += (Fraction(joint[a, b], records) - expected) ** 2 / expected
    return total / (min(len(ones), len(others)) - 1)
