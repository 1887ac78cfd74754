"""Metrics of what generalization costs, with exact fractions; logarithms as floats.

A cell is the set of the values that it may stand for. A suppressed record's cells are whole domains.
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
