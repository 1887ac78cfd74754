"""Profiling a table: a plan like any other, of which nothing stays.

Which columns tell which others is sought in a sample, and decided by all records.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sqlanon.engines import Engine
from sqlanon.errors import SpecError
from sqlanon.plan import Plan, SearchBase, Step, work
from sqlanon.plan.step import Runner
from sqlanon.session import Listener, Session
from sqlanon.source.looks import check_header
from sqlanon.source.source import RECORDS, inspect_source
from sqlanon.spec import Column, Source
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.profile import roles
from sqlanon.uses.profile.counting import alias, counting_steps, counts_of, records_of
from sqlanon.uses.profile.profile import ColumnProfile, Combination, Counts, Profile, Role

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
            index
            for index, counts in self.counts.items()
            if counts.used > 1 and SHARED * counts.used <= counts.known
        ]
        if len(some) < 2:
            return []
        columns = {"columns": [alias(index) for index in some]}
        session.create(
            Step("a hash of every record", LOTS, "profile/lots", {"records": RECORDS}, columns)
        )
        lots = session.fetch("profile/lot_count", {"profile_lots": LOTS}, {}, 1).rows[0][0]
        bound = min(16**6 - 1, 16**6 * TUPLES // max(lots, 1))
        sampled = {
            "columns": [{"alias": alias(index), "column_number": index} for index in some],
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
        number = {pair: index for index, pair in enumerate(both)}
        columns = [alias(index) for index in sorted({index for pair in both for index in pair})]
        grouped = [
            {"one": alias(one), "other": alias(other), "number": number[one, other]}
            for one, other in both
        ]
        session.create(
            Step("pairs of columns", PAIRS, "profile/pairs", {"records": RECORDS},
                 {"pairs": grouped, "columns": columns})
        )  # fmt: skip
        directions = [
            {"number": index, "pair": number[min(pair), max(pair)], "column": alias(pair[0])}
            for index, pair in enumerate(pairs)
        ]
        rows = session.fetch(
            "profile/determined", {"profile_pairs": PAIRS}, {"directions": directions}, len(pairs)
        ).rows
        session.drop(PAIRS)
        return frozenset(
            pairs[index] for index, missed in rows if self._holds(pairs[index], int(missed))
        )

    def _holds(self, pair: Pair, missed: int) -> bool:
        other = self.counts[pair[1]]
        alone = other.records - max(other.commonest, other.missing)
        return alone > 0 and FEWER_MISSES * missed <= alone


# Of how many columns, the most telling ones, up to how many at once; which many of a size the next
# size is made from; how many of a size are shown.
COLUMNS, SIZE, BEAM, SHOWN = 8, 4, 4, 3
FOUND = work("profile_combinations")


def profile_table(
    source: Source, engine: Engine, item: Sql | None = None, listener: Listener | None = None
) -> Profile:
    """Look at a table by counts.

    Args:
        source: where the records are.
        engine: where they are read.
        item: a FROM item in the source's place.
        listener: hears of every step.

    Raises:
        SpecError: if it cannot be read, or has no record.
    """
    started = time.perf_counter()
    found, columns = inspect_source(source, engine, item=item, headed=True)
    compared = [column for column in columns if column.kind != "other"]
    if not compared:
        raise SpecError("the table has no column whose values can be compared")
    counting = Plan(tuple(counting_steps(found, compared, source.table is None)))
    session = Session(engine, listener, plans=2)
    with session.transaction(keep=False):
        session.run(counting)
        records = records_of(session)
        if item is None and source.is_text:
            called = [alias(index) for index in range(1, len(compared) + 1)]
            check_header(RECORDS, compared, engine, "source", called, declared=source.columns)
        if not records:
            raise SpecError("the table has no record")
        counts = counts_of(session, compared, records)
        judged, person, pairs, combinations = _judged(session, counts, records)
        session.drop_work()
    return Profile(
        records,
        tuple(_in_order(columns, counts, judged, pairs, records)),
        tuple(combinations),
        person,
        time.perf_counter() - started,
    )


def _judged(
    session: Session, counts: Sequence[Counts], records: int
) -> tuple[list[Role], str | None, frozenset[Pair], list[Combination]]:
    """The roles, whose records they are, which columns tell which, and what singles out most."""
    k = roles.least_class(records)
    alone = roles.in_context(counts, [roles.role_of(column_counts, k) for column_counts in counts])
    by_number = dict(enumerate(counts, 1))
    candidates = roles.persons(counts, alone)
    kept = roles.constants(counts)
    asked = [(candidate, other) for candidate in candidates for other in kept]
    dependencies = Dependencies(by_number, tuple(asked))
    combinations = Combinations(
        by_number,
        [
            index
            for index, column_counts in by_number.items()
            if alone[index - 1].role in ("quasi_identifier", "unclear")
            and not column_counts.tells(2)
        ],
    )
    session.run(Plan((dependencies, combinations)))
    pairs = dependencies.found
    whose = [
        candidate for candidate in candidates if all((candidate, other) in pairs for other in kept)
    ]
    person = counts[whose[0] - 1].column.name if whose else None
    judged = roles.beside_others(counts, alone, pairs - set(asked), whose[0] if whose else None)
    return judged, person, pairs, combinations.found


def _in_order(
    columns: Sequence[Column],
    counts: Sequence[Counts],
    judged: Sequence[Role],
    pairs: Iterable[Pair],
    records: int,
) -> Iterable[ColumnProfile]:
    """Every column of the table, those that cannot be compared among them."""
    names = [column_counts.column.name for column_counts in counts]
    ties = sorted(pairs)
    known = {name: index for index, name in enumerate(names)}
    for column in columns:
        index = known.get(column.name)
        if index is None:
            nothing = Counts(column, records, 0)
            yield ColumnProfile(nothing, roles.role_of(nothing, 2))
            continue
        yield ColumnProfile(
            counts[index],
            judged[index],
            tuple(names[other - 1] for one, other in ties if one == index + 1),
            tuple(names[one - 1] for one, other in ties if other == index + 1),
        )


@dataclass
class Combinations(SearchBase):
    """A search for the columns that single most records out together.

    Attributes:
        counts: what is counted of the columns, by place.
        numbers: the columns that may be known of a person.
        found: the combinations that single out most, of each size, once it has run.
    """

    counts: Mapping[int, Counts]
    numbers: Sequence[int]
    found: list[Combination] = field(default_factory=list)
    title: str = "combinations of columns that single records out"
    output: Relation = FOUND

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return f"{COLUMNS} {SIZE} {BEAM} {list(self.numbers)}"

    def run(self, session: Runner) -> None:
        """Search, and keep what was found in ``found``."""
        telling = sorted(self.numbers, key=lambda index: (-self.counts[index].entropy, index))
        columns = sorted(telling[:COLUMNS])
        kept: list[tuple[int, ...]] = []
        for size in range(2, min(SIZE, len(columns)) + 1):
            asked = set(combinations(columns, size))
            if size > 2:
                asked = {entry for entry in asked if any(set(few) <= set(entry) for few in kept)}
            measured = self._measured(session, columns, sorted(asked))
            ranked = sorted(
                measured,
                key=lambda numbers: (-measured[numbers][1], -measured[numbers][0], numbers),
            )
            kept = ranked[:BEAM]
            self.found += [
                Combination(
                    tuple(self.counts[index].column.name for index in entry), *measured[entry]
                )
                for entry in kept[:SHOWN]
                if measured[entry][1]
            ]

    def _measured(
        self, session: Runner, columns: Sequence[int], asked: Sequence[tuple[int, ...]]
    ) -> dict[tuple[int, ...], tuple[int, int]]:
        """How many tuples each combination has, and how many records are alone with theirs."""
        bit = {index: 1 << number for number, index in enumerate(columns)}
        rows = session.fetch(
            "profile/combinations",
            {"records": RECORDS},
            {
                "columns": [{"alias": alias(column), "bit": bit[column]} for column in columns],
                "combinations": [[alias(number) for number in some] for some in asked],
            },
            len(asked),
        ).rows
        masks = {sum(bit[index] for index in entry): entry for entry in asked}
        return {masks[mask]: (int(tuples), int(single)) for mask, tuples, single in rows}
