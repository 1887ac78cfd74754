"""A sensitive attribute as carving reads it: thresholds, and the values in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlanon.methods.cut.constraints import CutConstraint
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import work
from sqlanon.sql.names import Relation, Sql

# In how many runs of neighbours the values of ordered attributes are looked at while classes are
# sought, those of several with more values than that together; whole classes are tested value by
# value.
PLACES = 48
# A record that helps an attribute's remainder counts so much over t; t = 0 counts as this.
_PULL, _LEAST_T = 10**6, Fraction(1, 1000)


@dataclass(frozen=True)
class CarveTest:
    """The thresholds that the templates of carving have rules for.

    Attributes:
        alias: the attribute's column.
        ordered: whether its values are held to the ordered distance.
        positions: its values in their order, with the table's counts.
        prefixes: these cumulated, if it is held to the ordered distance.
        numbers: how many values there are.
        bins: in how many runs of neighbours they are looked at, at most.
        t: the greatest distance.
        alpha: the greatest share of a value.
        distinct: the least number of values.
        entropy: the least effective number of values.
        recursive: how many times the tail the head must stay below.
        tail: the rank at which that tail begins.
    """

    alias: Sql
    ordered: bool
    positions: Relation
    prefixes: Relation | None
    numbers: int
    bins: int
    t: Fraction | None = None
    alpha: Fraction | None = None
    distinct: int | None = None
    entropy: Fraction | None = None
    recursive: Fraction | None = None
    tail: int = 0

    @classmethod
    def of_each(cls, constraints: Sequence[CutConstraint]) -> tuple[CarveTest, ...]:
        """The thresholds of the attributes by which the table is carved."""
        long = sum(one.by_order and one.sides.values() > PLACES for one in constraints)
        return tuple(cls._of(one, PLACES // max(1, long)) for one in constraints)

    @classmethod
    def _of(cls, constraint: CutConstraint, runs: int) -> CarveTest:
        """The thresholds of an attribute; many values are looked at in so many runs."""
        rules = [(one.model.carve, one.threshold) for one in constraint.demands]
        slots = [rule.slots(threshold) for rule, threshold in rules if rule is not None]
        numbers = constraint.sides.values()
        return cls(
            constraint.alias,
            constraint.by_order,
            constraint.positions,
            constraint.prefixes,
            numbers,
            (runs if numbers > PLACES else PLACES) if constraint.by_order else numbers,
            **{name: held for one in slots for name, held in one.items()},
        )

    @property
    def diverse(self) -> bool:
        """Whether more than t is asked."""
        asked = (self.alpha, self.distinct, self.entropy, self.recursive)
        return any(one is not None for one in asked)

    @property
    def capped(self) -> bool:
        """Whether counts alone tell that a group of records is not diverse enough."""
        return self.alpha is not None or self.distinct is not None

    @property
    def binned(self) -> bool:
        """Whether there are more values than runs of neighbours."""
        return self.numbers > self.bins

    @property
    def steps(self) -> int:
        """By what a sum over the values is divided to be the distance."""
        return 2 * max(1, self.numbers - 1) if self.ordered else 1

    @property
    def pull(self) -> int:
        """The weight of a record that leaves where the remainder has too many."""
        if self.t is None:
            return 0
        return round(_PULL / max(self.t, _LEAST_T) / (self.steps if self.ordered else 2))

    @property
    def places(self) -> Relation:
        """Its values, and in which run of neighbours each is."""
        return work("carve_places_", self.alias)

    @property
    def stretches(self) -> Relation:
        """The runs of neighbours."""
        return work("carve_stretches_", self.alias)

    @property
    def open_values(self) -> Relation:
        """How many records are still open of every run of neighbours."""
        return work("carve_open_values_", self.alias)

    @property
    def met(self) -> Relation:
        """The candidates that meet what is asked of it."""
        return work("carve_met_", self.alias)


def has_closed_form(tests: Sequence[CarveTest]) -> bool:
    """Whether the largest class of a group does: by one attribute at most, and by no order."""
    return len(tests) < 2 and not any(one.ordered for one in tests)


def make_combinations(
    workspace: Workspace, tests: Sequence[CarveTest], cells: Relation
) -> Relation:
    """The combinations of the sensitive values, and every attribute's values in their order."""
    title = "planning the carving"
    for one in tests:
        named = {"positions": one.positions}
        workspace.make(title, f"carve_places_{one.alias}", "domains/bins", named, bins=one.bins)
        workspace.make(
            title,
            f"carve_stretches_{one.alias}",
            "methods/carving/stretches",
            {"positions": one.positions, "places": one.places},
        )
    return workspace.make(
        title,
        "carve_combinations",
        "methods/carving/combinations",
        {"cells": cells, **{f"places_{one.alias}": one.places for one in tests}},
        tests=tests,
    )
