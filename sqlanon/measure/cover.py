"""Counts over published cells: how much they cover, and how many share what some of them show.

A cover is how many values, how many records, how many levels up. A projection is a greater k of
some of the quasi-identifiers. Its count is of the records, or other units, that share each
published tuple of the columns exactly. Where cells overlap, more records can be somebody's than
share the tuple: the count is the least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlanon.clauses import clauses
from sqlanon.clauses.clause import Projection
from sqlanon.forms import form_of
from sqlanon.forms.form import PublishedColumn, Shown
from sqlanon.measure.asked import Asked
from sqlanon.measure.loss import LossColumn
from sqlanon.measure.metrics.cells import LINKAGES
from sqlanon.measure.view import MEASURED, AdversaryView, ShownColumn
from sqlanon.plan import Materialization, Step, work
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.model import Demand
from sqlanon.spec import Spec
from sqlanon.sql.names import Relation


@dataclass(frozen=True)
class Projected(Asked):
    """k of the tuples that are projected on some of the quasi-identifiers.

    Attributes:
        projection: the columns and their k, as a clause asks for them.
        index: which of all these it is, from 1.
    """

    projection: Projection = field(kw_only=True)
    index: int = field(kw_only=True)

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return self.projection.columns

    @property
    def k(self) -> int:
        """How many records, or units of these, share each tuple at least."""
        return self.projection.k

    @property
    def name(self) -> str:
        """The columns, as the metrics call them."""
        return ", ".join(self.columns)

    @property
    def relation(self) -> Relation:
        """The work relation with a row for each class."""
        return work("measured_projected_", self.index)

    @property
    def projected(self) -> Relation:
        """How many records, or units of these, share each class's projected tuple."""
        return work("projected_", self.index)


def asked_of_projections(spec: Spec) -> tuple[Projected, ...]:
    """The demands on some of the quasi-identifiers, in the order of the spec."""
    found = [each for clause in clauses() for each in clause.projections(spec)]
    return tuple(
        Projected(Demand(K_ANONYMITY, projection.k), projection=projection, index=number)
        for number, projection in enumerate(found, 1)
    )


def projected_steps(view: AdversaryView, asked: Sequence[Projected]) -> list[Step]:
    """The steps that measure the projected tuples of a view."""
    steps = []
    for projection in asked:
        known = [column.alias for column in view.shown if _known_of(column) in projection.columns]
        inputs, template = {"classes": view.classes}, "measure/projected"
        if view.units is not None:
            inputs, template = {"measured": MEASURED, **inputs}, "units/projected"
        title = f"who shares the tuples of {projection.name}"
        steps.append(Step(title, projection.projected, template, inputs, {"columns": tuple(known)}))
        steps.append(projection.step(projection.projected, {}))
    return steps


def _known_of(column: ShownColumn) -> str:
    """The quasi-identifier that a published column stands for."""
    return column.source if isinstance(column, PublishedColumn) else column.name


CLASS_COVER = work("class_cover")
_TEXTS = work("cell_texts")


@dataclass(frozen=True)
class Cells:
    """The cells of classes, read as codes again.

    Attributes:
        steps: that read them.
        inputs: a relation for each quasi-identifier, ``cells_<alias>`` or ``set_members_<alias>``.
        columns: the quasi-identifiers, as templates read them.
    """

    steps: tuple[Step, ...]
    inputs: dict[str, Relation]
    columns: tuple[dict[str, Any], ...]


def cells_of(columns: Sequence[LossColumn], classes: Relation) -> Cells:
    """The cells of every class, as codes.

    Args:
        columns: the quasi-identifiers, at least one.
        classes: a row for each class, with its published cells.
    """
    published = [published_column for column in columns for published_column in column.published]
    steps = [
        Step(
            "cells as a release has them",
            _TEXTS,
            "measure/cell_texts",
            {"classes": classes},
            {"columns": published},
            Materialization.WORK_VIEW,
        )
    ]
    inputs, listed = dict[str, Relation](), list[dict[str, Any]]()
    for loss_column in columns:
        cells = work("covered_", loss_column.attribute)
        steps += form_of(loss_column.of).reading(
            Shown(loss_column.of, loss_column.published, _TEXTS, cells, fold=False)
        )
        members = form_of(loss_column.of).read_members(loss_column.of)
        if members is None:
            inputs[f"cells_{loss_column.attribute}"] = cells
        else:
            inputs[f"set_members_{loss_column.attribute}"] = members
        listed.append(
            {
                "attribute": loss_column.attribute,
                "alias": loss_column.alias,
                "domain": loss_column.domain,
                "cells": cells,
                "members": members,
                "labels": loss_column.labels,
                "height": loss_column.height,
            }
        )
    return Cells(tuple(steps), inputs, tuple(listed))


def linkage_steps(
    columns: Sequence[LossColumn], classes: Relation, assigned: Relation, coded: Relation
) -> Iterator[Step]:
    """The steps that find how well records of the source are linked with published cells.

    Args:
        columns: the quasi-identifiers, at least one.
        classes: a row for each class, with its published cells.
        assigned: the published records, with their codes.
        coded: the records of the source.
    """
    cells = cells_of(columns, classes)
    yield from cells.steps
    yield Step(
        "how well records are linked with published cells",
        work("linkage"),
        LINKAGES[0].measured,
        {"classes": classes, "assigned": assigned, "coded": coded, **cells.inputs},
        {"columns": cells.columns},
    )


def cover_steps(columns: Sequence[LossColumn], classes: Relation) -> Iterator[Step]:
    """The steps that read the cells of every class back, and make `CLASS_COVER` of them.

    Args:
        columns: the quasi-identifiers, at least one.
        classes: a row for each class, with its published cells.
    """
    cells = cells_of(columns, classes)
    yield from cells.steps
    yield Step(
        "what the cells of each class stand for",
        CLASS_COVER,
        "measure/class_cover",
        {"cell_texts": _TEXTS}
        | {f"domain_{column.attribute}": column.domain for column in columns}
        | cells.inputs,
        {"columns": cells.columns},
    )
