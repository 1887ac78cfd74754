"""Which attributes stay together in a slice, and which records in a bucket, in plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from oracle.mondrian import Axis, Record, halves


def cells(values: Sequence[Any], most: int) -> list[Hashable]:
    """The cell of each value: its own, or of many values one of cells of as many records."""
    known = [value for value in values if value is not None]
    if len(set(known)) <= most:
        return list(values)
    return [
        None if value is None else sum(other < value for other in known) * most // len(known)
        for value in values
    ]


def contingency(one: Sequence[Hashable], other: Sequence[Hashable]) -> Fraction:
    """φ² = Σ (f_ij - f_i f_j)² / (f_i f_j) / (min(d_1, d_2) - 1). Li et al. (2012)."""
    records, ones, others = len(one), Counter(one), Counter(other)
    joint = Counter(zip(one, other, strict=True))
    if min(len(ones), len(others)) < 2:
        return Fraction(0)
    total = Fraction(0)
    for a in ones:
        for b in others:
            expected = Fraction(ones[a], records) * Fraction(others[b], records)
            total += (Fraction(joint[a, b], records) - expected) ** 2 / expected
    return total / (min(len(ones), len(others)) - 1)


def believed(
    record: Record, buckets: Iterable[Sequence[Record]], slices: Sequence[Sequence[int]], value: int
) -> Mapping[Any, Fraction]:
    """What is believed of a record: p(t, s) = Σ p(t, B) p(s | t, B) over the buckets that match.

    Li et al. (2012), §4.1; Kiruthika and Raseen, §8.2.

    Args:
        record: the record, of which the quasi-identifiers are known.
        buckets: the records of each bucket.
        slices: the places of the attributes that stay together.
        value: the place of the sensitive attribute.
    """
    total, found = Fraction(0), defaultdict[Any, Fraction](Fraction)
    for bucket in buckets:
        matched, values = Fraction(1), Counter[Any]()
        for slice_ in slices:
            known = [place for place in slice_ if place != value]
            hits = [one for one in bucket if all(one[at] == record[at] for at in known)]
            matched *= Fraction(len(hits), len(bucket))
            if value in slice_:
                values = Counter(one[value] for one in hits)
        total += matched
        for one, times in values.items() if matched else ():
            found[one] += matched * Fraction(times, values.total())
    return {one: share / total for one, share in found.items()}


def tuple_partition(
    records: Sequence[Record],
    axes: Sequence[Axis],
    slices: Sequence[Sequence[int]],
    value: int,
    most: Fraction,
) -> list[list[Record]]:
    """The buckets of Kiruthika and Raseen, §8.1, over the axes' places, without suppression.

    A bucket is cut in two while every tuple of the table is then believed to have no value with
    more than ``most``; a bucket without such a cut is final.
    """
    queue, final = [list(records)], list[list[Record]]()
    while queue:
        bucket = queue.pop(0)
        for left, right in halves(bucket, axes, strict=True):
            buckets = [*queue, left, right, *final]
            beliefs = (believed(record, buckets, slices, value) for record in set(records))
            if all(max(belief.values()) <= most for belief in beliefs):
                queue += [left, right]
                break
        else:
            final.append(bucket)
    return final
