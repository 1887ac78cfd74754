"""How much is sampled, and how small a class may be, for (ε, δ) of a whole release.

Li, Qardaji & Su (2012), theorem 1, as SafePub has it (Bild, Kuhn & Prasser 2018): records are
sampled with probability β, generalized by a scheme that no data chose, and classes of fewer than k
are left out. That is (ε, δ)-differentially private if ε is at least -ln(1 - β) and δ at least the
greatest tail. This is the greatest P(Bin(n, β) > g n) over n ≥ ⌈k / g⌉ - 1, where the paper's gamma
is g = 1 - (1 - β) e^-ε.

All n with the same m = ⌊g n⌋ + 1 have their greatest tail at the greatest such n, which is
⌈m / g⌉ - 1. So δ is the greatest P(Bin(⌈m / g⌉ - 1, β) ≥ m) over m ≥ k. Bounds are fractions,
rounded to the safe side.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb

from sqlanon.privacy.differential.exponential import exp_below

_SHARES = 2**16  # β is a multiple of one part of so many
_FINE = 2**256  # to such a part a tail is rounded up
_MARGIN = Decimal("1e-30")  # above all that 60 digits round away
_CONTEXT = Context(prec=60)


@dataclass(frozen=True)
class Sampling:
    """The parameters that make a release (ε, δ)-differentially private.

    Attributes:
        share: β, with which chance a record is sampled.
        k: how many sampled records a class has at least.
        delta: the δ that these two prove, at most what was asked for.
    """

    share: Fraction
    k: int
    delta: Fraction


@lru_cache(maxsize=64)
def sampling_for(epsilon: Fraction, delta: Fraction) -> Sampling:
    """The greatest share and the least k that are proved for ε and δ.

    Args:
        epsilon: from 1/100 to 20.
        delta: above 0, below 1.
    """
    power = exp_below(epsilon)
    share = Fraction(int(_SHARES * (1 - 1 / power)), _SHARES)
    gamma = 1 - (1 - share) / power  # not above the true one, so that no tail is too small
    m = _beyond(share, gamma, delta)
    greatest = _chernoff(share, gamma, m)
    while m > 1:
        tail = tail_at(m - 1, share, gamma)
        if tail > delta:
            break
        m, greatest = m - 1, max(greatest, tail)
    return Sampling(share, m, greatest)


def tail_at(m: int, share: Fraction, gamma: Fraction) -> Fraction:
    """The greatest P(Bin(n, β) ≥ m) over all n with gamma * n < m, rounded up.

    Args:
        m: how many are sampled.
        share: β.
        gamma: the paper's, or a fraction below it.
    """
    n = -(-m * gamma.denominator // gamma.numerator) - 1
    return binomial_tail(n, m, share)


def binomial_tail(n: int, m: int, share: Fraction) -> Fraction:
    """P(Bin(n, β) ≥ m), rounded up to a multiple of 2^-256 for each of its terms.

    Args:
        n: how many are tried.
        m: from how many on.
        share: β, above 0 and below 1.
    """
    if m > n:
        return Fraction(0)
    hit, miss = share.numerator, share.denominator - share.numerator
    first = comb(n, m) * hit**m * miss ** (n - m) * _FINE
    term = -(-first // share.denominator**n)
    total = 0
    for j in range(m, n + 1):
        total += term
        term = -(-term * (n - j) * hit // ((j + 1) * miss))
        falls = (n - j) * hit <= (j + 1) * miss
        if falls and term <= 1:  # what is left is at most one part for each of the rest
            total += n - j
            break
    return Fraction(min(total, _FINE), _FINE)


def _rate(share: Fraction, gamma: Fraction) -> Decimal:
    """The logarithm, below 0 and rounded up, of what bounds P(Bin(n, β) ≥ m), to the m.

    Chernoff's bound: E s^(J - m) = (1 - β + β s)^n / s^m for the best s, for gamma * n < m.
    """
    best = gamma * (1 - share) / (share * (1 - gamma))
    mean = 1 - share + share * best
    each = _CONTEXT.divide(_ln(mean), _decimal(gamma))
    return _CONTEXT.add(_CONTEXT.subtract(each, _ln(best)), _MARGIN)


def _beyond(share: Fraction, gamma: Fraction, delta: Fraction) -> int:
    """From which m on all tails are at most δ, by Chernoff's bound."""
    needed = _CONTEXT.divide(_CONTEXT.subtract(_ln(delta), _MARGIN), _rate(share, gamma))
    return int(needed) + 2


def _chernoff(share: Fraction, gamma: Fraction, m: int) -> Fraction:
    """A bound of all tails from m on."""
    bound = _CONTEXT.exp(_CONTEXT.multiply(_rate(share, gamma), m))
    return Fraction(_CONTEXT.multiply(bound, 1 + _MARGIN))


def _decimal(value: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


def _ln(value: Fraction) -> Decimal:
    return _CONTEXT.ln(_decimal(value))
