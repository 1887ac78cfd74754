"""Carving: along the lattice, fine to coarse, take from every group the largest class it can give.

sqlanon, Carve §4. Of a group's open records the largest part that meets every model becomes a
class; its surplus waits for a coarser node. Classes are taken as long as the remainder stays
splittable, so what is left over at the end is one more class. Without a sensitive attribute a group
of k is taken whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlanon.methods.split_or_deal.carve_tests import CarveTest, has_closed_form, lay_out
from sqlanon.methods.split_or_deal.effort import Effort
from sqlanon.methods.split_or_deal.largest import UNIT, Band, largest_classes, make_met
from sqlanon.methods.split_or_deal.lattice import Level, Node, bands, padded, plan_nodes
from sqlanon.methods.split_or_deal.scales import Scale, by_alias
from sqlanon.methods.split_or_deal.tree import Table
from sqlanon.methods.tested import Test
from sqlanon.methods.workspace import Workspace
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

# What a bit about the sensitive value counts against a bit about the quasi-identifiers.
TELLING = 50


@dataclass(frozen=True)
class Carving:
    """A plan of lattice nodes and what a class must meet.

    Attributes:
        nodes: fine to coarse.
        lattice: of how many nodes they were chosen.
        combinations: the table's combinations of sensitive values.
        tests: the attributes and what is asked of them; none to take whole groups.
        seed: of the order in which a class takes its records.
    """

    nodes: Sequence[Node]
    lattice: int
    combinations: Relation
    tests: tuple[CarveTest, ...]
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
    workspace: Workspace, table: Table, tests: Sequence[Test], seed: int, effort: Effort
) -> Carving:
    """Choose the lattice nodes, by the costs of each level of each quasi-identifier.

    Args:
        workspace: makes the work relations.
        table: what is carved.
        tests: the sensitive attributes and what is asked of them; none to take whole groups.
        seed: of the order in which a class takes its records.
        effort: along how many nodes.
    """
    levels = [_levels(workspace, table, scale, tests) for scale in table.scales]
    most = effort.nodes if tests else effort.whole_nodes
    nodes, lattice = plan_nodes(levels, table.scales, most)
    asked = tuple(map(CarveTest.of, tests))
    if asked:
        combinations = lay_out(workspace, asked, table.cells)
    else:
        combinations = workspace.make(
            "planning the carving",
            "carve_combinations",
            "carve/one_value",
            {},
            table_records=table.records,
        )
    return Carving(nodes, lattice, combinations, asked, seed)


def _levels(workspace: Workspace, table: Table, scale: Scale, tests: Sequence[Test]) -> list[Level]:
    """The levels of a quasi-identifier; what they tell is the mean over the attributes."""
    aliases: list[Sql | None] = [one.alias for one in tests] or [None]
    rows = [_level_costs(workspace, table, scale, alias) for alias in aliases]
    telling = TELLING if tests else 0
    return [
        Level(
            ones[0]["level"],
            ones[0]["groups"],
            ones[0]["cost"],
            ones[0]["entropy"] + telling * sum(one["told"] for one in ones) / len(ones),
        )
        for ones in zip(*rows, strict=True)
    ]


def _level_costs(
    workspace: Workspace, table: Table, scale: Scale, sensitive: Sql | None
) -> list[dict[str, Any]]:
    sample = 2 * table.k if sensitive is None and scale.publish == "set" else 0
    rows = workspace.several(
        "carve/level_costs",
        {"cells": table.cells, "scale": scale.relation},
        scale.levels,
        column=scale.alias,
        levels=scale.levels,
        step=scale.step,
        sensitive=sensitive,
        sample=sample,
        table_records=table.records,
    )
    rows.sort(key=lambda row: row["level"])
    alone = rows[-1]["joint_entropy"] - rows[-1]["entropy"]
    return [row | {"told": row["entropy"] + alone - row["joint_entropy"]} for row in rows]


def carve(
    workspace: Workspace,
    table: Table,
    carving: Carving,
    regions: Relation,
    reserve: Fraction,
    width: int,
    output: str,
) -> tuple[Relation | None, bool]:
    """Carve classes.

    Args:
        workspace: makes the work relations.
        table: what is carved.
        carving: the plan.
        regions: the classes that are carved one by one, such as the whole table.
        reserve: within what part of t the remainder must stay.
        width: how many lattice nodes are carved together.
        output: the name of the relation to make.

    Returns:
        The classes, and whether any was refused for the sake of the remainder: if not, a greater
        part of t gives the same ones. No classes if what is left over meets a model by its runs of
        neighbouring values, but not value by value.
    """
    scales = by_alias(table.scales)
    combinations = {"combinations": carving.combinations}
    params = {"k": table.k, "table_records": table.records, "unit": UNIT}
    opened = workspace.make(
        "carving classes: all records are open",
        "carve_open_0",
        "carve/open_cells",
        {"regions": regions, "cells": table.cells, **combinations, **scales},
        tests=carving.tests,
        columns=table.columns,
        seed=carving.seed,
        scales=table.scales,
    )
    remainder = still_open(
        workspace, "carving classes: all records are open", carving, opened, params
    )
    pieces: list[Relation] = []
    classes, done, left, refused = 0, 0, table.records, False
    for band in bands(carving.nodes, width):
        workspace.reached(done / len(carving.nodes))
        title = f"carving classes: {done} of {len(carving.nodes)} lattice nodes"
        done += len(band)
        nodes = padded(band)
        cells = workspace.make(
            title,
            "carve_band",
            "carve/band_cells",
            {
                "open_cells": opened,
                **combinations,
                **{f"stretches_{one.alias}": one.stretches for one in carving.tests},
            },
            nodes=nodes,
            keys=[Sql(f"key_{place}") for place, _ in enumerate(nodes[0], 1)],
            tests=carving.tests,
            **params,
        )
        carved = largest_classes(
            workspace, Band(title, cells, carving.combinations, remainder, carving.tests, params)
        )
        accepted = workspace.make(
            title,
            "carve_accepted",
            "carve/accepted_values",
            {
                "carved_values": carved,
                "remainder": remainder,
                **combinations,
                **{f"open_values_{one.alias}": one.open_values for one in carving.tests},
            },
            first_class=classes,
            tests=carving.tests,
            reserve=reserve,
            helping=not carving.simple,
            **params,
        )
        found = workspace.one(
            "carve/accepted", {"accepted_values": accepted, "carved_values": carved}
        )
        refused = refused or found["classes"] < found["groups"]
        if not found["classes"]:
            continue
        pieces.append(
            workspace.make(
                title,
                f"carve_taken_{len(pieces)}",
                "carve/taken_cells",
                {"band_cells": cells, "accepted_values": accepted},
            )
        )
        opened = workspace.make(
            title,
            f"carve_open_{1 + len(pieces) % 2}",
            "carve/still_open_cells",
            {"open_cells": opened, "taken_cells": pieces[-1]},
            scales=table.scales,
        )
        remainder = still_open(workspace, title, carving, opened, params)
        classes += found["classes"]
        left -= found["records"]
        if left < 2 * table.k:  # all of it is one class, whatever is taken from it
            break
    if not _left_over_meets(workspace, carving, remainder, params):
        workspace.drop(*pieces)
        return None, refused
    pieces.append(
        workspace.make(
            "carving classes: what is left over",
            "carve_left_over",
            "carve/left_over",
            {"open_cells": opened},
            first_class=classes,
        )
    )
    parts = workspace.make(
        "gathering the carved classes",
        output,
        "carve/carved_parts",
        {f"piece_{place}": piece for place, piece in enumerate(pieces, 1)},
        pieces=pieces,
    )
    workspace.drop(*pieces)
    return parts, refused


def still_open(
    workspace: Workspace,
    title: str,
    carving: Carving,
    opened: Relation,
    params: Mapping[str, Any],
) -> Relation:
    """What is still open of every combination, and of every attribute's values."""
    combinations = {"combinations": carving.combinations}
    remainder = workspace.make(
        title, "carve_remainder", "carve/remainder", {"open_cells": opened, **combinations}
    )
    for one in carving.tests:
        workspace.make(
            title,
            f"carve_open_values_{one.alias}",
            "carve/open_values",
            {"remainder": remainder, **combinations, "stretches": one.stretches},
            test=one,
            **params,
        )
    return remainder


def _left_over_meets(
    workspace: Workspace, carving: Carving, remainder: Relation, params: Mapping[str, Any]
) -> bool:
    """Whether what is left over is a class, where that was not tested value by value."""
    title, binned = (
        "carving classes: what is left over",
        [one for one in carving.tests if one.binned],
    )
    if not binned:
        return True
    left = workspace.make(title, "carve_left", "carve/left_counts", {"remainder": remainder})
    met = (make_met(workspace, title, one, left, carving.combinations, params) for one in binned)
    regions = workspace.one("carve/left_regions", {"left_counts": left})["regions"]
    return all(workspace.rows(one) == regions for one in met)
