"""Into which buckets a sensitive attribute's values are put. Cao et al. (2011), bucketization.

A class with the table's share of every bucket can be no farther from the table than what moving
records inside the buckets takes: their spread. The fewer buckets, the freer is the choice of a
class's records; the less they spread, the smaller can its classes be. So there is a ladder of
partitions, each with one bucket more or a few.

A bound says how far a class can be from the table that holds so many records of every bucket.

A bucket is a stretch of runs, a run one value or several that are never parted. Of a class only g_B
is known, how many records of bucket B it holds, m of all; of the table, of n records, how many each
run has. Both bounds below hold whichever records of a bucket the class gets, so that these may be
chosen by their quasi-identifiers. They are whole numbers over m * n * a scale, and never more than
the paper's. That adds up what may be moved inside the buckets and between them (Cao, Karras, Kalnis
& Tan 2011).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Protocol

# A bucket: the numbers of its first and its last run.
Bucket = tuple[int, int]


@dataclass(frozen=True)
class Run:
    """A value of the sensitive attribute, or several that are never parted.

    Attributes:
        records: how many it has among the records that are dealt: of the table, or of a stratum.
        table_records: how many it has in the table.
        least: how many records of the table the rarest of its values has, of those that have any.
        first: the place of its first value in the order of the distance.
        last: the place of its last value.
        nodes: what it lies under at every level of the hierarchy, the leaves first; for the equal
            distance one node, its own.
    """

    records: int
    table_records: int
    least: int
    first: int
    last: int
    nodes: tuple[int, ...]


class Bound(Protocol):
    """The greatest distance of a class with given numbers of records of some buckets."""

    @property
    def scale(self) -> int:
        """The divisor of the bound, apart from the class's records and the table's."""

    def moved(self, held: Sequence[int]) -> int:
        """The bound, times the records of the class and of the table and the scale.

        Args:
            held: how many records of each bucket the class holds, not all 0.
        """


def records_of(runs: Sequence[Run], bucket: Bucket) -> int:
    """How many records of the table a bucket has."""
    return sum(run.records for run in runs[bucket[0] : bucket[1] + 1])


class Levels:
    """The bound of the equal and of the hierarchical distance; a bucket is a subtree.

    At a level of the hierarchy the distance is what the class has too much of. It is the sum of
    max(0, x_v / m - N_v / n) over the level's nodes v, with x_v of the class's records and N_v of
    the table's. A node that is made of whole buckets has as many as these. Of the nodes inside a
    bucket of which the class holds g, let E be those of which it has too much. If there is one,
    they hold N_E >= the least N_v records of the table, and x_E of the class's, with x_E <= N_E and
    x_E <= g. That is so where the class is of a stratum, too. Their surplus is x_E / m - N_E / n
    <= x_E / m - max(least, x_E) / n, which grows with x_E, as 1 / m >= 1 / n; so it is at most
    max(0, g / m - max(least, g) / n). A bucket may have records of nodes that a stratum has none
    of, and these only add to what the table has. The distance
    is the mean over the levels (Li, Li & Venkatasubramanian 2007, §4.2).

    Args:
        runs: of the table.
        buckets: none of them empty; a node of a level holds whole buckets or lies within one.
    """

    def __init__(self, runs: Sequence[Run], buckets: Sequence[Bucket]) -> None:
        self._records = sum(run.table_records for run in runs)
        self.scale = len(runs[0].nodes)
        self._terms: list[tuple[tuple[int, ...], int]] = []
        for level in range(self.scale):
            whole: dict[int, tuple[tuple[int, ...], int]] = {}
            for number, bucket in enumerate(buckets):
                least = least_of_nodes(runs, bucket, level)
                if len(least) > 1:
                    self._terms.append(((number,), min(least.values())))
                    continue
                ((node, records),) = least.items()
                before, others = whole.get(node, ((), 0))
                whole[node] = ((*before, number), others + records)
            self._terms += whole.values()

    def moved(self, held: Sequence[int]) -> int:
        """The sum of what the class may have too much of, over all levels."""
        size, records, total = sum(held), self._records, 0
        for numbers, least in self._terms:
            has = held[numbers[0]] if len(numbers) == 1 else sum(held[number] for number in numbers)
            surplus = has * records - max(least, has) * size
            if surplus > 0:
                total += surplus
        return total


class Ordered:
    """The bound of the ordered distance; a bucket is a stretch of the order.

    Let X and F be the records of the class and of the table before a gap between two neighbouring
    values. The distance is the sum of |X / m - F / n| over the gaps, over the number of gaps. After
    a bucket X is known. Let b records of the class lie before the bucket and g in it. The sum over
    the gaps inside is at most either of these two, and the lesser is taken:

    - X is at most what it would be with the first g records of the bucket, and at least what it
      would be with the last. Each term is at most the larger of the two differences.

    - The sum is convex in how the g are spread over the bucket's values, so it is greatest where
      all are at one value u. From u to the next value it changes by |b / m - F / n| -
      |(b + g) / m - F / n| of the gap between, which grows with F and so with u. So it is convex in
      u, too, and greatest where u is the first or the last value.

    Nothing but F is of the table: the buckets may be those of a stratum, whose records are dealt.
    In a gap inside a run F and the bounds of X are between those before and after the run.

    Args:
        runs: of the table.
        buckets: they cover the runs from the first to the last.
    """

    def __init__(self, runs: Sequence[Run], buckets: Sequence[Bucket]) -> None:
        self._records = sum(run.table_records for run in runs)
        self.scale = max(1, runs[-1].last - runs[0].first)
        below = list(accumulate((run.records for run in runs), initial=0))
        table_below = list(accumulate((run.table_records for run in runs), initial=0))
        # Of every bucket its records, and six numbers of each of its runs: how many of the bucket's
        # records lie before and up to it, how many of the table's do, the gap inside and the next.
        self._buckets: list[tuple[int, list[tuple[int, int, int, int, int, int]]]] = []
        for low, high in buckets:
            inside = [
                (
                    below[number] - below[low],
                    below[number + 1] - below[low],
                    table_below[number],
                    table_below[number + 1],
                    runs[number].last - runs[number].first,
                    runs[number + 1].first - runs[number].last if number + 1 < len(runs) else 0,
                )
                for number in range(low, high + 1)
            ]
            self._buckets.append((below[high + 1] - below[low], inside))

    def moved(self, held: Sequence[int]) -> int:
        """The sum over all gaps of how far the class may be from the table there."""
        size, records, total, before = sum(held), self._records, 0, 0
        for has, (all_of_it, inside) in zip(held, self._buckets, strict=True):
            rest, none, every = has - all_of_it, before * records, (before + has) * records
            apart = first = last = 0
            for _, end, _, table_end, _, after in inside[:-1]:
                most = (before + min(has, end)) * records
                least = (before + max(0, rest + end)) * records
                fair = table_end * size
                apart += after * max(most - fair, fair - least)
                first += after * abs(every - fair)
                last += after * abs(none - fair)
            for start, end, table_start, table_end, within, _ in inside:
                if within:
                    low, high = table_start * size, table_end * size
                    most = (before + min(has, end)) * records
                    least = (before + max(0, rest + start)) * records
                    apart += within * max(most - low, high - least)
                    first += within * max(abs(every - low), abs(every - high))
                    last += within * max(abs(none - low), abs(none - high))
            _, _, _, table_end, _, after = inside[-1]
            total += min(apart, max(first, last)) + after * abs(every - table_end * size)
            before += has
        return total


def least_of_nodes(runs: Sequence[Run], bucket: Bucket, level: int) -> dict[int, int]:
    """The nodes of a level that a bucket has records of; how many the rarest value there has.

    Of a node above the values that is how many records it has.
    """
    found: dict[int, int] = {}
    for run in runs[bucket[0] : bucket[1] + 1]:
        if run.records:
            found[run.nodes[level]] = found.get(run.nodes[level], 0) + run.least
    return found


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
        for index, bucket in enumerate(buckets):
            parts = _children(runs, bucket)
            if len(parts) > 1:
                left = sum(_spread_of_levels(runs, part) for part in parts)
                ways.append((left - _spread_of_levels(runs, bucket), index, parts))
        if not ways:
            return
        change, index, parts = min(ways)
        buckets[index : index + 1] = parts
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
