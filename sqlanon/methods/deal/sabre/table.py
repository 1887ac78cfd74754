"""The buckets and the halves of them that make the most classes, found from counts alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from sqlanon.methods.deal.sabre.bounds import Bound, Levels, Ordered, Run, records_of
from sqlanon.methods.deal.sabre.buckets import Partition, partitions
from sqlanon.methods.deal.sabre.halving import Deck, Halved


@dataclass(frozen=True)
class Found:
    """Buckets, and into what classes they are dealt.

    Attributes:
        buckets: none of them empty.
        halved: the classes.
        promised: the greatest distance that any of them may have.
    """

    buckets: Partition
    halved: Halved
    promised: Fraction


class Table:
    """The table as the search knows it, and what was found for it.

    Args:
        runs: the values.
        distance: ``equal``, ``ordered`` or ``hierarchical``.
        t: the greatest distance of a class to the table.
    """

    def __init__(self, runs: list[Run], distance: str, t: Fraction) -> None:
        self._runs, self._distance, self._t = runs, distance, t
        self._partitions = partitions(runs, distance, t)
        self._records = sum(run.table_records for run in runs)
        self._whole = self._records == sum(run.records for run in runs)
        self._found: dict[int, Found] = {}

    def most(self, least: int) -> Found:
        """The most classes of at least so many records; of equals those of the fewest buckets."""
        if least not in self._found:
            self._found[least] = max(self._tried(least), key=lambda one: one.halved.classes)
        return self._found[least]

    def _tried(self, least: int) -> Iterator[Found]:
        for buckets in self._partitions:
            ordered = self._distance == "ordered"
            bound: Bound = (Ordered if ordered else Levels)(self._runs, buckets)
            sizes = [records_of(self._runs, one) for one in buckets]
            halved = Deck(sizes, partial(self._close, bound)).halved(least)
            promised = max(
                Fraction(bound.moved(held), sum(held) * self._records * bound.scale)
                for held in halved.kinds
            )
            # A single class may be the table itself, at distance 0, though the bound may be more.
            itself = self._whole and halved.classes == 1
            yield Found(buckets, halved, Fraction(0) if itself else promised)

    def _close(self, bound: Bound, held: Sequence[int]) -> bool:
        """Whether a class that holds so many of each bucket is surely within t."""
        scale = sum(held) * self._records * bound.scale
        return bound.moved(held) * self._t.denominator <= self._t.numerator * scale
