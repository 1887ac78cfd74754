"""Swapped records and correlated noise in plain Python, with exact sums and the same doubles."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import floor, sqrt
from typing import Any

Rows = Sequence[Sequence[int | None]]


def drawn(key: str, label: str, name: str) -> int:
    """The first 48 bits of HMAC-SHA-256."""
    digest = hmac.new(key.encode(), f"{label}|{name}".encode(), hashlib.sha256).hexdigest()
    return int(digest[:12], 16)


def swapped(
    tuples: Sequence[Any],
    agreeing: Sequence[Any],
    share: Fraction,
    draws: Sequence[int],
    names: Sequence[str],
    rare: Sequence[Any] = (),
) -> list[Any]:
    """What each record has once pairs of records that agree have traded.

    Args:
        tuples: what is traded of each record.
        agreeing: what both of a pair have.
        share: of the records that trade, at most.
        draws: of each record, 48 bits.
        names: of each record, in the order of their bytes.
        rare: of each record, values that make it trade the sooner the fewer share them.
    """
    times = Counter(rare)
    sharing = [times[one] for one in rare] or [0] * len(tuples)
    cells = defaultdict(list)
    for row, cell in enumerate(agreeing):
        cells[cell].append(row)
    pairs = []
    for rows in cells.values():
        rows.sort(key=lambda row: (sharing[row], draws[row] % 2**24, names[row]))
        pairs += list(zip(rows[::2], rows[1::2], strict=False))
    pairs.sort(key=lambda pair: (sharing[pair[0]], draws[pair[0]] >> 24, names[pair[0]]))
    found = list(tuples)
    for one, other in pairs[: floor(share * len(tuples) / 2)]:
        found[one], found[other] = tuples[other], tuples[one]
    return found


def factor(columns: Rows) -> list[list[float]]:
    """Cholesky's factor of the covariances of columns, on a grid from least to greatest.

    Args:
        columns: the values of each, in whole units; NULL is None.
    """
    limits = [_limits(column) for column in columns]
    whole = [row for row in zip(*columns, strict=True) if None not in row]
    placed = [
        [floor((value - low) / (high - low) * 2**24) if high > low else 0 for value in column]
        for column, (low, high) in zip(zip(*whole, strict=True), limits, strict=False)
    ] or [[] for _ in columns]
    size, number = len(whole), len(columns)
    products = [
        [
            size * sum(a * b for a, b in zip(entry, other, strict=True)) - sum(entry) * sum(other)
            for other in placed
        ]
        for entry in placed
    ]
    covered = [
        [float((abs(c) // size**2) * (1 if c > 0 else -1)) if size else 0.0 for c in row]
        for row in products
    ]
    made = [[0.0] * number for _ in range(number)]
    for j in range(number):
        left = _left(covered, made, j, j)
        for i in range(j, number):
            if left > covered[j][j] / 2**20:
                made[i][j] = _left(covered, made, i, j) / sqrt(left)
    return made


def _limits(column: Sequence[int | None]) -> tuple[float, float]:
    known = [one for one in column if one is not None]
    return (float(min(known)), float(max(known))) if known else (0.0, 0.0)


def _left(covered: list[list[float]], made: list[list[float]], i: int, j: int) -> float:
    found = covered[i][j]
    for k in range(j):
        found = found - made[i][k] * made[j][k]
    return found


def noised(columns: Rows, share: Fraction, draws: Sequence[Sequence[int]]) -> list[list[Any]]:
    """What values become, in units.

    Args:
        columns: the values of each, in whole units; NULL is None.
        share: of the standard deviations.
        draws: of each column and record, 48 bits.
    """
    mixed = [[floor(number * 1024 + 0.5) for number in row] for row in factor(columns)]
    step = float(share) / (2**34 * sqrt(Fraction(4 * (4096**2 - 1), 12)))
    found = []
    for i, column in enumerate(columns):
        low, high = _limits(column)
        new: list[int | None] = []
        for row, value in enumerate(column):
            total = sum(mixed[i][j] * bell(draws[j][row]) for j in range(i + 1))
            noise = floor(float(total) * (high - low) * step + 0.5)
            new.append(None if value is None else value + noise)
        found.append(new)
    return found


def bell(number: int) -> int:
    """A drawn number as the sum of its four parts of 12 bits, less the middle of such sums."""
    return sum(number >> 12 * place & 4095 for place in range(4)) - 8190
