"""Choosing k as Gowda (2023), chapter 6, describes it, and with linkage, in exact fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

# Of every k: t, the marketer risk, and the information loss.
Losses = Mapping[int, tuple[Fraction, Fraction, Fraction]]


def normalized(value: Fraction, among: list[Fraction]) -> Fraction:
    """From the least as 0 to the greatest as 1; all 0 where they are alike."""
    if min(among) == max(among):
        return Fraction(0)
    return (value - min(among)) / (max(among) - min(among))


def privacy_of_k(losses: Losses) -> dict[int, Fraction]:
    """The greater of t and the marketer risk of every k, both normalized."""
    ts = [t for t, _, _ in losses.values()]
    risks = [risk for _, risk, _ in losses.values()]
    return {
        k: max(normalized(t, ts), normalized(risk, risks)) for k, (t, risk, _) in losses.items()
    }


def costs_of_k(losses: Losses, alpha: Fraction) -> dict[int, Fraction]:
    """alpha · p + (1 - alpha) · i of every k, from its privacy loss p and information loss i."""
    privacy = privacy_of_k(losses)
    informations = [i for _, _, i in losses.values()]
    return {
        k: alpha * privacy[k] + (1 - alpha) * normalized(i, informations)
        for k, (_, _, i) in losses.items()
    }


def chosen_k(losses: Losses, alpha: Fraction) -> int:
    """The k of the least cost; of several that with the least privacy loss, then the smallest."""
    costs, privacy = costs_of_k(losses, alpha), privacy_of_k(losses)
    return min(costs, key=lambda k: (round(costs[k], 6), privacy[k], k))


def printed_costs(losses: Losses, alpha: Fraction) -> dict[int, Fraction]:
    """alpha · t + (1 - alpha) · i of every k, as Gowda (2023), chapter 6, prints it."""
    return {k: alpha * t + (1 - alpha) * i for k, (t, _, i) in losses.items()}
