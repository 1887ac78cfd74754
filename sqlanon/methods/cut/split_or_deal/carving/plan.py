"""The plan of carving: along which nodes of the lattice, and what a class must meet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlanon.methods.cut.constraints import CutConstraint
from sqlanon.methods.cut.effort import Effort
from sqlanon.methods.cut.scales import LossScale
from sqlanon.methods.cut.split_or_deal.carving.lattice import Level, Node, plan_nodes
from sqlanon.methods.cut.split_or_deal.carving.thresholds import (
    CarveTest,
    has_closed_form,
    make_combinations,
)
from sqlanon.methods.cut.table import Table
from sqlanon.methods.workspace import Workspace
from sqlanon.sql.names import Relation

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
        return any(one.t is not None for one in self.tests)

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
        sensitive=[one.alias for one in constraints],
        sample=2 * table.k if not constraints and scale.listed else 0,
        table_records=table.records,
    )
    rows.sort(key=lambda row: (row["level"], row["attribute"]))
    of_a_level = [list(ones) for _, ones in groupby(rows, key=lambda row: row["level"])]
    alone = [one["joint_entropy"] - one["entropy"] for one in of_a_level[-1]]
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
        one["entropy"] + entropy - one["joint_entropy"]
        for one, entropy in zip(level, alone, strict=True)
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
    return min(records, max([k, *(_diverse_size(workspace, one, records) for one in tests)]))


def _diverse_size(workspace: Workspace, test: CarveTest, records: int) -> int:
    """How many records, drawn at random, mostly have l values; 1 where size does not matter."""
    if test.distinct is None or test.distinct == 1:
        return 1
    values = test.distinct - 1
    head = workspace.one("methods/carving/head", {"positions": test.positions}, values=values)
    share = head["records"] / records
    return 1 if share == 1 else math.ceil(math.log(1 / ONE_IN) / math.log(share))
