"""Metrics of what generalization costs, with exact fractions; logarithms as floats.

A cell is the set of values that it may stand for; a suppressed record's cells are whole domains.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from fractions import Fraction

Value = Hashable
Cell = Collection[Value]


def classification_metric(classes: Sequence[Sequence[Value]], suppressed: int = 0) -> Fraction:
    """The share of the records that are not of their class's most frequent value. Iyengar (2002).

    Args:
        classes: the sensitive values of the records of each class.
        suppressed: how many records were left out, each of which is penalized.
    """
    wrong = sum(len(one) - max(Counter(one).values()) for one in classes) + suppressed
    return Fraction(wrong, sum(map(len, classes)) + suppressed)


def ambiguity(records: Sequence[Sequence[Cell]]) -> Fraction:
    """How many combinations a record's cells stand for, on average. Nergiz and Clifton (2007)."""
    return Fraction(sum(math.prod(map(len, cells)) for cells in records), len(records))


def iloss(
    records: Sequence[Sequence[Cell]], domains: Sequence[Cell], weights: Sequence[Fraction]
) -> Fraction:
    """The sum of w * (|cell| - 1) / |domain|. Kiran and Kavya (2012), section 5.2."""
    return sum(
        (
            weight * Fraction(len(cell) - 1, len(domain))
            for cells in records
            for cell, domain, weight in zip(cells, domains, weights, strict=True)
        ),
        Fraction(),
    )


def coarsened_share(records: Sequence[Sequence[Cell]]) -> Fraction:
    """The share of records with a cell of more than one value. Kiran and Kavya (2012), CM."""
    changed = sum(any(len(cell) > 1 for cell in cells) for cells in records)
    return Fraction(changed, len(records))


def non_uniform_entropy(values: Sequence[Value], cells: Sequence[Cell]) -> float:
    """The sum of -log P(value | cell) over that of -log P(value). Gionis and Tassa (2009).

    Args:
        values: of each record of the source.
        cells: of the same records in the same order.
    """
    counts, n = Counter(values), len(values)

    def bits(value: Value, cell: Cell) -> float:
        return -math.log2(counts[value] / sum(counts[one] for one in cell))

    greatest = math.fsum(-math.log2(counts[value] / n) for value in values)
    lost = math.fsum(map(bits, values, cells))
    return lost / greatest if len(counts) > 1 else 0.0


def precision(levels: Sequence[Sequence[int]], heights: Sequence[int]) -> Fraction:
    """One less the mean share of the levels that were climbed. Sweeney (2002), Prec."""
    shares = [
        Fraction(number, most) for row in levels for number, most in zip(row, heights, strict=True)
    ]
    return 1 - sum(shares, Fraction()) / len(shares)


def minimal_distortion(levels: Sequence[Sequence[int]]) -> int:
    """How many levels were climbed. Kiran and Kavya (2012), section 5.2, at one unit a level."""
    return sum(map(sum, levels))


def level_of(label: Value, chains: Mapping[Value, Sequence[Value]]) -> int:
    """How far above a value a label lies; ``chains`` go from each value up to the root."""
    return min(chain.index(label) for chain in chains.values() if label in chain)
