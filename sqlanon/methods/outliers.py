"""Outliers: records that cost the others more than they are worth, left out before classes form.

The records are gathered in groups of k by their quasi-identifiers alone, and each group loses as
much as a class of it would. A record's cost is what its group loses with it, less what the group
loses without it: its own loss, and by how much it widens the cells of the others. Of a record that
is left out all is lost. So records that cost more than that are outliers, and those that cost most
are left out as far as the limit allows.

Sensitive values decide nothing here. A reader with everybody's quasi-identifiers can compute which
records are left out, and an absence tells this reader of no sensitive value.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.measure.asked import Asked
from sqlanon.methods.cut.effort import EFFORTS
from sqlanon.methods.cut.scales import Start, Table, make_losses, make_scales, split_cells
from sqlanon.methods.cut.split_or_deal.tree import Tree
from sqlanon.methods.level.judging import counted_classes, held_classes
from sqlanon.methods.method import Task
from sqlanon.methods.workspace import CELLS, KEPT, LEFT_OUT, Workspace, zones_of
from sqlanon.plan import Runner, SearchOnCells, Step
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.sql.names import Relation, Sql

TITLE = "finding the outliers"
# How the groups of k are cut: records alike in all quasi-identifiers stay or go together.
_EFFORT = replace(EFFORTS["quick"], whole_values=True)


class Pricing:
    """Prices outliers by their cost for the others, and leaves the dearest out.

    Holders that are alike in all quasi-identifiers stay or go together. A holder is a record, or a
    person with as many records of every combination. The limit holds of holders and of records.

    Args:
        workspace: makes the work relations.
        tuples: the combinations of quasi-identifiers: cell_id, q1, …, records.
        alike_cells: of those alike, which combinations they have: alike_id, cell_id, how many
            holders they are, and how many records.
        quasi: the quasi-identifiers.
        k: the least class size.
        least: how many stay at least.
        limit: the greatest share that may be left out.
        within: the quasi-identifier in each of whose groups the limit holds, if in any.
    """

    def __init__(
        self,
        workspace: Workspace,
        tuples: Relation,
        alike_cells: Relation,
        quasi: Sequence[QuasiIdentifierScale],
        k: int,
        least: int,
        limit: Fraction,
        within: Sql | None,
    ) -> None:
        self._workspace, self._limit = workspace, limit
        self.alike = workspace.make(
            "gathering those alike", "outlier_alike", "outliers/alike", {"alike_cells": alike_cells}
        )
        sums = workspace.one("outliers/sums", {"alike": self.alike})
        holders, records = int(sums["holders"]), int(sums["records"])
        self._most = max(0, min(math.floor(holders * limit), holders - least))
        self._most_records = math.floor(records * limit)
        limits = workspace.make(
            "who counts in the groups of the limit",
            "outlier_limits",
            "outliers/limits",
            {"alike_cells": alike_cells, "tuples": tuples},
            within=within,
        )
        costs = self._costs(tuples, alike_cells, quasi, k, records, within)
        self._priced = {"costs": costs, "limits": limits}

    def chosen(self) -> Relation:
        """Those who are left out: alike_id, holders and records."""
        return self._chosen(self._most)

    def none(self) -> Relation:
        """Nobody, in the same relation."""
        return self._chosen(0)

    def note(self, session: Runner, outliers: Relation) -> None:
        """Note how many are left out."""
        found = self._workspace.one("outliers/counted", {"outliers": outliers})
        session.notes.append(("search_outliers", str(found["holders"])))

    def _chosen(self, most: int) -> Relation:
        return self._workspace.make(
            TITLE,
            "outliers",
            "outliers/chosen",
            self._priced,
            most=most,
            most_records=self._most_records,
            numerator=self._limit.numerator,
            denominator=self._limit.denominator,
        )

    def _costs(
        self,
        tuples: Relation,
        alike_cells: Relation,
        quasi: Sequence[QuasiIdentifierScale],
        k: int,
        records: int,
        within: Sql | None,
    ) -> Relation:
        """Those who cost more than they are worth."""
        workspace = self._workspace
        scales = make_scales(workspace, tuples, records, quasi, whole_groups=True)
        cells = split_cells(workspace, tuples, scales, ())
        table = Table(
            cells=cells,
            records=records,
            scales=scales,
            constraints=(),
            k=k,
            dealing=False,
            losses=make_losses(workspace, scales),
            small=workspace.few(cells),
        )
        groups = workspace.make(
            "the groups of the limit",
            "outlier_groups",
            "outliers/groups",
            {"alike": self.alike, "tuples": tuples},
            within=within,
        )
        tree = Tree(workspace, table, _EFFORT)
        with workspace.part(0.9):
            parts = tree.cut(Start(groups), "outlier_parts", k=k)
        members = workspace.make(
            "the records of the groups of k",
            "outlier_members",
            "outliers/members",
            {"parts": parts, "alike": self.alike, "alike_cells": alike_cells},
        )
        whole = workspace.make(
            "what the groups of k hold",
            "outlier_whole_groups",
            "outliers/whole_groups",
            {"members": members},
        )
        class_losses = tree.grouping(whole, "outlier_losses").losses
        without = workspace.make(
            "groups of k without those who widen them",
            "outlier_without",
            "outliers/without",
            {"members": members, "cells": cells},
            scales=scales,
        )
        losses_without = tree.grouping(without, "outlier_losses_without").losses
        return workspace.make(
            "what records cost the others",
            "outlier_costs",
            "outliers/costs",
            {
                "parts": parts,
                "alike": self.alike,
                "class_losses": class_losses,
                "losses_without": losses_without,
            },
            k=k,
            units=sum(scale.units for scale in scales),
        )


@dataclass(frozen=True, kw_only=True)
class OutlierSearch(SearchOnCells, ABC):
    """A search for holders to leave out, before classes form.

    Attributes:
        quasi: the quasi-identifiers.
        models: the models that are asked of every class.
        k: how many holders a class has at least.
        least: how many stay at least: as one class they meet k, also that of some columns.
        limit: the greatest share of the holders, and of the records, that may be left out.
        within: the quasi-identifier in each of whose groups the limit holds, if in any.
    """

    title: ClassVar[str] = TITLE

    quasi: tuple[QuasiIdentifierScale, ...]
    models: tuple[Asked, ...]
    k: int
    least: int
    limit: Fraction
    within: Sql | None = None

    def leave_out(
        self, session: Runner, workspace: Workspace, tuples: Relation, alike_cells: Relation
    ) -> tuple[Relation, Relation]:
        """Find the outliers, note how many they are, and leave them out.

        Where the others as one class violate a model, nobody is an outlier: the models are measured
        against the table with all its records, and may hold of these alone.

        Args:
            session: runs the steps and keeps their record.
            workspace: makes the work relations.
            tuples: the combinations of quasi-identifiers: cell_id, q1, …, records.
            alike_cells: of those alike, which combinations they have.

        Returns:
            The outliers, and all others as one class.
        """
        pricing = Pricing(
            workspace,
            tuples=tuples,
            alike_cells=alike_cells,
            quasi=self.quasi,
            k=self.k,
            least=self.least,
            limit=self.limit,
            within=self.within,
        )
        outliers = pricing.chosen()
        kept = self.kept(workspace, tuples, pricing.alike, outliers)
        if workspace.rows(outliers) and self.fails(workspace, kept, outliers):
            outliers = pricing.none()
            kept = self.kept(workspace, tuples, pricing.alike, outliers)
        session.create(Step(TITLE, LEFT_OUT, "outliers/left_out", {"outliers": outliers}))
        pricing.note(session, outliers)
        return outliers, kept

    @abstractmethod
    def kept(
        self, workspace: Workspace, tuples: Relation, alike: Relation, outliers: Relation
    ) -> Relation:
        """All others as one class."""

    @abstractmethod
    def fails(self, workspace: Workspace, kept: Relation, outliers: Relation) -> bool:
        """Whether these violate a model as one class."""


@dataclass(frozen=True, kw_only=True)
class Outliers(OutlierSearch):
    """The search for records to leave out.

    Attributes:
        cells: a row for each combination of codes in the data: cell_id, q1, …, s1, …, records. They
            have the codes of all attributes of which a model is asked.
    """

    cells: Relation

    @property
    def output(self) -> Relation:
        """The relation it leaves: the cells that are kept, as one class."""
        return KEPT

    def run(self, session: Runner) -> None:
        """Find them, by steps of its own; the session's notes say how many records they are."""
        workspace = Workspace(session)
        tuples = workspace.make(
            "combining the quasi-identifiers",
            "outlier_tuples",
            "outliers/tuples",
            {"cells": self.cells},
            columns=tuple(scale.alias for scale in self.quasi),
        )
        alike = workspace.make(
            "gathering equal records",
            "outlier_alike_cells",
            "outliers/alike_cells",
            {"tuples": tuples},
        )
        _, kept = self.leave_out(session, workspace, tuples, alike)
        session.create(Step(TITLE, KEPT, "outliers/start", {"rest": kept}))
        workspace.clear()

    def kept(
        self, workspace: Workspace, tuples: Relation, alike: Relation, outliers: Relation
    ) -> Relation:
        """The cells of all others."""
        return workspace.make(
            TITLE,
            "outlier_rest",
            "outliers/kept",
            {"cells": self.cells, "tuples": tuples, "outliers": outliers},
            columns=tuple(self._positions),
            by=tuple(scale.alias for scale in self.quasi),
        )

    @property
    def _positions(self) -> dict[Sql, Relation]:
        """The values of every attribute of which something is asked."""
        return {
            model.attribute.alias: model.attribute.positions
            for model in self.models
            if model.attribute
        }

    def fails(self, workspace: Workspace, kept: Relation, outliers: Relation) -> bool:
        """Whether the cells that are kept violate a model as one class."""
        asked = [model for model in self.models if model.model is not K_ANONYMITY]
        if not asked:
            return False
        classes, values = counted_classes(workspace, TITLE, "outlier", kept, self._positions)
        held = held_classes(workspace, asked, classes, values)
        return bool(workspace.one("outliers/failing", {"held": held})["failing"])


def least_kept(task: Task) -> int:
    """How many holders stay at least, so that they as one class meet every k."""
    return max(task.k, *(int(asked.demand.threshold) for asked in task.projected), 1)


def outliers_of(
    task: Task, quasi: Sequence[QuasiIdentifierScale], coordinates: Sequence[Sql]
) -> Outliers | None:
    """The search for the outliers of a task; None where none may be left out.

    Where clusters of records are asked for, those that fail are left out, and nobody else.
    """
    if zones_of(task) != KEPT:
        return None
    return Outliers(
        cells=CELLS,
        quasi=tuple(quasi),
        models=tuple(
            model
            for model in task.models
            if model.bound is not None
            and (model.attribute is None or model.attribute.alias in coordinates)
        ),
        k=task.k,
        least=least_kept(task),
        limit=task.allowance,
        within=task.within,
    )
