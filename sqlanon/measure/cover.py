"""The cover of published cells: how many values, how many records, how many levels up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.forms import form_of
from sqlanon.forms.form import Shown
from sqlanon.measure.loss import LossColumn
from sqlanon.measure.metrics.cells import LINKAGES
from sqlanon.plan import Materialization, Step, work
from sqlanon.sql.names import Relation

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
    published = [one for column in columns for one in column.published]
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
    for one in columns:
        cells = work("covered_", one.attribute)
        steps += form_of(one.of).reading(Shown(one.of, one.published, _TEXTS, cells, fold=False))
        members = form_of(one.of).read_members(one.of)
        if members is None:
            inputs[f"cells_{one.attribute}"] = cells
        else:
            inputs[f"set_members_{one.attribute}"] = members
        listed.append(
            {
                "attribute": one.attribute,
                "alias": one.alias,
                "domain": one.domain,
                "cells": cells,
                "members": members,
                "labels": one.labels,
                "height": one.height,
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
        | {f"domain_{one.attribute}": one.domain for one in columns}
        | cells.inputs,
        {"columns": cells.columns},
    )
