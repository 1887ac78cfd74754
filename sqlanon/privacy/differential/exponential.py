"""Bounds of the exponential function, as fractions, and choices that are made by them.

The exponential mechanism over whole scores, McSherry & Talwar (2007): choice v is made with a
probability proportional to e^(ε q(v)). It is ε-differentially private, and not only 2 ε, if a
further record raises every score by 0 or 1 and lowers none: every weight grows by a factor from 1
to e^ε, and so does their sum.

e^ε is replaced by a fraction below it, so the weights are whole numbers, and the draw is exact. A
score further than ``reach`` below the best counts as that far. The greater of the score and of the
best less the reach is raised by 0 or 1 as well, so the proof is the same.

Single values have mechanisms of their own, by counts of equally likely draws. Ghosh, Roughgarden &
Sundararajan (2009), the truncated geometric mechanism: of a number between 0 and n the result is
that number plus z, with P(z) proportional to e^(-ε |z| / n), cut off at 0 and n. Randomized
response with k answers, Warner (1965); Kairouz, Oh & Viswanath (2014): the true answer with e^ε /
(e^ε + k - 1), every other one with 1 / (e^ε + k - 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil
from secrets import randbelow

_BITS = 32  # of the fraction that stands for e^-ε
_REACH = 45  # divided by ε: so far below the best a choice has a chance of e^-45, some 2^-65

_DIGITS = 60
_TERMS = 60  # of a series beyond four times its argument: what is left out is below 10^-40


def exp_below(epsilon: Fraction) -> Fraction:
    """A fraction below e^ε, and nearly it: the first terms of the series of positive terms."""
    term = total = Fraction(1)
    for power in range(1, 4 * ceil(epsilon) + _TERMS):
        term = term * epsilon / power
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


def weights_of(scores: Sequence[int], epsilon: Fraction) -> tuple[int, ...]:
    """The weight of every choice: it is made with its weight's share of their sum.

    Args:
        scores: one a choice; a further record raises each by 0 or 1.
        epsilon: the bound, above 0.
    """
    fall = ceil(2**_BITS / exp_below(epsilon))  # at least 2^32 e^-ε: no ratio is above e^ε
    best = max(scores)
    gaps = [min(best - score, reach(epsilon)) for score in scores]
    widest = max(gaps)
    return tuple(fall**gap << _BITS * (widest - gap) for gap in gaps)


def reach(epsilon: Fraction) -> int:
    """How far below the best a score counts at most."""
    return ceil(_REACH / epsilon)


def drawn(weights: Sequence[int], below: Callable[[int], int] = randbelow) -> int:
    """The place of a choice, drawn by the weights.

    Args:
        weights: whole numbers, the sum above 0.
        below: draws a whole number from 0 to below its argument, all equally likely; the operating
            system's secret randomness by default, of which nothing is kept.
    """
    ends = list(accumulate(weights))
    number = below(ends[-1])
    return next(index for index, end in enumerate(ends) if number < end)


_CONTEXT = Context(prec=60)


def clamped_laplace(epsilon: Fraction, steps: int, draws: int) -> tuple[int, ...]:
    """How many draws lead to each noise from -steps to steps; the ends have all that is beyond.

    Every noise but the ends has its share rounded down, and the ends have what is left. So a result
    at an end is never rarer than it should be, and the greatest ratio of two probabilities does not
    pass e^ε there; between the ends it is smaller by e^(ε / steps), which covers the rounding.

    Args:
        epsilon: above 0.
        steps: from the least value to the greatest, at least 1.
        draws: how many numbers are equally likely: even.
    """
    ratio = exp(-epsilon / steps)
    share = _CONTEXT.divide(_CONTEXT.subtract(1, ratio), _CONTEXT.add(1, ratio))
    counts = []
    for _ in range(steps):
        counts.append(int(_CONTEXT.multiply(share, draws)))
        share = _CONTEXT.multiply(share, ratio)
    counts[0] -= counts[0] % 2
    end = (draws - counts[0] - 2 * sum(counts[1:])) // 2
    return (end, *reversed(counts[1:]), *counts, end)


def epsilon_holds(counts: Sequence[int], epsilon: Fraction) -> bool:
    """Whether no result is more than e^ε times as likely for one value as for another: a proof.

    Args:
        counts: the draws of each noise, from -steps to steps.
        epsilon: the bound.
    """
    steps = len(counts) // 2
    least = min(counts)
    if least <= 0:
        return False
    below = [sum(counts[: steps + 1 - value]) for value in (0, steps)]  # the result is the least
    between = Fraction(counts[steps], min(counts[1:-1])) if steps > 1 else Fraction(1)
    falls = all(one <= other for one, other in pairwise(counts[1 : steps + 1]))
    return falls and at_most_exp(max(Fraction(below[0], below[1]), between), epsilon)


def other_draws(epsilon: Fraction, answers: int, draws: int) -> int:
    """How many draws lead to each answer that is not the true one.

    Rounded up, so that the true one has at most e^ε times as many.

    Args:
        epsilon: above 0.
        answers: how many there are, at least 2.
        draws: how many numbers are equally likely.
    """
    return -(-draws // (exp_below(epsilon) + answers - 1))
