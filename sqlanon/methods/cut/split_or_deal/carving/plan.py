"""The plan of carving: along which nodes of the lattice, and what a class must meet.

A node of the lattice takes one level of every quasi-identifier; its groups are the cells alike at
these levels. sqlanon, Carve §1 to §3: fine nodes come before coarse ones. A node is worth a pass
only if its groups are as small, and tell as much of the sensitive value, as those of any node that
costs no more.

Carving reads a sensitive attribute by its thresholds, and its values in their order.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from sqlanon.methods.cut.constraints import CutConstraint
from sqlanon.methods.cut.effort import Effort
from sqlanon.methods.cut.scales import LossScale, Table
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
        long = sum(
            constraint.by_order and constraint.sides.values() > PLACES for constraint in constraints
        )
        return tuple(cls._of(constraint, PLACES // max(1, long)) for constraint in constraints)

    @classmethod
    def _of(cls, constraint: CutConstraint, runs: int) -> CarveTest:
        """The thresholds of an attribute; many values are looked at in so many runs."""
        rules = [(demand.model.carve, demand.threshold) for demand in constraint.demands]
        slots = [rule.slots(threshold) for rule, threshold in rules if rule is not None]
        numbers = constraint.sides.values()
        return cls(
            constraint.alias,
            constraint.by_order,
            constraint.positions,
            constraint.prefixes,
            numbers,
            (runs if numbers > PLACES else PLACES) if constraint.by_order else numbers,
            **{name: held for slot in slots for name, held in slot.items()},
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
    def binned_values(self) -> Relation:
        """Its values, and in which run of neighbours each is."""
        return work("carve_bins_", self.alias)

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
    return len(tests) < 2 and not any(test.ordered for test in tests)


def make_combinations(
    workspace: Workspace, tests: Sequence[CarveTest], cells: Relation
) -> Relation:
    """The combinations of the sensitive values, and every attribute's values in their order."""
    title = "planning the carving"
    for test in tests:
        named = {"positions": test.positions}
        workspace.make(title, f"carve_bins_{test.alias}", "domains/bins", named, bins=test.bins)
        workspace.make(
            title,
            f"carve_stretches_{test.alias}",
            "methods/carving/stretches",
            {"positions": test.positions, "bins": test.binned_values},
        )
    return workspace.make(
        title,
        "carve_combinations",
        "methods/carving/combinations",
        {"cells": cells, **{f"bins_{test.alias}": test.binned_values for test in tests}},
        tests=tests,
    )


# The lattice is enumerated: with more nodes than this it is thinned.
MOST_NODES = 10_000
# Of a lattice with more nodes than the first, so many percent are worth a pass.
FEW_NODES, WORTH = 100, 55
_MOST_KEY = 2**62


@dataclass(frozen=True)
class Level:
    """One level of a quasi-identifier.

    Attributes:
        level: its number.
        groups: how many groups the codes fall into.
        cost: what publishing them loses on average, in units.
        information: in bits, how small the groups are and how much they tell.
    """

    level: int
    groups: int
    cost: int
    information: float


# The level of every quasi-identifier.
Node = tuple[int, ...]


@dataclass(frozen=True)
class Part:
    """A quasi-identifier as a digit of a key.

    Attributes:
        alias: its column.
        levels: how many levels it has.
        factor: by what the number of its group is multiplied.
    """

    alias: Sql
    levels: int
    factor: int


