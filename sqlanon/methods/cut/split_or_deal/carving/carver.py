"""Carving along the nodes of a plan, turn by turn.

A turn takes the largest class that every group of records can give. By one attribute with the equal
distance there is a closed form, filled up in whole records (sqlanon, Carve §4). By an ordered
distance, or by several attributes (Carve II §1 and §2), a group is shrunk to its largest part
within t by one attribute after the other. The part is rounded in several ways; the largest
candidate that meets everything in whole numbers is the class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlanon.methods.cut.scales import Table, by_alias
from sqlanon.methods.cut.split_or_deal.carving.plan import CarveTest, Carving, has_closed_form, keys
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Loop, Step, work
from sqlanon.sql.names import Relation, Sql

# Parts of a record, in which classes are sought before they are rounded.
UNIT = 2**16


@dataclass(frozen=True)
class Band:
    """The groups of a band of lattice nodes.

    Attributes:
        cells: the open cells, each in the group it may go to.
        combinations: the combinations of sensitive values.
        remainder: what is still open of each.
        tests: what classes must meet.
        params: of the templates: ``k`` and ``table_records`` among them.
    """

    cells: Relation
    combinations: Relation
    remainder: Relation
    tests: tuple[CarveTest, ...]
    params: Mapping[str, Any]

    @property
    def carved(self) -> Relation:
        """The records of each combination that the largest class of every group takes."""
        return work("carve_carved")


def largest_classes(band: Band) -> Iterator[Step]:
    """The steps that find the largest class of every group of a band."""
    if not has_closed_form(band.tests):
        yield from _shrunk_and_rounded(band)
        return
    test = band.tests[0] if band.tests else None
    t = Fraction(1) if test is None or test.t is None else test.t
    params = {"test": test, "t": t, **band.params}
    groups = work("carve_groups")
    yield _step(
        groups,
        "methods/carving/group_values",
        {"band_cells": band.cells, "combinations": band.combinations},
        params,
    )
    yield _step(
        band.carved,
        "methods/carving/carved_values",
        {"group_values": groups, "remainder": band.remainder},
        params,
    )


def _shrunk_and_rounded(band: Band) -> Iterator[Step]:
    params, tests = band.params, band.tests
    combinations = {"combinations": band.combinations}
    groups = work("carve_groups")
    yield _step(groups, "methods/carving/group_counts", {"band_cells": band.cells}, params)
    for test in (test for test in tests if test.t is not None):
        shrunk = work("carve_shrunk_", test.alias)
        yield _step(
            shrunk,
            "methods/carving/shrunk_ordered" if test.ordered else "methods/carving/shrunk_equal",
            {"group_counts": groups, **combinations, "open_values": test.open_values},
            {"test": test, **params},
        )
        groups = shrunk
    rounded = work("carve_rounded")
    yield _step(
        rounded,
        "methods/carving/rounded_counts",
        {"group_counts": groups, **combinations},
        {"tests": tests, **params},
    )
    before: Relation | None = None
    for test in tests:
        yield met(test, rounded, band.combinations, params, before)
        before = test.met
    largest = {"rounded_counts": rounded, "met": tests[-1].met}
    yield _step(band.carved, "methods/carving/largest_counts", largest, {})


def met(
    test: CarveTest,
    counts: Relation,
    combinations: Relation,
    params: Mapping[str, Any],
    before: Relation | None = None,
) -> Step:
    """The candidates for classes that meet what is asked of an attribute, in whole numbers.

    Args:
        test: the attribute and what is asked of it.
        counts: what each candidate takes of each combination.
        combinations: the combinations of sensitive values.
        params: of the template: ``table_records``.
        before: those that meet what is asked of other attributes, if no others are to be tested.
    """
    if test.ordered and test.prefixes is not None:
        order = {"prefixes": test.prefixes}
    else:
        order = {"stretches": test.stretches}
    return _step(
        test.met,
        "methods/carving/met_ordered" if test.ordered else "methods/carving/met_equal",
        {
            "rounded_counts": counts,
            "combinations": combinations,
            **order,
            **({} if before is None else {"met_before": before}),
        },
        {"test": test, **params},
    )


def _step(
    output: Relation, template: str, inputs: Mapping[str, Relation], params: Mapping[str, Any]
) -> Step:
    return Step("carving classes", output, template, inputs, params)


_TITLE = "carving classes"
# After so many turns most nodes are coarse ones, which give few classes: each turn goes along twice
# as many. Where classes have no closed form a turn takes longer: if there can be few classes, that
# begins after a quarter of the turns; if there can be many, never: it would lose more.
FIRST_TURNS, FIRST_SHARE, FEW_CLASSES = 100, 4, 500
# The columns that a turn is given, and those of what it has done.
_GIVEN = ("turn", "classes", "refused", "region", "cell_id", "value", "records")
_DONE = ("region", "cell_id", "class_id", "records", "classes", "refused")


def first_turns(carving: Carving, records: int, width: int) -> int | None:
    """After how many turns each goes along twice as many lattice nodes; None if that never begins.

    Args:
        carving: the plan.
        records: of the table.
        width: along how many nodes a turn goes at first.
    """
    if not carving.close:
        return None
    if carving.simple:
        return FIRST_TURNS
    turns = -(-len(carving.nodes) // width)
    few = records // carving.size < FEW_CLASSES
    return max(1, turns // FIRST_SHARE) if few else None


def in_turns(nodes: int, width: int, first: int | None) -> list[tuple[int, int]]:
    """The turn of every lattice node and its place in that, each from 1.

    Args:
        nodes: how many there are, fine to coarse.
        width: how many are carved in a turn.
        first: after so many turns twice as many are; None if they never are.
    """
    turns, turn = list[tuple[int, int]](), 0
    while len(turns) < nodes:
        turn += 1
        size = width if first is None or turn <= first else 2 * width
        turns += [(turn, index) for index in range(1, size + 1)]
    return turns[:nodes]


class Carver:
    """Carves classes, with one reserve after the other.

    Args:
        workspace: makes the work relations.
        table: what is carved.
        carving: the plan.
        regions: the classes that are carved one by one, such as the whole table.
        width: along how many lattice nodes a turn goes at first.
    """

    def __init__(
        self, workspace: Workspace, table: Table, carving: Carving, regions: Relation, width: int
    ) -> None:
        self._workspace, self._table, self._carving = workspace, table, carving
        first = first_turns(carving, table.records, width)
        turns = in_turns(len(carving.nodes), width, first)
        self._turns = turns[-1][0]
        self._combinations = {"combinations": carving.combinations}
        self._params = {"k": carving.size, "table_records": table.records, "unit": UNIT}
        self._nodes = workspace.make(
            "planning the carving",
            "carve_turns",
            "methods/carving/turns",
            {},
            scales=table.scales,
            nodes=[(*index, node) for index, node in zip(turns, carving.nodes, strict=True)],
        )
        self._first = workspace.make(
            "carving classes: all records are open",
            "carve_first",
            "methods/carving/open_cells",
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

    def carve(self, reserve: Fraction, output: str) -> tuple[Relation | None, bool]:
        """Carve classes.

        Args:
            reserve: within what part of t the remainder must stay.
            output: the name of the relation to make.

        Returns:
            The classes, and whether any was refused for the sake of the remainder: if not, a
            greater part of t gives the same ones. No classes if what is left over meets a model by
            its runs of neighbouring values, but not value by value.
        """
        workspace = self._workspace
        done = workspace.repeat(self._loop(reserve), self._table.small)
        found = workspace.one("methods/carving/carved", {"done_cells": done})
        carved = None
        if self._left_over_meets(done, found["regions"]):
            carved = workspace.make(
                "gathering the carved classes",
                output,
                "methods/carving/carved_parts",
                {"done_cells": done},
            )
        workspace.drop(done)
        return carved, bool(found["refused"])

    def close(self) -> None:
        """Drop what no carving will read again."""
        self._workspace.drop(self._first, self._nodes)

    def _loop(self, reserve: Fraction) -> Loop:
        """All turns: each takes classes along its nodes, of what the ones before left open."""
        given, taken, ended = work("carve_open"), work("carve_taken"), work("carve_ended")
        after = {"taken_cells": taken, "ended": ended}
        return Loop(
            title=_TITLE,
            turn="turn",
            output=work("carve_done"),
            first=self._first,
            given=given,
            columns=tuple(map(Sql, _GIVEN)),
            steps=tuple(self._steps(given, taken, ended, reserve)),
            done=Step(
                _TITLE,
                work("carve_done_in"),
                "methods/carving/done_cells",
                {"open_cells": given, **after},
            ),
            done_columns=tuple(map(Sql, _DONE)),
            left=Step(
                _TITLE,
                work("carve_left_in"),
                "methods/carving/still_open_cells",
                {"open_cells": given, **after},
            ),
            turns=self._turns,
        )

    def _steps(
        self, given: Relation, taken: Relation, ended: Relation, reserve: Fraction
    ) -> Iterator[Step]:
        tests, simple = self._carving.tests, self._carving.simple
        open_values = {f"open_values_{test.alias}": test.open_values for test in tests}
        begun, remainder = work("carve_begun"), work("carve_remainder")
        cells, accepted = work("carve_band"), work("carve_accepted")
        yield Step(_TITLE, begun, "methods/carving/begun", {"open_cells": given})
        yield from still_open(given, remainder, self._carving.combinations, tests, self._params)
        yield Step(
            _TITLE,
            cells,
            "methods/carving/band_cells",
            {
                "open_cells": given,
                "first_cells": self._first,
                "turns": self._nodes,
                **self._combinations,
                **{f"stretches_{test.alias}": test.stretches for test in tests},
                **({} if simple else open_values),
            },
            {
                "keys": keys(self._table.scales),
                "helping": not simple,
                "tests": tests,
                **self._params,
            },
        )
        band = Band(cells, self._carving.combinations, remainder, tests, self._params)
        yield from largest_classes(band)
        yield Step(
            _TITLE,
            accepted,
            "methods/carving/accepted_values",
            {
                "begun": begun,
                "carved_values": band.carved,
                "remainder": remainder,
                **self._combinations,
                **open_values,
            },
            {"tests": tests, "reserve": reserve, "helping": not simple, **self._params},
        )
        yield Step(
            _TITLE,
            taken,
            "methods/carving/taken_cells",
            {"band_cells": cells, "accepted_values": accepted},
        )
        yield Step(
            _TITLE,
            ended,
            "methods/carving/ended",
            {"begun": begun, "carved_values": band.carved, "accepted_values": accepted},
            {"turns": self._turns, "k": self._carving.size},
        )

    def _left_over_meets(self, done: Relation, regions: int) -> bool:
        """Whether what is left over is a class, where that was not tested value by value."""
        workspace = self._workspace
        binned = [test for test in self._carving.tests if test.binned]
        if not binned or not regions:
            return True
        left = workspace.make(
            "carving classes: what is left over",
            "carve_left",
            "methods/carving/left_counts",
            {"done_cells": done, "first_cells": self._first},
        )
        made = [
            workspace.create(met(test, left, self._carving.combinations, self._params))
            for test in binned
        ]
        return all(workspace.rows(relation) == regions for relation in made)


def still_open(
    opened: Relation,
    remainder: Relation,
    combinations: Relation,
    tests: Sequence[CarveTest],
    params: Mapping[str, Any],
) -> Iterator[Step]:
    """The steps that count what is open of every combination, and of every attribute's values.

    Args:
        opened: the cells with open records.
        remainder: the relation to make of the combinations.
        combinations: the combinations.
        tests: the attributes; each names the relation of its own.
        params: of the templates.
    """
    read = {"combinations": combinations}
    yield Step(_TITLE, remainder, "methods/carving/remainder", {"open_cells": opened, **read})
    for test in tests:
        yield Step(
            _TITLE,
            test.open_values,
            "methods/carving/open_values",
            {"remainder": remainder, **read, "stretches": test.stretches},
            {"test": test, **params},
        )
