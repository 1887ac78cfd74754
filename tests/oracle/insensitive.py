"""What a column that is released as it is says about single records, from the definitions."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from decimal import Decimal, localcontext

Value = Hashable


def in_rare_values(values: Sequence[Value], k: int) -> int:
    """How many records have a value that fewer than k records hold; NULL is a value."""
    return sum(held for held in Counter(values).values() if held < k)


def groups(values: Sequence[Value], hidden: Sequence[Value], k: int) -> list[Counter[Value]]:
    """For each value held by k records and two at least: the quasi-identifier's values there."""
    found: dict[Value, Counter[Value]] = defaultdict(Counter)
    for value, original in zip(values, hidden, strict=True):
        found[value][original] += 1
    return [group for group in found.values() if group.total() >= max(k, 2)]


def given_back(values: Sequence[Value], hidden: Sequence[Value], k: int) -> int:
    """In how many records the value gives the quasi-identifier back, chance among it.

    It does for the commonest original among its records, if they miss it at most a twentieth as
    often as all records miss their own commonest value.
    """
    commonest = max(Counter(hidden).values())
    return sum(
        most
        for group in groups(values, hidden, k)
        for most in [max(group.values())]
        if 20 * len(hidden) * (group.total() - most) <= group.total() * (len(hidden) - commonest)
    )


def by_chance(values: Sequence[Value], hidden: Sequence[Value], k: int) -> Decimal:
    """In how many at most it would by chance: the mean, and three standard deviations."""
    with localcontext(prec=60):
        share = Decimal(max(Counter(hidden).values())) / len(hidden)
        mean = variance = Decimal(0)
        for group in groups(values, hidden, k):
            records = group.total()
            chance = share ** (records - 1)
            mean += records * chance
            variance += records**2 * chance * (1 - chance)
        return mean + 3 * variance.sqrt()
