"""Mechanisms of a single value, by counts of equally likely draws.

Ghosh, Roughgarden & Sundararajan (2009), the truncated geometric mechanism: of a number between 0
and n the result is that number plus z, with P(z) proportional to e^(-ε |z| / n), cut off at 0 and
n. Randomized response with k answers, Warner (1965); Kairouz, Oh & Viswanath (2014): the true
answer with e^ε / (e^ε + k - 1), every other one with 1 / (e^ε + k - 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context
from fractions import Fraction
from itertools import pairwise

from sqlanon.differential.exponential import at_most_exp, exp, exp_below

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
