"""Anatomize as it is printed, one record at a time: groups of l different sensitive values.

Xiao & Tao (2006), section 4. Of the choices that the paper leaves open the first is taken.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction


def eligible(values: Sequence[Hashable], l: int) -> bool:  # noqa: E741 - the literature's name
    """Whether no value is in more than n / l of the n records."""
    return max(Counter(values).values()) * l <= len(values)


def anatomize(values: Sequence[Hashable], l: int) -> list[list[int]]:  # noqa: E741
    """The groups, as the places of their records.

    Args:
        values: the sensitive value of each record.
        l: how many different values a group has at least.

    Raises:
        ValueError: If a value is in more than n / l of the records.
    """
    if not eligible(values, l):
        raise ValueError(f"a value is in more than 1/{l} of the records")
    buckets: dict[Hashable, list[int]] = {}
    for index, value in enumerate(values):
        buckets.setdefault(value, []).append(index)
    groups: list[list[int]] = []
    while sum(map(bool, buckets.values())) >= l:
        largest = sorted(buckets.values(), key=len, reverse=True)[:l]
        groups.append([bucket.pop() for bucket in largest])
    for value, bucket in buckets.items():
        assert len(bucket) <= 1  # Property 1
        for place in bucket:
            without = [group for group in groups if value not in [values[other] for other in group]]
            without[0].append(place)
    return groups


def all_different(groups: Sequence[Sequence[Hashable]]) -> bool:
    """Whether no group has a value twice."""
    return all(len(set(values)) == len(values) for values in groups)


def reconstruction_error(groups: Sequence[Sequence[Hashable]]) -> Fraction:
    """How far a reader's distribution of every record's value is from the value itself, squared.

    Section 4.1: of a record the reader believes in each value of its group by its share.
    """
    total = Fraction(0)
    for values in groups:
        shares = {value: Fraction(count, len(values)) for value, count in Counter(values).items()}
        for own in values:
            total += sum((share - (value == own)) ** 2 for value, share in shares.items())
    return total
