"""Multidimensional partitioning: all open classes are cut at once, level by level.

LeFevre, DeWitt and Ramakrishnan, "Mondrian Multidimensional k-Anonymity" (2006). Of each class the
widest quasi-identifier is cut at the median, or the next widest where a side of that cut would not
meet every model. A class without such a cut is final. A level is one group of statements, however
many classes there are.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.forms import QuasiIdentifierScale
from sqlanon.methods.split_or_deal.scales import Scale, make_losses, make_scales, place_cells
from sqlanon.methods.tested import Test, Tested, make_tests, measure_sides
from sqlanon.methods.workspace import Workspace, level_share
from sqlanon.plan import Runner, Step
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class Partition:
    """The search for classes by cuts at the median.

    Attributes:
        cells: a row for each combination of codes in the data: cell_id, q1, …, s1, …, records.
        parts: the relation to make: how many records of each cell go to each class, as cell_id,
            class_id (from 0, without gaps) and records.
        quasi: the quasi-identifiers.
        sensitive: the sensitive attributes with what is asked of them.
        k: the least class size, at most the number of records.
        strict: whether records alike in all quasi-identifiers stay together.
        zones: the classes that are cut, in place of the table as one.
    """

    cells: Relation
    parts: Relation
    quasi: tuple[QuasiIdentifierScale, ...]
    sensitive: tuple[Tested, ...]
    k: int
    strict: bool
    zones: Relation | None = None

    @property
    def title(self) -> str:
        """What is done, for people."""
        return "cutting the classes at their medians"

    @property
    def note(self) -> str:
        """What the run record calls the number of its passes."""
        return "search_passes"

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.parts

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return repr(self)

    def run(self, session: Runner) -> None:
        """Cut, by steps of its own; the session's notes say in how many passes."""
        workspace = Workspace(session)
        records = int(workspace.one("split_or_deal/size", {"cells": self.cells})["records"])
        tests = make_tests(workspace, self.sensitive, records)
        scales = make_scales(workspace, self.cells, records, self.quasi, whole_groups=True)
        cells = place_cells(workspace, self.cells, scales, [one.alias for one in tests])
        cutting = _Cutting(self, workspace, cells, records, scales, tests)
        found, passes = cutting.whole()
        session.create(Step(self.title, self.parts, "split_or_deal/parts", {"found": found}))
        session.notes.append((self.note, str(passes)))
        workspace.clear()


class _Cutting:
    """The cuts, level by level."""

    def __init__(
        self,
        partition: Partition,
        workspace: Workspace,
        cells: Relation,
        records: int,
        scales: tuple[Scale, ...],
        tests: tuple[Test, ...],
    ) -> None:
        self._zones = partition.zones
        self._strict, self._k = partition.strict, partition.k
        self._workspace, self._cells, self._records = workspace, cells, records
        self._scales, self._tests = scales, tests
        self._losses = make_losses(workspace, scales)
        self._places = (1, 2) if partition.strict else (1,)

    @property
    def _columns(self) -> tuple[Sql, ...]:
        return (*(one.alias for one in self._scales), *(one.alias for one in self._tests))

    def whole(self) -> tuple[Relation, int]:
        """The classes that the table is cut into, and in how many passes."""
        workspace, pieces = self._workspace, []
        title, node = "starting from one class", 1
        if self._zones is not None:
            whole = self._zones
            node = int(workspace.one("background/zone_count", {"zones": whole})["zones"])
        else:
            whole = workspace.make(
                title, "search_whole", "split_or_deal/whole_table", {"cells": self._cells}
            )
        opened = workspace.make(
            title,
            "open_0",
            "split_or_deal/first_parts",
            {"parts": whole, "cells": self._cells},
            columns=self._columns,
        )
        level, cuts = 0, 1
        while cuts:
            level += 1
            workspace.reached(level_share(level))
            title = f"cutting classes: level {level}"
            ranked, chosen = self._chosen(title, opened, node)
            cuts = workspace.rows(chosen)
            pieces.append(
                workspace.make(
                    title,
                    f"closed_{level}",
                    "split_or_deal/closed_parts",
                    {"open_parts": opened, "best_cuts": chosen},
                )
            )
            opened = workspace.make(
                title,
                f"open_{1 + level % 2}",
                "split_or_deal/next_parts",
                {"ranked_parts": ranked, "best_cuts": chosen},
                columns=self._columns,
                cuts=self._places,
                dealing=False,
            )
            node += 2 * cuts
        found = workspace.make(
            "gathering the classes",
            "search_found",
            "split_or_deal/all_parts",
            {f"piece_{place}": piece for place, piece in enumerate(pieces, 1)},
            pieces=pieces,
            starts=1,
            start=None,
        )
        return found, level - 1

    def _chosen(self, title: str, opened: Relation, node: int) -> tuple[Relation, Relation]:
        """The parts in order, and the cut of every open class that has one.

        Args:
            title: of the level, for people.
            opened: the open classes.
            node: the number of the first class to be made.
        """
        workspace = self._workspace
        attributes = workspace.make(
            title,
            "cut_attributes",
            "mondrian/wide_attributes",
            {"open_parts": opened, **self._losses.inputs},
            scales=self._scales,
            k=self._k,
            **self._losses.params,
        )
        ranked = workspace.make(
            title,
            "cut_ranked",
            "split_or_deal/ranked_parts",
            {"open_parts": opened, "candidate_attributes": attributes},
            scales=self._scales,
            columns=self._columns,
            dealing=False,
        )
        if self._strict:
            template, inputs = "mondrian/median_borders", {"ranked_parts": ranked}
        else:
            template, inputs = "mondrian/medians", {"candidate_attributes": attributes}
        positions = workspace.make(title, "cut_positions", template, inputs)
        made = {"ranked_parts": ranked, "cut_positions": positions}
        measured: dict[str, Relation] = {}
        for test in self._tests:
            measured |= measure_sides(workspace, title, test, made, self._places, self._records)
        allowed = workspace.make(
            title,
            "cut_allowed",
            "split_or_deal/allowed_cuts",
            {"cut_positions": positions, **measured},
            conditions=[one for test in self._tests for one in test.conditions],
            measures=[one for test in self._tests for one in test.measures],
            dealing=False,
            cuts=self._places,
            k=self._k,
            betas=(100,),
            small=0,
        )
        chosen = workspace.make(
            title,
            "cut_chosen",
            "mondrian/first_cuts",
            {"allowed_cuts": allowed, "candidate_attributes": attributes},
            next_node=node,
        )
        return ranked, chosen
