"""Into which buckets a sensitive attribute's values are put. Cao et al. (2011), bucketization.

A class with the table's share of every bucket can be no farther from the table than what moving
records inside the buckets takes: their spread. The fewer buckets, the freer is the choice of a
class's records; the less they spread, the smaller can its classes be. So there is a ladder of
partitions, each with one bucket more or a few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

from sqlanon.methods.deal.sabre.bounds import Bucket, Run, least_of_nodes, records_of

# A class of k records has no share of more buckets than this in a table that needs a search.
MOST_BUCKETS = 60
# Buckets that spread by what part of t are tried: the rest is left for rounding.
PARTS_OF_T = tuple(map(Fraction, ("1", "3/4", "2/3", "1/2", "2/5", "1/3", "1/4", "1/6", "1/8")))

Partition = tuple[Bucket, ...]


def partitions(runs: Sequence[Run], distance: str, t: Fraction) -> list[Partition]:
    """The partitions that are tried, those of the fewest buckets first.

    Args:
        runs: the values, in the order that buckets are stretches of: that of the ordered distance,
            by descending records for the equal one, depth first for the hierarchical one.
        distance: ``equal``, ``ordered`` or ``hierarchical``.
        t: the greatest distance of a class to the table.
    """
    ladders = {"equal": _by_frequency, "ordered": _in_order, "hierarchical": _by_subtrees}
    found: list[Partition] = []
    last: Partition | None = None
    parts = list(PARTS_OF_T)
    for partition, spread in ladders[distance](runs):
        last = partition
        if parts and spread <= parts[0] * t:
            found.append(partition)
            while parts and spread <= parts[0] * t:
                parts.pop(0)
    if last is not None and last not in found:
        found.append(last)
    return found


def _by_frequency(runs: Sequence[Run]) -> Iterator[tuple[Partition, Fraction]]:
    """The commonest values each alone, and the rest as one.

    No other partition into as many buckets spreads less. A bucket spreads by its share less that of
    its rarest value; so all of them by 1 less the shares of the rarest values of each, which are as
    many values as buckets, the rarest of all among them. The others are at best the commonest.
    """
    filled = [number for number, run in enumerate(runs) if run.records]
    records = sum(run.records for run in runs)
    for alone in range(min(len(filled), MOST_BUCKETS)):
        rest = (filled[alone], filled[-1])
        least = min(runs[number].least for number in filled[alone:])
        spread = Fraction(records_of(runs, rest) - least, records)
        yield (*((number, number) for number in filled[:alone]), rest), spread


def _in_order(runs: Sequence[Run]) -> Iterator[tuple[Partition, Fraction]]:
    """For every number of buckets the stretches of the order that spread least."""
    filled = [number for number, run in enumerate(runs) if run.records]
    starts = [0, *filled[1:], len(runs)]
    records = sum(run.records for run in runs)
    scale = records * max(1, runs[-1].last - runs[0].first)
    blocks = len(filled)
    spread = [
        [
            _spread_in_order(runs, (starts[low], starts[end] - 1))
            for end in range(low + 1, blocks + 1)
        ]
        for low in range(blocks)
    ]
    # The least spread of the first blocks in so many buckets, and where the last of these begins.
    best = [(spread[0][end - 1], 0) for end in range(1, blocks + 1)]
    chosen = [best]
    for buckets in range(1, min(blocks, MOST_BUCKETS) + 1):
        if buckets > 1:
            best = [
                min(
                    (
                        (chosen[-1][low - 1][0] + spread[low][end - low - 1], low)
                        for low in range(buckets - 1, end)
                    ),
                    default=(0, 0),
                )
                for end in range(1, blocks + 1)
            ]
            chosen.append(best)
        cuts, end = [blocks], blocks
        for row in reversed(chosen):
            end = row[end - 1][1]
            cuts.append(end)
        cuts.reverse()
        partition = tuple((starts[low], starts[high] - 1) for low, high in pairwise(cuts))
        yield partition, Fraction(best[-1][0], scale)


def _spread_in_order(runs: Sequence[Run], bucket: Bucket) -> int:
    """The most a bucket's share adds to the ordered distance, unscaled: all at one of its ends."""
    inside = runs[bucket[0] : bucket[1] + 1]
    reached = list(accumulate((run.records for run in inside), initial=0))
    first = last = 0
    for number, run in enumerate(inside):
        first += (run.last - run.first) * (reached[-1] - reached[number])
        last += (run.last - run.first) * reached[number + 1]
        if number + 1 < len(inside):
            gap = inside[number + 1].first - run.last
            first += gap * (reached[-1] - reached[number + 1])
            last += gap * reached[number + 1]
    return max(first, last)


def _by_subtrees(runs: Sequence[Run]) -> Iterator[tuple[Partition, Fraction]]:
    """The whole, then each time the subtree taken apart that makes the spread least."""
    filled = [number for number, run in enumerate(runs) if run.records]
    scale = sum(run.records for run in runs) * len(runs[0].nodes)
    buckets: list[Bucket] = [(filled[0], filled[-1])]
    spread = _spread_of_levels(runs, buckets[0])
    while len(buckets) <= MOST_BUCKETS:
        yield tuple(buckets), Fraction(spread, scale)
        ways = []
        for place, bucket in enumerate(buckets):
            parts = _children(runs, bucket)
            if len(parts) > 1:
                left = sum(_spread_of_levels(runs, one) for one in parts)
                ways.append((left - _spread_of_levels(runs, bucket), place, parts))
        if not ways:
            return
        change, place, parts = min(ways)
        buckets[place : place + 1] = parts
        spread += change


def _children(runs: Sequence[Run], bucket: Bucket) -> list[Bucket]:
    """The subtrees of the highest level at which a bucket is of several."""
    for level in reversed(range(len(runs[0].nodes))):
        ends: dict[int, Bucket] = {}
        for number in range(bucket[0], bucket[1] + 1):
            if runs[number].records:
                node = runs[number].nodes[level]
                ends[node] = (ends.get(node, (number, number))[0], number)
        if len(ends) > 1:
            return list(ends.values())
    return []


def _spread_of_levels(runs: Sequence[Run], bucket: Bucket) -> int:
    """The most that a bucket's share adds to the hierarchical distance, unscaled."""
    records, total = records_of(runs, bucket), 0
    for level in range(len(runs[0].nodes)):
        least = least_of_nodes(runs, bucket, level)
        if len(least) > 1:
            total += records - min(least.values())
    return total
