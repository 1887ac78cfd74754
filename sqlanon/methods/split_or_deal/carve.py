"""Carving: along the lattice, fine to coarse, take from every group the largest class it can give.

sqlanon, Carve §4. Of a group's open records the largest t-close part becomes a class; its surplus
waits for a coarser node. Classes are taken as long as the remainder stays splittable, so what is
left over at the end is one more class. Without a sensitive attribute a group of k is taken whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlanon.methods.split_or_deal.effort import Effort
from sqlanon.methods.split_or_deal.lattice import Level, Node, bands, padded, plan_nodes
from sqlanon.methods.split_or_deal.scales import Scale, by_alias
from sqlanon.methods.split_or_deal.tree import Table
from sqlanon.methods.tested import CarveTest, Test
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
        positions: the table's distribution of the sensitive value.
        t: the greatest distance of a class to it.
        test: the attribute and what is asked of it; None to take whole groups.
        seed: of the order in which a class takes its records.
    """

    nodes: Sequence[Node]
    lattice: int
    positions: Relation
    t: Fraction
    test: CarveTest | None
    seed: int

    @property
    def sensitive(self) -> Sql | None:
        """The column of the attribute."""
        return None if self.test is None else self.test.alias

    @property
    def close(self) -> bool:
        """Whether a class must be close to the table."""
        return self.test is not None and self.test.t is not None


def plan_carving(
    workspace: Workspace, table: Table, test: Test | None, seed: int, effort: Effort
) -> Carving:
    """Choose the lattice nodes, by the costs of each level of each quasi-identifier.

    Args:
        workspace: makes the work relations.
        table: what is carved.
        test: the sensitive attribute and what is asked of it; None to take whole groups.
        seed: of the order in which a class takes its records.
        effort: along how many nodes.
    """
    sensitive = None if test is None else test.alias
    levels = [_levels(workspace, table, scale, sensitive) for scale in table.scales]
    most = effort.whole_nodes if test is None else effort.nodes
    nodes, lattice = plan_nodes(levels, table.scales, most)
    if test is None:
        one_value = workspace.make(
            "planning the carving",
            "carve_one_value",
            "carve/one_value",
            {},
            table_records=table.records,
        )
        return Carving(nodes, lattice, one_value, Fraction(1), None, seed)
    asked = CarveTest.of(test)
    t = Fraction(1) if asked.t is None else asked.t
    return Carving(nodes, lattice, test.positions, t, asked, seed)


def _levels(workspace: Workspace, table: Table, scale: Scale, sensitive: Sql | None) -> list[Level]:
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
    telling = 0 if sensitive is None else TELLING
    return [
        Level(
            row["level"],
            row["groups"],
            row["cost"],
            row["entropy"] + telling * (row["entropy"] + alone - row["joint_entropy"]),
        )
        for row in rows
    ]


def carve(
    workspace: Workspace,
    table: Table,
    carving: Carving,
    regions: Relation,
    reserve: Fraction,
    width: int,
    output: str,
) -> tuple[Relation, bool]:
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
        part of t gives the same ones.
    """
    scales = by_alias(table.scales)
    params = {
        "k": table.k,
        "t": carving.t,
        "test": carving.test,
        "reserved": carving.t * reserve,
        "table_records": table.records,
        "scales": table.scales,
    }
    values = {"positions": carving.positions}
    opened = workspace.make(
        "carving classes: all records are open",
        "carve_open_0",
        "carve/open_cells",
        {"regions": regions, "cells": table.cells, **scales},
        sensitive=carving.sensitive,
        columns=table.columns,
        seed=carving.seed,
        **params,
    )
    remainder = workspace.make(
        "carving classes: all records are open",
        "carve_remainder",
        "carve/remainder",
        {"open_cells": opened, **values},
    )
    pieces: list[Relation] = []
    classes, done, left, refused = 0, 0, table.records, False
    for band in bands(carving.nodes, width):
        title = f"carving classes: {done} of {len(carving.nodes)} lattice nodes"
        done += len(band)
        nodes = padded(band)
        cells = workspace.make(
            title,
            "carve_band",
            "carve/band_cells",
            {"open_cells": opened, **values},
            nodes=nodes,
            keys=[Sql(f"key_{place}") for place, _ in enumerate(nodes[0], 1)],
            **params,
        )
        carved, accepted = _accepted(workspace, title, cells, remainder, carving, classes, params)
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
            **params,
        )
        remainder = workspace.make(
            title, "carve_remainder", "carve/remainder", {"open_cells": opened, **values}
        )
        classes += found["classes"]
        left -= found["records"]
        if left < 2 * table.k:  # all of it is one class, whatever is taken from it
            break
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


def _accepted(
    workspace: Workspace,
    title: str,
    cells: Relation,
    remainder: Relation,
    carving: Carving,
    classes: int,
    params: Mapping[str, Any],
) -> tuple[Relation, Relation]:
    """The classes that a band can give, and those it gives, numbered from ``classes``."""
    groups = workspace.make(
        title,
        "carve_groups",
        "carve/group_values",
        {"band_cells": cells, "positions": carving.positions},
        **params,
    )
    carved = workspace.make(
        title,
        "carve_carved",
        "carve/carved_values",
        {"group_values": groups, "remainder": remainder},
        **params,
    )
    accepted = workspace.make(
        title,
        "carve_accepted",
        "carve/accepted_values",
        {"carved_values": carved, "remainder": remainder},
        first_class=classes,
        **params,
    )
    return carved, accepted
