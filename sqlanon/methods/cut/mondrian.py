"""Multidimensional partitioning: all open classes are cut at once, level by level.

LeFevre, DeWitt and Ramakrishnan, "Mondrian Multidimensional k-Anonymity" (2006). Of each class the
widest quasi-identifier is cut at the median, or the next widest where a side of that cut would not
meet every model. A class without such a cut is final. A level is one group of statements, however
many classes there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem
from sqlanon.methods.cut.constraints import (
    CutConstraint,
    Cuts,
    allowed_cuts,
    close_cuts,
    constraint_of,
    make_cut_constraints,
    measured_exactly,
    untested,
)
from sqlanon.methods.cut.cutting import (
    ALLOWED,
    BEGUN,
    BEST,
    CANDIDATES,
    CLOSE,
    OPENED,
    POSITIONS,
    RANKED,
    TITLE,
    CutSearch,
    begin,
    by_value,
    cut_levels,
    one_by_one,
    part,
    step,
)
from sqlanon.methods.cut.scales import Block, LossScale, make_losses, make_scales, split_cells
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.outliers import outliers_of
from sqlanon.methods.workspace import (
    CELLS,
    PARTS,
    Workspace,
    grouping_on_cells,
    scales_of,
    zones_of,
)
from sqlanon.plan import Runner, Step, work
from sqlanon.spec import MethodSettings, Spec
from sqlanon.sql.names import Relation, Sql


@dataclass(frozen=True)
class Partition(CutSearch):
    """The search for classes by cuts at the median.

    Attributes:
        strict: whether records alike in all quasi-identifiers stay together.
        zones: the classes that are cut, in place of the table as one.
    """

    strict: bool
    zones: Relation | None = None

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return "cutting the classes at their medians"

    @property
    def note(self) -> str:
        """The name of the number of its passes in the run record."""
        return "search_passes"

    def run(self, session: Runner) -> None:
        """Cut, by steps of its own; the session's notes say in how many passes."""
        workspace = Workspace(session)
        records = int(workspace.one("cells/record_count", {"cells": self.cells})["records"])
        constraints = make_cut_constraints(workspace, self.sensitive, records)
        scales = make_scales(workspace, self.cells, records, self.quasi, whole_groups=True)
        cells = split_cells(
            workspace, self.cells, scales, [Block(constraint.alias) for constraint in constraints]
        )
        cutting = _Cutting(self, workspace, cells, records, scales, constraints)
        found, passes = cutting.whole()
        session.create(Step(self.title, self.parts, "methods/cut/parts", {"found": found}))
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
        scales: tuple[LossScale, ...],
        constraints: tuple[CutConstraint, ...],
    ) -> None:
        self._zones = partition.zones
        self._strict, self._k = partition.strict, partition.k
        self._workspace, self._cells, self._records = workspace, cells, records
        self._scales, self._constraints = scales, constraints
        self._losses = make_losses(workspace, scales)
        self._numbers = (1, 2) if partition.strict else (1,)

    @property
    def _columns(self) -> tuple[Sql, ...]:
        return (
            *(scale.alias for scale in self._scales),
            *(constraint.alias for constraint in self._constraints),
        )

    def whole(self) -> tuple[Relation, int]:
        """The classes that the table is cut into, and in how many passes."""
        workspace, title = self._workspace, "starting from one class"
        whole = self._zones or workspace.make(
            title, "search_whole", "methods/cut/whole_table", {"cells": self._cells}
        )
        first = workspace.make(
            title,
            "tree_first",
            "methods/cut/first_parts",
            {"parts": whole, "cells": self._cells},
            columns=self._columns,
            classes=None,
        )
        levels = cut_levels(first, self._columns, self._steps())
        done = workspace.repeat(levels, workspace.few(self._cells))
        found = workspace.make(
            "gathering the classes", "search_found", "methods/cut/all_parts", {"done_parts": done}
        )
        return found, workspace.one("methods/mondrian/passes", {"done_parts": done})["passes"]

    def _steps(self) -> Iterator[Step]:
        """The steps of a level: the parts in order, and the cut of every class that has one."""
        yield step(
            CANDIDATES,
            "methods/mondrian/wide_attributes",
            {"open_parts": OPENED, **self._losses.inputs},
            scales=self._scales,
            k=self._k,
            **self._losses.params,
        )
        if self._strict:
            yield by_value(self._scales, self._columns)
            yield step(POSITIONS, "methods/mondrian/median_borders", {"ranked_parts": RANKED})
        else:
            yield one_by_one(self._scales, self._columns, dealing=False)
            yield step(POSITIONS, "methods/mondrian/medians", {"candidate_attributes": CANDIDATES})
        made = {"ranked_parts": RANKED, "cut_positions": POSITIONS}
        cuts = Cuts(TITLE, made, self._numbers, self._records, self._k, percent=100, small=0)
        of_class = [constraint for constraint in self._constraints if not constraint.beside]
        yield from allowed_cuts(cuts, of_class, ALLOWED)
        yield from close_cuts(cuts, of_class, ALLOWED, CLOSE, priced=False)
        allowed = CLOSE if measured_exactly(of_class) else ALLOWED
        for number, together in enumerate(
            dict.fromkeys(constraint.beside for constraint in self._constraints)
        ):
            if together:
                in_parts = self._in_parts(cuts, together, allowed, f"tree_parted_{number}")
                yield from in_parts
                allowed = work(f"tree_parted_{number}_kept")
        yield begin()
        yield step(
            BEST,
            "methods/mondrian/first_cuts",
            {"begun_level": BEGUN, "allowed_cuts": allowed, "candidate_attributes": CANDIDATES},
        )
        yield part(self._columns, RANKED, self._numbers)

    def _in_parts(
        self, cuts: Cuts, together: tuple[Sql, ...], allowed: Relation, stem: str
    ) -> Iterator[Step]:
        """The steps to the cuts that keep what is asked of values shown with quasi-identifiers.

        Kiruthika and Raseen, §8.2: a value is believed of a tuple by the buckets that it matches.
        Where cuts keep records apart by values, a tuple matches its own bucket alone. Where they
        part records alike, the belief is a mixture of buckets that keep the models each.

        Args:
            cuts: the cuts of the level.
            together: the quasi-identifiers that stay together with the sensitive attributes.
            allowed: the cuts that are allowed so far.
            stem: of the names of the relations to make.

        Returns:
            The steps; the last one makes ``<stem>_kept``.
        """
        constraints = [
            constraint for constraint in self._constraints if constraint.beside == together
        ]
        columns = tuple(constraint.alias for constraint in constraints)
        parts, positions, tested, close, kept = (
            work(f"{stem}_{part}") for part in ("parts", "positions", "allowed", "close", "kept")
        )
        params = {"together": together, "columns": columns}
        yield step(parts, "methods/mondrian/parted", {"ranked_parts": RANKED}, **params)
        yield step(
            positions,
            "methods/mondrian/parted_positions",
            {"parted": parts, "cut_positions": POSITIONS},
            cuts=self._numbers,
        )
        made = {"ranked_parts": parts, "cut_positions": positions}
        parted = replace(cuts, made=made, k=0)
        yield from allowed_cuts(parted, constraints, tested)
        yield from close_cuts(parted, constraints, tested, close, priced=False)
        measured = close if measured_exactly(constraints) else tested
        yield step(
            kept,
            "methods/mondrian/whole_cuts",
            {"allowed_cuts": allowed, "parted_positions": positions, "parted_cuts": measured},
        )


