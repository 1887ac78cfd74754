"""Carving: along the lattice, fine to coarse, take from every group the largest class it can give.

sqlanon, Carve §4. Of a group's open records the largest part that meets every model becomes a
class; its surplus waits for a coarser node. Classes are taken as long as the remainder stays
splittable, so what is left over at the end is one more class. Without a sensitive attribute a group
of k is taken whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlanon.methods.split_or_deal.carve_size import carved_size
from sqlanon.methods.split_or_deal.carve_tests import CarveTest, has_closed_form, lay_out
from sqlanon.methods.split_or_deal.effort import Effort
from sqlanon.methods.split_or_deal.largest import UNIT, Band, largest_classes, make_met
from sqlanon.methods.split_or_deal.lattice import Level, Node, bands, padded, plan_nodes
from sqlanon.methods.split_or_deal.scales import Scale, by_alias
from sqlanon.methods.split_or_deal.table import Table
from sqlanon.methods.tested import Test
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import work
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
    size = carved_size(workspace, asked, table.k, table.records)
    return Carving(nodes, lattice, combinations, asked, size, seed)


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


@dataclass(frozen=True)
class _Stand:
    """How far a carving has come.

    Attributes:
        bands: how many bands of nodes are done.
        opened: the cells that are still open.
        pieces: what the classes took, band by band.
        classes: how many there are.
        left: how many records are still open.
    """

    bands: int
    opened: Relation
    pieces: tuple[Relation, ...]
    classes: int
    left: int


class Carver:
    """Carves classes, with one reserve after the other.

    Two reserves take the same classes until one refuses any: there the next one goes on.

    Args:
        workspace: makes the work relations.
        table: what is carved.
        carving: the plan.
        regions: the classes that are carved one by one, such as the whole table.
        width: how many lattice nodes are carved together.
    """

    def __init__(
        self, workspace: Workspace, table: Table, carving: Carving, regions: Relation, width: int
    ) -> None:
        self._workspace, self._table, self._carving = workspace, table, carving
        self._bands = bands(carving.nodes, width)
        self._combinations = {"combinations": carving.combinations}
        self._params = {"k": carving.size, "table_records": table.records, "unit": UNIT}
        opened = workspace.make(
            "carving classes: all records are open",
            "carve_open",
            "carve/open_cells",
            {
                "regions": regions,
                "cells": table.cells,
                **self._combinations,
                **by_alias(table.scales),
            },
            tests=carving.tests,
            columns=table.columns,
            seed=carving.seed,
            scales=table.scales,
        )
        self._stand = _Stand(0, opened, (), 0, table.records)

    def carve(self, reserve: Fraction, output: str) -> tuple[Relation | None, bool]:
        """Carve classes.

        Args:
            reserve: within what part of t the remainder must stay; more than that of an earlier
                carving.
            output: the name of the relation to make.

        Returns:
            The classes, and whether any was refused for the sake of the remainder: if not, a
            greater part of t gives the same ones. No classes if what is left over meets a model by
            its runs of neighbouring values, but not value by value.
        """
        stand, refused = self._stand, False
        remainder = self._still_open("carving classes: all records are open", stand.opened)
        for band in self._bands[stand.bands :]:
            done = sum(map(len, self._bands[: stand.bands]))
            self._workspace.reached(done / len(self._carving.nodes))
            title = f"carving classes: {done} of {len(self._carving.nodes)} lattice nodes"
            after, refuses = self._carve_band(title, band, stand, remainder, reserve)
            if refuses and not refused:
                refused, self._stand = True, stand
            if after.opened != stand.opened:
                remainder = self._still_open(title, after.opened)
            stand = after
            # From here on all that is left is one class, whatever is taken from it.
            if stand.left < 2 * self._carving.size:
                break
        carved = None
        if self._left_over_meets(remainder):
            left_over = self._workspace.make(
                "carving classes: what is left over",
                "carve_left_over",
                "carve/left_over",
                {"open_cells": stand.opened},
                first_class=stand.classes,
            )
            pieces = (*stand.pieces, left_over)
            carved = self._workspace.make(
                "gathering the carved classes",
                output,
                "carve/carved_parts",
                {f"piece_{place}": piece for place, piece in enumerate(pieces, 1)},
                pieces=pieces,
            )
            self._workspace.drop(left_over)
        self._workspace.drop(*stand.pieces[len(self._stand.pieces) :])
        return carved, refused

    def close(self) -> None:
        """Drop what no carving will read again."""
        self._workspace.drop(*self._stand.pieces)

    def _carve_band(
        self,
        title: str,
        band: Sequence[Node],
        stand: _Stand,
        remainder: Relation,
        reserve: Fraction,
    ) -> tuple[_Stand, bool]:
        """Carve along a band of nodes; also whether a class was refused."""
        workspace, tests = self._workspace, self._carving.tests
        stand = replace(stand, bands=stand.bands + 1)
        nodes = padded(band)
        cells = workspace.make(
            title,
            "carve_band",
            "carve/band_cells",
            {
                "open_cells": stand.opened,
                **self._combinations,
                **{f"stretches_{one.alias}": one.stretches for one in tests},
                **({} if self._carving.simple else {f"open_values_{one.alias}": one.open_values for one in tests}),
            },
            helping=not self._carving.simple,
            nodes=nodes,
            keys=[Sql(f"key_{place}") for place, _ in enumerate(nodes[0], 1)],
            tests=tests,
            **self._params,
        )
        if not workspace.rows(cells):  # no group can give a class
            return stand, False
        carved = largest_classes(
            workspace,
            Band(title, cells, self._carving.combinations, remainder, tests, self._params),
        )
        accepted = workspace.make(
            title,
            "carve_accepted",
            "carve/accepted_values",
            {
                "carved_values": carved,
                "remainder": remainder,
                **self._combinations,
                **{f"open_values_{one.alias}": one.open_values for one in tests},
            },
            first_class=stand.classes,
            tests=tests,
            reserve=reserve,
            helping=not self._carving.simple,
            **self._params,
        )
        found = workspace.one(
            "carve/accepted", {"accepted_values": accepted, "carved_values": carved}
        )
        refuses = found["classes"] < found["groups"]
        if not found["classes"]:
            return stand, refuses
        taken = workspace.make(
            title,
            f"carve_taken_{len(stand.pieces)}",
            "carve/taken_cells",
            {"band_cells": cells, "accepted_values": accepted},
        )
        opened = workspace.make(
            title,
            self._free_name(stand),
            "carve/still_open_cells",
            {"open_cells": stand.opened, "taken_cells": taken},
            scales=self._table.scales,
        )
        return (
            _Stand(
                stand.bands,
                opened,
                (*stand.pieces, taken),
                stand.classes + found["classes"],
                stand.left - found["records"],
            ),
            refuses,
        )

    def _free_name(self, stand: _Stand) -> str:
        """Of the open cells that come next: these are read to make them, those by the next one."""
        names = (f"carve_open_{number}" for number in itertools.count())
        return next(one for one in names if work(one) not in (stand.opened, self._stand.opened))

    def _still_open(self, title: str, opened: Relation) -> Relation:
        return still_open(self._workspace, title, self._carving, opened, self._params)

    def _left_over_meets(self, remainder: Relation) -> bool:
        """Whether what is left over is a class, where that was not tested value by value."""
        workspace, title = self._workspace, "carving classes: what is left over"
        binned = [one for one in self._carving.tests if one.binned]
        if not binned:
            return True
        left = workspace.make(title, "carve_left", "carve/left_counts", {"remainder": remainder})
        met = [
            make_met(workspace, title, one, left, self._carving.combinations, self._params)
            for one in binned
        ]
        regions = workspace.one("carve/left_regions", {"left_counts": left})["regions"]
        return all(workspace.rows(one) == regions for one in met)


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
