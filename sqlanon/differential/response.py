"""Randomized response with k answers, by counts of equally likely draws.

Warner (1965); Kairouz, Oh & Viswanath (2014): the true answer with e^ε / (e^ε + k - 1), every other
one with 1 / (e^ε + k - 1).
"""

from __future__ import annotations

from fractions import Fraction

from sqlanon.differential.exponential import exp_below


def other_draws(epsilon: Fraction, answers: int, draws: int) -> int:
    """How many draws lead to each answer that is not the true one.

    Rounded up, so that the true one has at most e^ε times as many.

    Args:
        epsilon: above 0.
        answers: how many there are, at least 2.
        draws: how many numbers are equally likely.
    """
    return -(-draws // (exp_below(epsilon) + answers - 1))
