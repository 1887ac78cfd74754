"""Random partitions in plain Python. Gowda (2023), section 3.6; Gowda (2021), section 5."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

PRIME = 2**31 - 1
Classes = list[list[int]]


def drawn(codes: Sequence[int], seed: int) -> int:
    """A number that the seed draws for codes: a polynomial modulo a prime, to the fifth power."""
    digest = seed
    for code in codes:
        digest = (digest * 48271 + code) % PRIME
    return pow(digest, 5, PRIME)


def random_partition(
    records: Sequence[Sequence[int]],
    k: int,
    seed: int,
    free: bool = False,
    counts: int | None = None,
    sensitive: int = 1,
) -> Classes:
    """The places of the records of every class.

    Args:
        records: their codes; equal ones are numbered in the order in which they stand.
        k: how many records classes have at least; with both of the next, on average at least twice.
        seed: of the order in which records are dealt.
        free: whether sizes are drawn; if not, they differ by one at most, or by counts.
        counts: by how many of a sensitive value two classes differ at most; None for any number.
        sensitive: how many of the last codes of a record are of its sensitive values.
    """
    seen: Counter[tuple[int, ...]] = Counter()
    order = []
    for index, codes in enumerate(map(tuple, records)):
        seen[codes] += 1
        number = seen[codes]
        order.append((drawn((*codes, number), seed), codes, number, index))
    order.sort()
    at_once = counts or 1
    size = -(-k // at_once) * at_once * (2 if free else 1)
    classes: Classes = [[] for _ in range(max(1, len(records) // size))]
    if counts is not None:
        _of_counts(order, classes, counts, seed, free, sensitive)
        return classes
    for turn, (number, _, _, index) in enumerate(order):
        drawn_class = free and turn >= k * len(classes)
        classes[(number if drawn_class else turn) % len(classes)].append(index)
    return classes


def _of_counts(
    order: Sequence[tuple[int, tuple[int, ...], int, int]],
    classes: Classes,
    counts: int,
    seed: int,
    free: bool,
    sensitive: int,
) -> None:
    """Deal the records of each value, so many at a time."""
    of_value: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for _, codes, _, place in order:
        of_value[codes[-sensitive:]].append(place)
    turn = 0
    for value in sorted(of_value, key=lambda one: (drawn(one, seed), one)):
        if free:
            turn = drawn(value, seed) % len(classes) * counts
        for place in of_value[value]:
            classes[turn // counts % len(classes)].append(place)
            turn += 1
