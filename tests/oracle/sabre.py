"""SABRE by enumeration: every class that a bucket's counts allow, and halving a deck of records.

Cao, Karras, Kalnis & Tan (2011). Small tables only.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product

Deck = Sequence[int]


def every_class(
    buckets: Sequence[Sequence[tuple[int, int]]], held: Sequence[int]
) -> Iterator[list[int]]:
    """The values of every class that holds so many records of each bucket.

    Args:
        buckets: of each its values, and how many records the table has of them.
        held: how many records of each bucket.
    """
    ways = []
    for values, number in zip(buckets, held, strict=True):
        there = dict(values)
        ways.append(
            [
                entry
                for entry in combinations_with_replacement(sorted(there), number)
                if all(entry.count(value) <= there[value] for value in entry)
            ]
        )
    for parts in product(*ways):
        yield [value for part in parts for value in part]


def bound_of_the_paper(
    table: dict[int, int], buckets: Sequence[Sequence[tuple[int, int]]], held: Sequence[int]
) -> Fraction:
    """For the equal distance: what moves inside the buckets, and what between them."""
    records, size = sum(table.values()), sum(held)
    inside = between = Fraction(0)
    for values, number in zip(buckets, held, strict=True):
        counts = [count for _, count in values if count]
        share = Fraction(sum(counts), records)
        inside += share - Fraction(min(counts), records)
        between += max(Fraction(0), Fraction(number, size) - share)
    return inside + between


def halved(deck: Deck, root: int, allowed: Callable[[Deck], bool], least: int) -> list[Deck] | None:
    """Deal a deck to so many, then each part to two as long as both are allowed.

    Args:
        deck: the bucket of every record, the records of a bucket together.
        root: how many the whole deck is dealt to first.
        allowed: whether a part is close enough to the table.
        least: how many records a part must hold.

    Returns:
        The parts, the halves of a part one after the other; None if the first are not allowed.
    """

    def fine(part: Deck) -> bool:
        return len(part) >= least and allowed(part)

    def below(part: Deck) -> list[Deck]:
        sides = part[0::2], part[1::2]
        return [leaf for side in sides for leaf in below(side)] if all(map(fine, sides)) else [part]

    first = [deck[turn::root] for turn in range(root)]
    if root > 1 and not all(map(fine, first)):
        return None
    return [leaf for part in first for leaf in below(part)]
