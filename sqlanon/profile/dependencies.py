"""Which columns tell which others: sought in a sample, decided by all records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlanon.plan import SearchBase, Step, work
from sqlanon.plan.runner import Runner
from sqlanon.profile.counting import alias
from sqlanon.profile.profile import Counts
from sqlanon.source.source import RECORDS
from sqlanon.sql.names import Relation

# How many different records the sample has, about; of how many of its pairs all records decide.
TUPLES, MOST_PAIRS = 300, 60
# Values that fewer records share on average point at these records, and no pair is tried.
SHARED = 5
# A column determines another if its guesses miss so many times fewer records than the commonest
# value.
FEWER_MISSES = 20
LOTS, SAMPLE = work("profile_lots"), work("profile_sample")
PAIRS, DETERMINED = work("profile_pairs"), work("profile_determined")
Pair = tuple[int, int]  # the places of a column and of another that it may determine


@dataclass
class Dependencies(SearchBase):
    """A search for the columns that determine others.

    Attributes:
        counts: what is counted of the columns, by place.
        asked: pairs that are decided in any case.
        found: the pairs that hold, once it has run.
    """

    counts: Mapping[int, Counts]
    asked: tuple[Pair, ...] = ()
    found: frozenset[Pair] = frozenset()
    title: str = "columns that determine others"
    output: Relation = DETERMINED

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return f"{TUPLES} {MOST_PAIRS} {SHARED} {FEWER_MISSES} {self.asked}"

    def run(self, session: Runner) -> None:
        """Search, and keep what holds in ``found``."""
        self.found = self._decided(session, [*self.asked, *self._proposed(session)])

    def _proposed(self, session: Runner) -> list[Pair]:
        """The pairs that hold in the sample and may hold in all records, the plainest first."""
        some = [
            place
            for place, one in self.counts.items()
            if one.used > 1 and SHARED * one.used <= one.known
        ]
        if len(some) < 2:
            return []
        columns = {"columns": [alias(place) for place in some]}
        session.create(
            Step("a hash of every record", LOTS, "profile/lots", {"records": RECORDS}, columns)
        )
        lots = session.fetch("profile/lot_count", {"profile_lots": LOTS}, {}, 1).rows[0][0]
        bound = min(16**6 - 1, 16**6 * TUPLES // max(lots, 1))
        sampled = {
            "columns": [{"alias": alias(place), "place": place} for place in some],
            "bound": "g" if lots <= TUPLES else f"{bound:06x}",
        }
        lotted = {"profile_lots": LOTS}
        session.create(Step("a sample", SAMPLE, "profile/sample", lotted, sampled))
        session.drop(LOTS)
        rows = session.fetch(
            "profile/candidates", {"profile_sample": SAMPLE}, {}, len(some) ** 2
        ).rows
        ranked = sorted((-shared, missed, one, other) for one, other, missed, shared in rows)
        return [(one, other) for _, _, one, other in ranked][:MOST_PAIRS]

    def _decided(self, session: Runner, pairs: Iterable[Pair]) -> frozenset[Pair]:
        pairs = sorted(set(pairs))
        if not pairs:
            return frozenset()
        both = sorted({(min(pair), max(pair)) for pair in pairs})
        number = {pair: place for place, pair in enumerate(both)}
        columns = [alias(place) for place in sorted({place for pair in both for place in pair})]
        grouped = [
            {"one": alias(one), "other": alias(other), "number": number[one, other]}
            for one, other in both
        ]
        session.create(
            Step("pairs of columns", PAIRS, "profile/pairs", {"records": RECORDS},
                 {"pairs": grouped, "columns": columns})
        )  # fmt: skip
        directions = [
            {"number": place, "pair": number[min(pair), max(pair)], "column": alias(pair[0])}
            for place, pair in enumerate(pairs)
        ]
        rows = session.fetch(
            "profile/determined", {"profile_pairs": PAIRS}, {"directions": directions}, len(pairs)
        ).rows
        session.drop(PAIRS)
        return frozenset(
            pairs[place] for place, missed in rows if self._holds(pairs[place], int(missed))
        )

    def _holds(self, pair: Pair, missed: int) -> bool:
        other = self.counts[pair[1]]
        alone = other.records - max(other.commonest, other.missing)
        return alone > 0 and FEWER_MISSES * missed <= alone
