"""Choosing k as Gowda (2023), chapter 6, describes it, in exact fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

Losses = Mapping[int, tuple[Fraction, Fraction]]


def normalized(value: Fraction, among: list[Fraction]) -> Fraction:
    """From the least as 0 to the greatest as 1; all 0 where they are alike."""
    if min(among) == max(among):
        return Fraction(0)
    return (value - min(among)) / (max(among) - min(among))


def costs_of_k(losses: Losses, alpha: Fraction) -> dict[int, Fraction]:
    """alpha · t + (1 - alpha) · i of every k, from its privacy loss t and information loss i."""
    ts = [t for t, _ in losses.values()]
    informations = [i for _, i in losses.values()]
    return {
        k: alpha * normalized(t, ts) + (1 - alpha) * normalized(i, informations)
        for k, (t, i) in losses.items()
    }


def chosen_k(losses: Losses, alpha: Fraction) -> int:
    """The k of the least cost; of several the smallest."""
    costs = costs_of_k(losses, alpha)
    return min(costs, key=lambda k: (costs[k], k))
