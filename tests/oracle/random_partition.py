"""Random partitions of the sizes of Stack & Deal, in plain Python. Gowda (2023), section 3.6."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

PRIME = 2**31 - 1


def drawn(codes: Sequence[int], seed: int) -> int:
    """A number that the seed draws for codes: a polynomial modulo a prime, to the fifth power."""
    digest = seed
    for code in codes:
        digest = (digest * 48271 + code) % PRIME
    return pow(digest, 5, PRIME)


def random_partition(records: Sequence[Sequence[int]], k: int, seed: int) -> list[list[int]]:
    """The places of the records of every class.

    Args:
        records: their codes; equal ones are numbered in the order in which they stand.
        k: classes have so many records at least, and differ by one at most.
        seed: of the order in which records are dealt.
    """
    seen: Counter[tuple[int, ...]] = Counter()
    order = []
    for place, codes in enumerate(map(tuple, records)):
        seen[codes] += 1
        number = seen[codes]
        order.append((drawn((*codes, number), seed), codes, number, place))
    classes: list[list[int]] = [[] for _ in range(len(records) // k)]
    for place, one in enumerate(sorted(order)):
        classes[place % len(classes)].append(one[-1])
    return classes
