"""The figures of a table's risk, as they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, exp, prod
from typing import Any

from sqlanon.errors import Problem, SpecError
from sqlanon.pages.figures import Finding, finding
from sqlanon.plan import Plan, Step, work
from sqlanon.session import Session
from sqlanon.source.source import RECORDS
from sqlanon.sql.names import Sql
from sqlanon.uses.profile.profile import Combination
from sqlanon.uses.profile.risk_figures import RISK_OF

TUPLES, POPULATION = work("tuples"), work("population")
_UNIQUE, _MINIMAL = work("unique_on"), work("minimal")
# So many subsets of the columns are looked at, and of so many columns at once; SUDA's own bound is
# three.
MOST_SUBSETS, MOST_AT_ONCE = 255, 4
MOST_SETS = 200_000_000  # of items that persons have together
SHOWN = 5  # combinations of columns of each size


def alias(index: int) -> Sql:
    """The name of a quasi-identifier, by its place from 0."""
    return Sql(f"q{index + 1}")


class Measured:
    """The figures, as they are asked for."""

    def __init__(self, session: Session, names: Sequence[str], counts: Mapping[str, int]) -> None:
        self.session, self.names, self.counts = session, names, counts
        self.figures: list[Finding] = []
        self.columns = [
            {"alias": alias(number), "bit": 1 << number} for number in range(len(names))
        ]

    def _tell(self, figure: str, value: float | None) -> None:
        self.figures.append(finding(RISK_OF[figure], value))

    def alone(self) -> None:
        """Tell the figures that follow from the sizes of the combinations."""
        records, tuples, single = (self.counts[count] for count in ("records", "tuples", "single"))
        self._tell("records", records)
        self._tell("combinations", tuples)
        self._tell("unique_records", single)
        self._tell("unique_share", single / records)
        self._tell("prosecutor_risk", 1 / self.counts["least"])
        self._tell("marketer_risk", tuples / records)

    def in_population(self) -> None:
        """Tell the figures that a list of the population gives."""
        (row,) = self.session.fetch(
            "risk/in_population",
            {"tuples": TUPLES, "population": POPULATION},
            {"attributes": tuple(column["alias"] for column in self.columns)},
            1,
        ).dicts()
        records, least = self.counts["records"], row["least"]
        self._tell("journalist_risk", None if least is None else 1 / int(least))
        self._tell("population_marketer_risk", float(row["guesses"]) / records)
        self._tell("in_population_share", int(row["known"]) / records)

    def estimated(self, fraction: Fraction) -> None:
        """Tell the estimates for a population of which the table is a random sample."""
        cells = prod(self._allowed())
        share = float(fraction)
        persons = self.counts["records"] / share
        self._tell("population_uniques", population_uniques(self.counts, cells, persons))
        single, pairs = self.counts["single"], self.counts["pairs"]
        right, wrong = share * single, 2 * (1 - share) * pairs
        self._tell("unique_match_risk", right / (right + wrong) if single else None)

    def weighted(self) -> None:
        """Tell the figures that weights give of the population."""
        (row,) = self.session.fetch("risk/weighted", {"tuples": TUPLES}, {}, 1).dicts()
        self._tell("estimated_persons", float(row["persons"]))
        self._tell("individual_risk", float(row["greatest"]))
        self._tell("weighted_marketer_risk", float(row["guesses"]) / self.counts["records"])
        self._tell("unique_in_population", float(row["alone"]))

    def in_households(self, texts: bool) -> None:
        """Tell the figures of whole households.

        Args:
            texts: whether households are named by text, which may be blank: that names none.
        """
        params = {"attributes": self.columns, "blank": texts}
        (row,) = self.session.fetch("risk/households", {"records": RECORDS}, params, 1).dicts()
        self._tell("household_risk", float(row["greatest"]))
        self._tell("household_marketer_risk", float(row["guesses"]) / self.counts["records"])

    def of_items(self, known: int) -> None:
        """Tell the figures of sets of items.

        Args:
            known: how many items of a person others may know.

        Raises:
            SpecError: if they are too many to be looked at.
        """
        read, params = {"records": RECORDS}, {"known": known}
        (row,) = self.session.fetch("risk/known_sets", read, params, 1).dicts()
        if float(row["sets"]) > MOST_SETS:
            what = f"persons have up to {float(row['sets']):,.0f} sets of {known} items, and "
            cure = f"at most {MOST_SETS:,} are looked at: let fewer be known, or take a sample"
            raise SpecError(Problem("known", f"{what}{cure}"))
        asked = {"attributes": self.columns, "known": known}
        (row,) = self.session.fetch("risk/known_items", read, asked, 1).dicts()
        self._tell("items_k", int(row["least"]))
        self._tell("items_unique_share", int(row["single"]) / int(row["persons"]))

    def _allowed(self) -> list[int]:
        """How many values each column has."""
        alone = [(index,) for index in range(len(self.names))]
        return [tuples for _, tuples, _ in sorted(self._subsets(alone))]

    def _subsets(self, asked: Sequence[tuple[int, ...]]) -> list[tuple[int, int, int]]:
        """The mask of each subset of columns, its different values, and the records alone."""
        params = {
            "columns": self.columns,
            "combinations": [[alias(number) for number in some] for some in asked],
        }
        rows = self.session.fetch("risk/subsets", {"tuples": TUPLES}, params, len(asked)).rows
        return [(int(mask), int(tuples), int(single)) for mask, tuples, single in rows]

    def singled(
        self,
    ) -> tuple[
        tuple[Combination, ...],
        tuple[tuple[tuple[str, ...], int], ...],
        tuple[tuple[str, float], ...],
        int,
    ]:
        """Which columns single records out, by themselves and as minimal sample uniques."""
        number = len(self.names)
        at_once = most_at_once(number)
        asked = [
            some for size in range(1, at_once + 1) for some in combinations(range(number), size)
        ]
        ranked = sorted(
            self._subsets(asked), key=lambda one: (one[0].bit_count(), -one[2], -one[1], one[0])
        )
        best: dict[int, list[Combination]] = {}
        for mask, tuples, single in ranked:
            of_size = best.setdefault(mask.bit_count(), [])
            if len(of_size) < SHOWN:
                of_size.append(Combination(self._named(mask), tuples, single))
        columns: dict[str, Any] = {"columns": self.columns}
        params = {**columns, "combinations": [[alias(one) for one in some] for some in asked]}
        finding = Step(
            "records alone with some columns", _UNIQUE, "risk/unique_on", {"tuples": TUPLES}, params
        )
        least = Step(
            "the fewest columns they are alone with",
            _MINIMAL,
            "risk/minimal",
            {"unique_on": _UNIQUE},
            columns,
        )
        self.session.run(Plan((finding, least)))
        found = self.session.fetch("risk/special", {"minimal": _MINIMAL}, {}, len(asked))
        special = {int(mask): int(records) for mask, records in found.rows}
        self._score(at_once)
        total = sum(special.values())
        shares = [
            (name, sum(n for mask, n in special.items() if mask >> index & 1) / (total or 1))
            for index, name in enumerate(self.names)
        ]
        order = sorted(special.items(), key=lambda one: (-one[1], one[0]))
        return (
            tuple(combination for some in best.values() for combination in some),
            tuple((self._named(mask), records) for mask, records in order),
            tuple(sorted(shares, key=lambda share: -share[1])),
            at_once,
        )

    def _score(self, at_once: int) -> None:
        params = {"columns": self.columns, "weights": weights(len(self.names), at_once)}
        (row,) = self.session.fetch("risk/scores", {"minimal": _MINIMAL}, params, 1).dicts()
        records = self.counts["records"]
        self._tell("special_unique_share", self._few() / records)
        self._tell("greatest_score", float(row["greatest"] or 0))
        self._tell("mean_score", int(row["total"]) / records)

    def _few(self) -> int:
        """How many records are alone with fewer columns than all."""
        params = {"columns": self.columns, "most": len(self.names) - 1}
        (row,) = self.session.fetch("risk/few", {"minimal": _MINIMAL}, params, 1).rows
        return int(row[0])

    def _named(self, mask: int) -> tuple[str, ...]:
        return tuple(name for index, name in enumerate(self.names) if mask >> index & 1)


def most_at_once(number: int) -> int:
    """Of how many columns a subset has at most, so that there are not too many of them."""
    most = 1
    for size in range(2, min(number, MOST_AT_ONCE) + 1):
        if sum(comb(number, one) for one in range(1, size + 1)) > MOST_SUBSETS:
            break
        most = size
    return most


def weights(number: int, at_once: int) -> tuple[int, ...]:
    """The scores of a minimal sample unique of 1, 2, … columns. Manning et al. (2008).

    A score is the product of ATT - i for i from its size to M. ATT is the number of columns. M is
    the most columns of a unique, or ATT - 1 if that is less.
    """
    last = min(at_once, number - 1)
    return tuple(
        prod(number - one for one in range(size, last + 1)) for size in range(1, at_once + 1)
    )


def population_uniques(counts: Mapping[str, int], cells: int, persons: float) -> float | None:
    """How many persons of the population are alone. Bethlehem et al. (1990), equations by moments.

    The frequency of a combination is Poisson, its rate gamma with mean 1 / K; the variance of the
    frequencies in the sample, those of combinations that nobody has among them, gives the shape.

    Args:
        counts: the records, and the sum of the squares of the frequencies.
        cells: K, how many combinations the values allow.
        persons: of the population.
    """
    records = counts["records"]
    mean = Fraction(records, cells)
    variance = Fraction(counts["squares"], cells) - mean * mean
    spread = (variance / mean - 1) / records
    if spread <= 0:  # no combination is likelier than another, as far as the sample tells
        return persons * exp(-float(Fraction(persons) / cells))
    shape = float(1 / (cells * spread))  # there may be more combinations than a double holds
    return float(persons * (1 + persons * float(spread)) ** -(1 + shape))