class MondrianSettings(MethodSettings):
    """Cuts at the median of the widest quasi-identifier. LeFevre et al. (2006)."""

    cuts: ClassVar[bool] = True
    clusters: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    leaves_outliers: ClassVar[bool] = True

    name: Literal["mondrian"] = "mondrian"
    partitioning: Literal["strict", "relaxed"] = Field(
        default="strict",
        description="strict: records alike in all quasi-identifiers stay in one class; relaxed: "
        "every class is cut into halves, and records alike may be parted",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """A model that cuts are not tested by would be found not to hold in the end."""
        return untested(spec, self.name)


class Mondrian(Method[MondrianSettings]):
    """Cuts every class at the median of its widest quasi-identifier, while a cut is allowed."""

    Settings = MondrianSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of cuts, to a class for every record."""
        scales, steps = scales_of(task)
        sensitive = [
            constraint_of(attribute, task.models, task.together.get(attribute.alias, ()))
            for attribute in task.own
        ]
        # Where nothing is asked of an attribute, no class depends on it: not even where records
        # alike in all else are parted.
        asked = tuple(constraint for constraint in sensitive if constraint.asked)
        partition = Partition(
            cells=CELLS,
            parts=PARTS,
            quasi=scales,
            sensitive=asked,
            k=task.k,
            strict=self.settings.partitioning == "strict",
            zones=zones_of(task),
        )
        coordinates = (*task.quasi_codes, *(constraint.alias for constraint in asked))
        outliers = outliers_of(task, scales, coordinates)
        return grouping_on_cells(task, coordinates, steps, partition, outliers=outliers)
