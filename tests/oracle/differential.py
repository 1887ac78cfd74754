"""Mechanisms of differential privacy by their definitions: probabilities as exact fractions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import ceil, comb, factorial, floor

Chances = Mapping[Hashable, Fraction]


def exp_between(exponent: Fraction) -> tuple[Fraction, Fraction]:
    """Two fractions with e^x between them, for x from 0 to 30: the series, and its rest."""
    terms = 200
    below = sum((exponent**place / factorial(place) for place in range(terms)), Fraction(0))
    # Every later term is less than half of the one before it.
    return below, below + 2 * exponent**terms / factorial(terms)


def is_local(mechanism: Mapping[Hashable, Chances], epsilon: Fraction) -> bool:
    """Whether a mechanism is ε-locally differentially private, for certain.

    Args:
        mechanism: the chance of each result, by the value.
        epsilon: the bound.
    """
    most = exp_between(epsilon)[0]
    results = {result for chances in mechanism.values() for result in chances}
    for result in results:
        chances = [entry.get(result, Fraction(0)) for entry in mechanism.values()]
        if max(chances) > most * min(chances):
            return False
    return all(sum(entry.values()) == 1 for entry in mechanism.values())


def truncated_geometric(counts: Sequence[int], steps: int) -> dict[Hashable, Chances]:
    """The mechanism that adds noise by counts of draws, and cuts the result off at 0 and steps.

    Args:
        counts: how many draws lead to each noise, from -steps to steps.
        steps: the greatest value.
    """
    total = sum(counts)
    found: dict[Hashable, Chances] = {}
    for value in range(steps + 1):
        chances: dict[Hashable, Fraction] = {}
        for noise, count in zip(range(-steps, steps + 1), counts, strict=True):
            result = min(max(value + noise, 0), steps)
            chances[result] = chances.get(result, Fraction(0)) + Fraction(count, total)
        found[value] = chances
    return found


def response(each: int, total: int, answers: int) -> dict[Hashable, Chances]:
    """Randomized response by counts of draws: the true answer has what the others leave."""
    return {
        value: {
            answer: Fraction(total - (answers - 1) * each if answer == value else each, total)
            for answer in range(answers)
        }
        for value in range(answers)
    }


def released(members: int, share: Fraction, k: int) -> dict[int, Fraction]:
    """The chance of each number of records that a class shows: those sampled, or none below k.

    Args:
        members: its records in the source.
        share: the chance of each to be sampled.
        k: the least number that is shown.
    """
    found: dict[int, Fraction] = {}
    for sampled in range(members + 1):
        chance = comb(members, sampled) * share**sampled * (1 - share) ** (members - sampled)
        shown = sampled if sampled >= k else 0
        found[shown] = found.get(shown, Fraction(0)) + chance
    return found


def needed_delta(
    one: Mapping[int, Fraction], other: Mapping[int, Fraction], epsilon: Fraction
) -> Fraction:
    """The least δ with P(S) ≤ e^ε Q(S) + δ for every set S of results, not below it.

    Args:
        one: P.
        other: Q.
        epsilon: the bound.
    """
    factor = exp_between(epsilon)[0]
    none = Fraction(0)
    return sum((max(none, one[each] - factor * other.get(each, none)) for each in one), none)


def tail(members: int, least: int, share: Fraction) -> Fraction:
    """P(Bin(members, share) ≥ least)."""
    chances = (
        comb(members, number) * share**number * (1 - share) ** (members - number)
        for number in range(max(least, 0), members + 1)
    )
    return sum(chances, Fraction(0))


def delta_of_theorem(k: int, share: Fraction, epsilon: Fraction, most: int) -> Fraction:
    """The δ of theorem 1 of Li, Qardaji and Su (2012), as printed, up to a number of records.

    Args:
        k: the least number that is shown.
        share: the chance of each to be sampled.
        epsilon: the bound.
        most: up to how many records of a class.
    """
    power = exp_between(epsilon)[0]
    gamma = (power - 1 + share) / power
    least = ceil(k / gamma - 1)
    return max(tail(n, floor(gamma * n) + 1, share) for n in range(least, most + 1))


def exponential(weights: Sequence[int]) -> list[Fraction]:
    """The chance of each choice that is made by whole weights."""
    return [Fraction(weight, sum(weights)) for weight in weights]


def kept_by(sizes: Sequence[int], needed: int) -> int:
    """What the classes of a choice keep: min(n, max(0, 2 (n - m))) of each of n records."""
    return sum(min(size, max(0, 2 * (size - needed))) for size in sizes)