def plan_nodes(levels: Sequence[Sequence[Level]], most: int) -> tuple[list[Node], int]:
    """Choose the nodes to carve along, fine to coarse; the last groups all records together.

    Args:
        levels: the levels of each quasi-identifier.
        most: how many nodes at most.

    Returns:
        The nodes, and of how many they were chosen.
    """
    choices = sorted(
        itertools.product(*_thinned([_different(level) for level in levels])), key=_fine_to_coarse
    )
    slack, best = [], math.inf
    for index, choice in enumerate(choices):
        information = round(sum(level.information for level in choice), 6)
        best = min(best, information)
        slack.append((round(information - best, 6), index))
    worth = len(choices) if len(choices) <= FEW_NODES else -(-len(choices) * WORTH // 100)
    wanted = min(most, worth)
    chosen = {index for _, index in sorted(slack)[: wanted - 1]} | {len(choices) - 1}
    nodes = [tuple(level.level for level in choices[index]) for index in sorted(chosen)]
    return nodes, len(choices)


def keys(scales: Sequence[LossScale]) -> list[list[Part]]:
    """The whole numbers that tell the groups of a node apart: the quasi-identifiers, packed.

    They are packed in reverse, so that groups stand in the order of the first quasi-identifier.
    """
    packed: list[list[Part]] = [[]]
    size = 1
    for scale in reversed(scales):
        radix = scale.codes + 1
        if packed[-1] and size * radix >= _MOST_KEY:
            packed.append([])
            size = 1
        packed[-1].append(Part(scale.alias, scale.levels, size))
        size *= radix
    return [key[::-1] for key in reversed(packed)]


def _fine_to_coarse(choice: Sequence[Level]) -> tuple[int, int, tuple[int, ...]]:
    cost = sum(level.cost for level in choice)
    groups = math.prod(level.groups for level in choice)
    return cost, -groups, tuple(level.level for level in choice)


def _different(levels: Sequence[Level]) -> list[Level]:
    """Of levels that group the codes alike, such as bins of one code each, only the finest."""
    alike: dict[tuple[int, float], Level] = {}
    for level in levels:
        alike.setdefault((level.groups, round(level.information, 6)), level)
    return list(alike.values())


def _thinned(levels: Sequence[Sequence[Level]]) -> list[list[Level]]:
    """The levels of a lattice that can be enumerated.

    Levels between the finest and the root go first, from where there are most. Then the finest
    level of a quasi-identifier with few groups goes: carving leaves it to the tree.
    """
    kept = [list(level) for level in levels]
    while math.prod(map(len, kept)) > MOST_NODES:
        longest = max(kept, key=len)
        if len(longest) > 2:
            gaps = [after.cost - before.cost for before, after in itertools.pairwise(longest)]
            del longest[1 + min(range(len(longest) - 2), key=lambda at: gaps[at])]
        else:
            del min((entry for entry in kept if len(entry) > 1), key=lambda one: one[0].groups)[0]
    return kept


# Of groups of a carved class's size, drawn at random, one in so many has fewer than l values.
ONE_IN = 8
# How much a bit about the sensitive value counts against a bit about the quasi-identifiers.
TELLING = 50


@dataclass(frozen=True)
class Carving:
    """A plan of lattice nodes and what a class must meet.

    Attributes:
        nodes: fine to coarse.
        lattice: of how many nodes they were chosen.
        combinations: the table's combinations of sensitive values.
        tests: the attributes and what is asked of them; none to take whole groups.
        size: how many records a class has at least.
        seed: of the order in which a class takes its records.
    """

    nodes: Sequence[Node]
    lattice: int
    combinations: Relation
    tests: tuple[CarveTest, ...]
    size: int
    seed: int

    @property
    def close(self) -> bool:
        """Whether a class must be close to the table."""
        return any(test.t is not None for test in self.tests)

    @property
    def simple(self) -> bool:
        """Whether the largest class of a group has a closed form."""
        return has_closed_form(self.tests)


def plan_carving(
    workspace: Workspace,
    table: Table,
    constraints: Sequence[CutConstraint],
    seed: int,
    effort: Effort,
) -> Carving:
    """Choose the lattice nodes, by the costs of each level of each quasi-identifier.

    Args:
        workspace: makes the work relations.
        table: what is carved.
        constraints: the sensitive attributes and what is asked of them; none to take whole groups.
        seed: of the order in which a class takes its records.
        effort: along how many nodes.
    """
    levels = [_levels(workspace, table, scale, constraints) for scale in table.scales]
    most = effort.nodes if constraints else effort.whole_nodes
    nodes, lattice = plan_nodes(levels, most)
    asked = CarveTest.of_each(constraints)
    if asked:
        combinations = make_combinations(workspace, asked, table.cells)
    else:
        combinations = workspace.make(
            "planning the carving",
            "carve_combinations",
            "methods/carving/one_value",
            {},
            table_records=table.records,
        )
    size = carved_size(workspace, asked, table.k, table.records)
    return Carving(
        nodes=nodes, lattice=lattice, combinations=combinations, tests=asked, size=size, seed=seed
    )


def _levels(
    workspace: Workspace, table: Table, scale: LossScale, constraints: Sequence[CutConstraint]
) -> list[Level]:
    """The levels of a quasi-identifier; the bits they tell are the mean over the attributes."""
    rows = workspace.several(
        "methods/carving/level_costs",
        {"cells": table.cells, "scale": scale.relation},
        scale.levels * max(1, len(constraints)),
        column=scale.alias,
        levels=scale.levels,
        step=scale.step,
        sensitive=[constraint.alias for constraint in constraints],
        sample=2 * table.k if not constraints and scale.listed else 0,
        table_records=table.records,
    )
    rows.sort(key=lambda row: (row["level"], row["attribute"]))
    of_a_level = [list(ones) for _, ones in groupby(rows, key=lambda row: row["level"])]
    alone = [entry["joint_entropy"] - entry["entropy"] for entry in of_a_level[-1]]
    telling = TELLING if constraints else 0
    return [
        Level(
            ones[0]["level"],
            ones[0]["groups"],
            ones[0]["cost"],
            ones[0]["entropy"] + telling * _mean_told(ones, alone),
        )
        for ones in of_a_level
    ]


def _mean_told(level: Sequence[Mapping[str, Any]], alone: Sequence[float]) -> float:
    """How many bits a level tells of an attribute, on average over them."""
    told: list[float] = [
        entry["entropy"] + entropy - entry["joint_entropy"]
        for entry, entropy in zip(level, alone, strict=True)
    ]
    return sum(told) / len(told)


def carved_size(workspace: Workspace, tests: Sequence[CarveTest], k: int, records: int) -> int:
    """The least size of a carved class; the tree cuts it further, to k.

    Where most records share fewer than l values, few groups of k have l. They would be taken first,
    with the rare values in them, and what is left would be coarse. So classes are carved that are
    large enough for most groups to have l values.

    Args:
        workspace: counts the values.
        tests: the sensitive attributes and what is asked of them.
        k: the least class size.
        records: how many records the table has.

    Returns:
        At least k; at most the number of records.
    """
    return min(records, max([k, *(_diverse_size(workspace, test, records) for test in tests)]))


def _diverse_size(workspace: Workspace, test: CarveTest, records: int) -> int:
    """How many records, drawn at random, mostly have l values; 1 where size does not matter."""
    if test.distinct is None or test.distinct == 1:
        return 1
    values = test.distinct - 1
    head = workspace.one("methods/carving/head", {"positions": test.positions}, values=values)
    share = head["records"] / records
    return 1 if share == 1 else math.ceil(math.log(1 / ONE_IN) / math.log(share))
