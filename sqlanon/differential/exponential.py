"""Bounds of the exponential function, as fractions."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from math import ceil

_DIGITS = 60
_TERMS = 60  # of a series beyond four times its argument: what is left out is below 10^-40


def exp_below(epsilon: Fraction) -> Fraction:
    """A fraction below e^ε, and nearly it: the first terms of the series of positive terms."""
    term = total = Fraction(1)
    for place in range(1, 4 * ceil(epsilon) + _TERMS):
        term = term * epsilon / place
        total += term
    return total


def at_most_exp(ratio: Fraction, epsilon: Fraction) -> bool:
    """Whether a ratio is at most e^ε: true is a proof, and false may be true within 10^-40.

    Args:
        ratio: the fraction to bound.
        epsilon: at least 0.
    """
    return ratio <= exp_below(epsilon)


def exp(exponent: Fraction) -> Decimal:
    """The exponential function to 60 digits, the same on every machine."""
    context = Context(prec=_DIGITS)
    argument = context.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
    return context.exp(argument)
