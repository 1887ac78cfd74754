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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlanon.forms import QuasiIdentifierScale
from sqlanon.measure import Asked
from sqlanon.methods.cut.effort import EFFORTS
from sqlanon.methods.cut.scales import make_losses, make_scales, place_cells
from sqlanon.methods.cut.table import Start, Table
from sqlanon.methods.cut.tree import Tree
from sqlanon.methods.level.judging import counted_classes, held_classes
from sqlanon.methods.method import Task
from sqlanon.methods.on_cells import CELLS, KEPT, LEFT_OUT, zones_of
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, SearchOnCells, Step
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_TITLE = "finding the outliers"
# How the groups of k are cut: records alike in all quasi-identifiers stay or go together.
_EFFORT = replace(EFFORTS["quick"], whole_values=True)


@dataclass(frozen=True)
class Outliers(SearchOnCells):
    """The search for records to leave out.

    Attributes:
        cells: a row for each combination of codes in the data: cell_id, q1, …, s1, …, records.
        quasi: the quasi-identifiers.
        models: the models that every class must meet, of attributes whose codes the cells have.
        k: the least class size.
        limit: the greatest share of the records that may be left out.
        within: the quasi-identifier in each of whose groups the limit holds, if in any.
    """

    cells: Relation
    quasi: tuple[QuasiIdentifierScale, ...]
    models: tuple[Asked, ...]
    k: int
    limit: Fraction
    within: Sql | None = None

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return _TITLE

    @property
    def output(self) -> Relation:
        """The relation it leaves: the cells that are kept, as one class."""
        return KEPT

    def run(self, session: Runner) -> None:
        """Find them, by steps of its own; the session's notes say how many records they are.

        Where the other records as one class violate a model, nobody is an outlier: the models are
        measured against the table with all its records, and may hold of these alone.
        """
        workspace = Workspace(session)
        tuples = workspace.make(
            "combining the quasi-identifiers",
            "outlier_tuples",
            "outliers/tuples",
            {"cells": self.cells},
            columns=self._columns,
        )
        records = int(workspace.one("cells/record_count", {"cells": tuples})["records"])
        priced = self._priced(workspace, tuples, records)
        most = min(math.floor(records * self.limit), records - self.k)
        outliers = self._chosen(workspace, priced, most)
        kept = self._kept(workspace, tuples, outliers)
        if workspace.rows(outliers) and self._fails(workspace, kept):
            outliers = self._chosen(workspace, priced, 0)
            kept = self._kept(workspace, tuples, outliers)
        session.create(Step(_TITLE, KEPT, "outliers/start", {"rest": kept}))
        session.create(Step(_TITLE, LEFT_OUT, "outliers/left_out", {"outliers": outliers}))
        found = workspace.one("outliers/counted", {"left_out": LEFT_OUT})
        session.notes.append(("search_outliers", str(found["records"])))
        workspace.clear()

    @property
    def _columns(self) -> tuple[Sql, ...]:
        return tuple(one.alias for one in self.quasi)

    def _priced(self, workspace: Workspace, tuples: Relation, records: int) -> dict[str, Relation]:
        """The combinations that cost more than they are worth, and the groups of the limit."""
        scales = make_scales(workspace, tuples, records, self.quasi, whole_groups=True)
        cells = place_cells(workspace, tuples, scales, ())
        losses = make_losses(workspace, scales)
        table = Table(
            cells=cells,
            records=records,
            scales=scales,
            constraints=(),
            k=self.k,
            dealing=False,
            losses=losses,
            small=workspace.few(cells),
        )
        groups = workspace.make(
            "the groups of the limit",
            "outlier_groups",
            "outliers/groups",
            {"tuples": tuples},
            within=self.within,
        )
        tree = Tree(workspace, table, _EFFORT)
        with workspace.part(0.9):
            parts = tree.cut(Start(groups), "outlier_parts", k=self.k)
        class_losses = tree.grouping(parts, "outlier_losses").losses
        without = workspace.make(
            "groups of k without a record that widens them",
            "outlier_without",
            "outliers/without",
            {"parts": parts, "cells": cells},
            scales=scales,
        )
        losses_without = tree.grouping(without, "outlier_losses_without").losses
        costs = workspace.make(
            "what records cost the others",
            "outlier_costs",
            "outliers/costs",
            {
                "tuples": tuples,
                "parts": parts,
                "groups": groups,
                "class_losses": class_losses,
                "losses_without": losses_without,
            },
            k=self.k,
            units=sum(one.units for one in scales),
        )
        return {"costs": costs, "groups": groups}

    def _chosen(self, workspace: Workspace, priced: dict[str, Relation], most: int) -> Relation:
        """The combinations to leave out, of so many records at most."""
        return workspace.make(
            _TITLE,
            "outliers",
            "outliers/chosen",
            priced,
            most=most,
            numerator=self.limit.numerator,
            denominator=self.limit.denominator,
        )

    def _kept(self, workspace: Workspace, tuples: Relation, outliers: Relation) -> Relation:
        """The cells of all others."""
        return workspace.make(
            _TITLE,
            "outlier_rest",
            "outliers/kept",
            {"cells": self.cells, "tuples": tuples, "outliers": outliers},
            columns=tuple(self._positions),
            by=self._columns,
        )

    @property
    def _positions(self) -> dict[Sql, Relation]:
        """The values of every attribute of which something is asked."""
        return {
            one.attribute.alias: one.attribute.positions for one in self.models if one.attribute
        }

    def _fails(self, workspace: Workspace, kept: Relation) -> bool:
        """Whether the cells that are kept violate a model as one class."""
        asked = [one for one in self.models if one.model is not K_ANONYMITY]
        if not asked:
            return False
        classes, values = counted_classes(workspace, _TITLE, "outlier", kept, self._positions)
        held = held_classes(workspace, asked, classes, values)
        return bool(workspace.one("outliers/failing", {"held": held})["failing"])


def outliers_of(
    task: Task, quasi: Sequence[QuasiIdentifierScale], coordinates: Sequence[Sql]
) -> Outliers | None:
    """The search for the outliers of a task; None where none may be left out.

    Where clusters of records are asked for, those that fail are left out, and nobody else.

    Args:
        task: what the method is given.
        quasi: the quasi-identifiers, as they are priced.
        coordinates: the codes that the records of a cell share.
    """
    if zones_of(task) != KEPT:
        return None
    return Outliers(
        cells=CELLS,
        quasi=tuple(quasi),
        models=tuple(
            one
            for one in task.models
            if one.bound is not None
            and (one.attribute is None or one.attribute.alias in coordinates)
        ),
        k=task.k,
        limit=task.suppression,
        within=task.within,
    )
