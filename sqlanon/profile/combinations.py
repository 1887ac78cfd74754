"""The most identifying combinations of columns: a beam search over how many records are alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sqlanon.plan import SearchBase, work
from sqlanon.plan.runner import Runner
from sqlanon.profile.counting import alias
from sqlanon.profile.profile import Combination, Counts
from sqlanon.source.source import RECORDS
from sqlanon.sql import Relation

# Of how many columns, the most telling ones, up to how many at once; which many of a size the next
# size is made from; how many of a size are shown.
COLUMNS, SIZE, BEAM, SHOWN = 8, 4, 4, 3
FOUND = work("profile_combinations")


@dataclass
class Combinations(SearchBase):
    """A search for the columns that single most records out together.

    Attributes:
        counts: what is counted of the columns, by place.
        places: the columns that may be known of a person.
        found: the combinations that single out most, of each size, once it has run.
    """

    counts: Mapping[int, Counts]
    places: Sequence[int]
    found: list[Combination] = field(default_factory=list)
    title: str = "combinations of columns that single records out"
    output: Relation = FOUND

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return f"{COLUMNS} {SIZE} {BEAM} {list(self.places)}"

    def run(self, session: Runner) -> None:
        """Search, and keep what was found in ``found``."""
        telling = sorted(self.places, key=lambda place: (-self.counts[place].entropy, place))
        columns = sorted(telling[:COLUMNS])
        kept: list[tuple[int, ...]] = []
        for size in range(2, min(SIZE, len(columns)) + 1):
            asked = set(combinations(columns, size))
            if size > 2:
                asked = {one for one in asked if any(set(few) <= set(one) for few in kept)}
            measured = self._measured(session, columns, sorted(asked))
            ranked = sorted(measured, key=lambda one: (-measured[one][1], -measured[one][0], one))
            kept = ranked[:BEAM]
            self.found += [
                Combination(tuple(self.counts[place].column.name for place in one), *measured[one])
                for one in kept[:SHOWN]
                if measured[one][1]
            ]

    def _measured(
        self, session: Runner, columns: Sequence[int], asked: Sequence[tuple[int, ...]]
    ) -> dict[tuple[int, ...], tuple[int, int]]:
        """How many tuples each combination has, and how many records are alone with theirs."""
        bit = {place: 1 << number for number, place in enumerate(columns)}
        rows = session.fetch(
            "profile/combinations",
            {"records": RECORDS},
            {
                "columns": [{"alias": alias(one), "bit": bit[one]} for one in columns],
                "combinations": [[alias(one) for one in some] for some in asked],
            },
            len(asked),
        ).rows
        masks = {sum(bit[place] for place in one): one for one in asked}
        return {masks[mask]: (int(tuples), int(single)) for mask, tuples, single in rows}
