"""Noise on counts and sums: discrete Laplace or discrete Gaussian, by equally likely draws.

A number is a sum of parts, each added where a draw reaches a threshold, so that the chances of all
numbers are known exactly. The rounding of the thresholds is bounded and counted into δ.

Discrete Laplace noise is the difference of two geometric numbers (Ghosh, Roughgarden &
Sundararajan 2009), and the binary digits of a geometric number are independent of each other.
Discrete Gaussian noise is a table, and its ε and δ follow from zero-concentrated differential
privacy (Canonne, Kamath & Steinke 2020, theorem 4 and proposition 7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import isqrt
from typing import Literal

from sqlanon.privacy.differential.exponential import exp, exp_below

NoiseName = Literal["laplace", "gaussian"]
DRAWS = 2**48  # of so many numbers one is drawn, each as likely
MOST_PARTS = 4096  # on either side of 0 of a table of Gaussian noise: the SQL has a number for each
_MARGIN = Fraction(1, 10**30)  # above all that 60 digits round away
_CONTEXT = Context(prec=60)
_FINE = 2**40  # rho is a multiple of one part of so many
_MOST_DIGITS = 59  # of a geometric number: counts and sums are of 64 bits
_TURNS = 60  # of a search for the order α of a bound


@dataclass(frozen=True)
class Part:
    """A part of a noise: ``worth`` is added where draw number ``draw`` is ``reached`` or more."""

    draw: int
    reached: int
    worth: int


@dataclass(frozen=True)
class Noise:
    """The noise of a number.

    Attributes:
        least: what there is before any part is added.
        parts: what may be added.
        off: by how much all chances together differ at most from the exact distribution (the
            distance of total variation).
        ratio: of discrete Laplace noise, the chance of one more over that of a number.
        scale: b of discrete Laplace noise, or σ² of discrete Gaussian noise.
    """

    least: int
    parts: tuple[Part, ...]
    off: Fraction
    ratio: Decimal | None
    scale: Fraction

    @property
    def draws(self) -> int:
        """How many numbers are drawn for it."""
        return 1 + max(part.draw for part in self.parts)

    def tail(self, least: int) -> Fraction:
        """The chance that it is so great or greater, rounded up; of 1 and more."""
        if self.ratio is None:
            return self._tails[least - self.least] if least <= -self.least else Fraction(0)
        exact = _CONTEXT.divide(_CONTEXT.power(self.ratio, least), _CONTEXT.add(1, self.ratio))
        return Fraction(exact) * (1 + _MARGIN) + self.off

    @cached_property
    def _tails(self) -> tuple[Fraction, ...]:
        """Of a table: the chances to be so great or greater, from the least number on."""
        shares = (Fraction(DRAWS - part.reached, DRAWS) for part in self.parts)
        return (Fraction(1), *shares)


@dataclass(frozen=True)
class Bound:
    """By how much one person changes a number of all groups together.

    Attributes:
        most: the sum of all changes.
        squared: the sum of their squares.
        groups: of how many groups.
    """

    most: int
    squared: int
    groups: int


@dataclass(frozen=True)
class Noisy:
    """The parameters of a table of counts that is (ε, δ)-differentially private.

    Attributes:
        noises: of each number that is published of a group; the first is the count.
        threshold: from which noisy count on a group is published that nobody declared.
        delta: the δ that all of it proves, at most what was asked for.
    """

    noises: tuple[Noise, ...]
    threshold: int
    delta: Fraction


@lru_cache(maxsize=64)
def noise_for(
    kind: NoiseName, epsilon: Fraction, delta: Fraction, tables: int, bounds: tuple[Bound, ...]
) -> Noisy:
    """The least noise and the least threshold that are proved for ε and δ.

    Every number of every table has the same share of ε, or of rho.

    Args:
        kind: the noise.
        epsilon: above 0.
        delta: above 0, below 1.
        tables: how many sets of columns are counted.
        bounds: of each number of a group what a person changes of it; the first is the count, of
            which one contribution adds 1 to a group.

    Raises:
        ValueError: if the δ is too small to be proved, or the noise too wide.
    """
    numbers, power = tables * len(bounds), exp_below(epsilon) + _MARGIN
    given = Fraction(0)
    if kind == "laplace":
        noises = [laplace(epsilon / numbers, bound.most) for bound in bounds]
    else:
        rho, given = rho_for(epsilon, delta / 2)
        noises = [gaussian(bound.squared * numbers / (2 * rho)) for bound in bounds]
    rounded = sum(
        (noise.off * of.groups for noise, of in zip(noises, bounds, strict=True)), Fraction(0)
    )
    given += (1 + power) * tables * rounded
    groups = tables * bounds[0].groups
    left = (delta - given) / (groups * power)
    if left <= noises[0].off:
        raise ValueError("delta is too small to be proved with draws of 48 bits")
    threshold = _least(noises[0], left)
    given += groups * power * noises[0].tail(threshold - 1)
    return Noisy(tuple(noises), threshold, given)


def _least(noise: Noise, chance: Fraction) -> int:
    """The least threshold that a group of a single contribution reaches with so little a chance."""
    high = 3
    while noise.tail(high - 1) > chance:
        high *= 2
    low = 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if noise.tail(middle - 1) <= chance else (middle + 1, high)
    return low


def laplace(epsilon: Fraction, sensitivity: int) -> Noise:
    """Discrete Laplace noise: P(z) is (1 - r) / (1 + r) r^|z| for r = e^(-ε / sensitivity).

    Digit j of a geometric number is 1 with the chance r^(2^j) / (1 + r^(2^j)), by itself. A digit
    is left out where so great a number has a chance of less than 2^-60.

    Args:
        epsilon: above 0.
        sensitivity: by how much a person changes the numbers together.

    Raises:
        ValueError: if it is so wide that a number would be too long.
    """
    each = epsilon / sensitivity
    parts: list[Part] = []
    off, ratio, digit = Fraction(0), exp(-each), 0
    while True:
        chance = exp(-each * 2**digit)
        if Fraction(chance) < Fraction(1, 2**60):
            off += 2 * Fraction(chance) * (1 + _MARGIN)
            break
        if digit > _MOST_DIGITS:
            raise ValueError("the noise is too wide for whole numbers of 64 bits")
        share = _CONTEXT.divide(chance, _CONTEXT.add(1, chance))
        reaching = int(_CONTEXT.multiply(share, DRAWS).to_integral_value())
        off += 2 * (abs(Fraction(share) - Fraction(reaching, DRAWS)) + _MARGIN)
        for number, sign in enumerate((1, -1)):
            parts.append(Part(2 * digit + number, DRAWS - reaching, sign * 2**digit))
        digit += 1
    if not parts:  # noise so narrow that it is none: ε is hundreds
        parts.append(Part(0, DRAWS, 1))
    return Noise(0, tuple(parts), off, ratio, 1 / each)


def gaussian(variance: Fraction) -> Noise:
    """Discrete Gaussian noise: P(z) is proportional to e^(-z² / (2 σ²)).

    Args:
        variance: σ².

    Raises:
        ValueError: if it is so wide that the table would be too long.
    """
    # Its tails are those of a Gaussian (the same, corollary 17): beyond are less than 2^-50.
    widest = isqrt(int(2 * variance * 36)) + 1
    if widest > MOST_PARTS:
        raise ValueError("the Gaussian noise is too wide for a table of its chances")
    weights = [
        exp(-Fraction(distance * distance) / (2 * variance)) for distance in range(widest + 1)
    ]
    total = Decimal(0)
    for index, weight in enumerate(weights):
        total = _CONTEXT.add(total, weight if index == 0 else 2 * weight)
    counts = [int(_CONTEXT.divide(_CONTEXT.multiply(number, DRAWS), total)) for number in weights]
    counts[0] = DRAWS - 2 * sum(counts[1:])
    ends = accumulate((*reversed(counts[1:]), *counts[:-1]))
    parts = tuple(Part(0, end, 1) for end in ends)
    return Noise(-widest, parts, Fraction(2 * widest + 2, DRAWS), None, variance)


@lru_cache(maxsize=64)
def rho_for(epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """The greatest rho of zero-concentrated differential privacy that gives ε and δ, and that δ.

    Args:
        epsilon: above 0.
        delta: above 0.

    Raises:
        ValueError: if there is none.
    """
    low, high = 0, int(epsilon * _FINE)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high)
            if delta_of(Fraction(middle, _FINE), epsilon) <= delta
            else (low, middle - 1)
        )
    if low == 0:
        raise ValueError("epsilon and delta are too small for Gaussian noise")
    rho = Fraction(low, _FINE)
    return rho, delta_of(rho, epsilon)


def delta_of(rho: Fraction, epsilon: Fraction) -> Fraction:
    """A δ that rho of zero-concentrated differential privacy gives with ε, rounded up.

    e^((α - 1)(α rho - ε)) / (α - 1) · (1 - 1 / α)^α for any α above 1 (Canonne, Kamath & Steinke
    2020, proposition 7): that of the α which a search finds.
    """
    low, high = Fraction(1, 10**6), 2 * epsilon / rho + 2  # of α - 1
    for _ in range(_TURNS):
        third = (high - low) / 3
        one, other = _coarse(low + third), _coarse(high - third)
        if _log_delta(one, rho, epsilon) <= _log_delta(other, rho, epsilon):
            high = other
        else:
            low = one
        if high - low < low / 1000:
            break
    found = _CONTEXT.exp(_log_delta(_coarse(low), rho, epsilon))
    return min(Fraction(1), Fraction(found) * (1 + _MARGIN))


def _log_delta(above: Fraction, rho: Fraction, epsilon: Fraction) -> Decimal:
    """The logarithm of the δ of α = 1 + above."""
    alpha = 1 + above
    exponent = _decimal(above * (alpha * rho - epsilon))
    powered = _CONTEXT.multiply(_decimal(alpha), _ln(above / alpha))
    return _CONTEXT.add(_CONTEXT.subtract(exponent, _ln(above)), powered)


def _coarse(value: Fraction) -> Fraction:
    """A number of few digits near another, so that no fraction grows long."""
    fine = 10**9
    return Fraction(max(1, round(value * fine)), fine)


def _decimal(value: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


def _ln(value: Fraction) -> Decimal:
    return _CONTEXT.ln(_decimal(value))


def summed(promised: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """The ε and δ of several releases together: their sums (Dwork & Roth 2014, theorem 3.16)."""
    return (
        sum((number for number, _ in promised), Fraction(0)),
        sum((number for _, number in promised), Fraction(0)),
    )
