"""A table of counts with noise by its definition: exact chances, and what is published of draws."""

from __future__ import annotations

import hashlib
import hmac
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil

from oracle.differential import exp_between

Chances = Mapping[int, Fraction]
Part = tuple[int, int, int]  # the number of a draw, from where on, and what is then added


def drawn(key: bytes, label: str, *names: object) -> int:
    """The number of 48 bits that is drawn of names for a purpose."""
    text = "|".join((label, *map(str, names)))
    return int(hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:12], 16)


def chances(least: int, parts: Iterable[Part], draws: int) -> dict[int, Fraction]:
    """The chance of each noise: draws are independent, and a part is added where its draw is great.

    Args:
        least: what there is before any part is added.
        parts: the parts.
        draws: how many numbers a draw may be.
    """
    by_draw: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for draw, reached, worth in parts:
        by_draw[draw].append((reached, worth))
    found = {least: Fraction(1)}
    for several in by_draw.values():
        ends = sorted({0, draws, *(reached for reached, _ in several)})
        each: dict[int, Fraction] = defaultdict(Fraction)
        for low, high in pairwise(ends):
            added = sum(worth for reached, worth in several if low >= reached)
            each[added] += Fraction(high - low, draws)
        both: dict[int, Fraction] = defaultdict(Fraction)
        for noise, chance in found.items():
            for added, other in each.items():
                both[noise + added] += chance * other
        found = dict(both)
    return found


def discrete_laplace(each: Fraction, most: int) -> dict[int, Fraction]:
    """P(z) = (1 - r) / (1 + r) r^|z| for r = e^-each, up to a number on either side.

    Args:
        each: ε over the sensitivity.
        most: the greatest number.
    """
    once = _rounded(1 / exp_between(each)[0])
    powers = [Fraction(1)]
    for _ in range(most):
        powers.append(_rounded(powers[-1] * once))
    share = (1 - once) / (1 + once)
    return {place: _rounded(share * powers[abs(place)]) for place in range(-most, most + 1)}


def discrete_gaussian(variance: Fraction, most: int) -> dict[int, Fraction]:
    """P(z) proportional to e^(-z² / (2 σ²)), up to a number on either side.

    Args:
        variance: σ².
        most: the greatest number; beyond it the chance must be next to nothing.
    """
    # e^(-(z + 1)² / (2 σ²)) is that of z times e^(-(2 z + 1) / (2 σ²)).
    twice = _rounded(1 / exp_between(1 / variance)[0])
    step = _rounded(1 / exp_between(1 / (2 * variance))[0])
    falling = [Fraction(1)]
    for _ in range(most):
        falling.append(_rounded(falling[-1] * step))
        step = _rounded(step * twice)
    total = falling[0] + 2 * sum(falling[1:])
    return {place: _rounded(falling[abs(place)] / total) for place in range(-most, most + 1)}


def _rounded(value: Fraction) -> Fraction:
    """To a part of 2^200: no fraction grows long."""
    return Fraction(round(value * 2**200), 2**200)


def distance(one: Chances, other: Chances) -> Fraction:
    """The distance of total variation, where what one lacks has no chance."""
    none = Fraction(0)
    apart = (abs(one.get(z, none) - other.get(z, none)) for z in {*one, *other})
    rest = abs(sum(one.values(), none) - sum(other.values(), none))
    return (sum(apart, none) + rest) / 2


def shifted(chances_: Chances, by: int) -> dict[int, Fraction]:
    """The chances of a number with noise."""
    return {noise + by: chance for noise, chance in chances_.items()}


def shown(chances_: Chances, count: int, threshold: int) -> dict[int, Fraction]:
    """The chances of what a group that nobody declared shows: 0 where it is not published."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for noise, chance in chances_.items():
        found[count + noise if count and count + noise >= threshold else 0] += chance
    return dict(found)


def noise_of(least: int, parts: Sequence[Part], key: bytes, number: int, figure: int) -> int:
    """The noise that a key draws for a number of a group."""
    draws = {draw: drawn(key, "noise", number, figure, draw) for draw, _, _ in parts}
    return least + sum(worth for draw, reached, worth in parts if draws[draw] >= reached)


def used(
    records: Sequence[tuple[object, ...]], key: bytes, most: int, person: int, read: Sequence[int]
) -> list[tuple[object, ...]]:
    """At most so many records of each person: those that the key draws by what is read of them.

    Args:
        records: the records.
        key: the key.
        most: of a person at most.
        person: where a record has its person.
        read: where it has what is read.
    """
    of: dict[object, list[tuple[object, ...]]] = defaultdict(list)
    for record in records:
        of[record[person]].append(record)

    def place(one: tuple[object, ...]) -> str:
        names = ["~n" if one[at] is None else str(one[at]) for at in read]
        text = "|".join(("contribution", *names))
        return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()

    return [entry for several in of.values() for entry in sorted(several, key=place)[:most]]


def cell(text: str | None) -> str:
    """A text of a message that is hashed: no two have the same."""
    return "~n" if text is None else text.replace("~", "~~").replace("|", "~p")


def half_up(value: int, to: int) -> int:
    """A number rounded to a multiple; halves go up."""
    return (2 * value + to) // (2 * to) * to


def smallest_threshold(tails: Mapping[int, Fraction], chance: Fraction) -> int:
    """The least threshold that a count of 1 reaches with at most a chance."""
    return next(t for t in range(2, ceil(10**4)) if tails.get(t - 1, Fraction(0)) <= chance)


def tails(chances_: Chances) -> dict[int, Fraction]:
    """The chance to be so great or greater, of every number from 1 to the greatest."""
    found, total = {}, Fraction(0)
    for noise in range(max(chances_), 0, -1):
        total += chances_.get(noise, Fraction(0))
        found[noise] = total
    return found
