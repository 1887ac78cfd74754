"""Pearson's correlation from sums."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite, sqrt

_NO_SPREAD = 1e-12  # of the mean square: what rounding alone can leave


def correlation(sums: Mapping[str, float | None]) -> float | None:
    """The correlation of two numbers; None where one of them does not vary.

    Args:
        sums: weight, x, y, xx, yy and xy, summed over records.
    """
    weight, x, y, xx, yy, xy = (
        sums[name] or 0.0 for name in ("weight", "x", "y", "xx", "yy", "xy")
    )
    if not all(map(isfinite, (weight, x, y, xx, yy, xy))) or weight <= 0:
        return None
    spreads = [square / weight - (mean / weight) ** 2 for mean, square in ((x, xx), (y, yy))]
    if any(
        spread <= _NO_SPREAD * square / weight
        for spread, square in zip(spreads, (xx, yy), strict=True)
    ):
        return None
    found = (xy / weight - x * y / weight**2) / sqrt(spreads[0]) / sqrt(spreads[1])
    return max(-1.0, min(1.0, found))
