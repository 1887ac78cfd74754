"""What is known beforehand of a sensitive attribute, in plain Python: no floating point decides."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

_EXACT = Context(prec=60)

Distribution = Mapping[Any, Fraction]


def m_estimate(
    records: Sequence[tuple[Hashable, Hashable]], smoothing: Fraction
) -> dict[Hashable, Distribution]:
    """P(value | tuple) of (tuple, value) records: (n_us + m P(s)) / (n_u + m). Cestnik (1990)."""
    pairs, tuples = Counter(records), Counter(record for record, _ in records)
    values = Counter(value for _, value in records)
    return {
        one: {
            value: (pairs[one, value] + smoothing * Fraction(times, len(records)))
            / (tuples[one] + smoothing)
            for value, times in values.items()
        }
        for one in tuples
    }


def divergence(one: Distribution, two: Distribution) -> Decimal:
    """Jensen-Shannon, base 2: the entropy of the mean less mean entropy. Lin (1991)."""
    mean = {
        value: (one.get(value, Fraction(0)) + two.get(value, Fraction(0))) / 2
        for value in {*one, *two}
    }
    return _entropy(mean) - (_entropy(one) + _entropy(two)) / 2


def billionths(one: Distribution, two: Distribution) -> int:
    """The divergence in whole parts of 10^9."""
    return int((divergence(one, two) * 10**9).quantize(Decimal(1), ROUND_HALF_UP))


def _entropy(distribution: Distribution) -> Decimal:
    bits = Decimal(0)
    for share in distribution.values():
        if share:
            exact = _EXACT.divide(Decimal(share.numerator), Decimal(share.denominator))
            bits -= exact * _EXACT.divide(_EXACT.ln(exact), _EXACT.ln(Decimal(2)))
    return bits


def complete_linkage(profiles: Sequence[Distribution], most: int) -> list[list[int]]:
    """Clusters of profiles: the nearest two are joined, one pair after the other, up to a limit.

    Two clusters are as far apart as their furthest members. Of equal pairs the one whose first
    members come first is joined first.

    Args:
        profiles: the distributions.
        most: the greatest distance within a cluster, in parts of 10^9.
    """
    apart = {
        (i, j): billionths(profiles[i], profiles[j])
        for i, j in combinations(range(len(profiles)), 2)
    }
    clusters = [[place] for place in range(len(profiles))]
    while True:
        pairs = [
            (max(apart[min(i, j), max(i, j)] for i in one for j in two), one[0], two[0])
            for one, two in combinations(clusters, 2)
        ]
        if not pairs or min(pairs)[0] > most:
            return clusters
        _, first, second = min(pairs)
        joined = sorted(
            member for entry in clusters if entry[0] in (first, second) for member in entry
        )
        clusters = sorted(
            [joined, *(entry for entry in clusters if entry[0] not in (first, second))]
        )


def furthest(profiles: Sequence[Distribution]) -> int:
    """How far the profiles of a class lie apart at most, in parts of 10^9."""
    return max((billionths(*pair) for pair in combinations(profiles, 2)), default=0)


def beliefs(members: Sequence[tuple[Distribution, Any]]) -> list[dict[Any, Fraction]]:
    """The belief in each value of a class, for each member. Li, Li & Zhang (2010), §4.

    Args:
        members: of each member what is known beforehand, and the value.
    """
    held = Counter(value for _, value in members)
    expected = {
        value: sum((known.get(value, Fraction(0)) for known, _ in members), Fraction(0))
        for value in held
    }
    found = []
    for known, _ in members:
        parts = {
            value: times * known.get(value, Fraction(0)) / expected[value]
            if expected[value]
            else Fraction(times, len(members))
            for value, times in held.items()
        }
        whole = sum(parts.values())
        found.append(
            {
                value: part / whole if whole else Fraction(held[value], len(members))
                for value, part in parts.items()
            }
        )
    return found


def of_person(records: Sequence[Hashable], known: Mapping[Hashable, Distribution]) -> Distribution:
    """What is known of a person: the mean of what is known of the tuple of each of the records."""
    values = {value for record in records for value in known[record]}
    return {
        value: sum((known[record].get(value, Fraction(0)) for record in records), Fraction(0))
        / len(records)
        for value in values
    }
