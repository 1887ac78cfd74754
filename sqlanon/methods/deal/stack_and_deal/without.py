"""Dealing without the outliers: the records that are kept, and their stack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlanon.methods.method import Task
from sqlanon.methods.on_cells import CELLS, KEPT, scales_of, sensitive_asked
from sqlanon.methods.outliers import outliers_of
from sqlanon.plan import Materialization, Search, Step, work
from sqlanon.sql.names import Relation, Sql

KEPT_STACK, _KEPT_CODED = work("kept_stack"), work("kept_coded")


def without_outliers(
    task: Task, stacked: Sequence[Sql], stack: Relation
) -> tuple[Task, list[Step | Search]]:
    """The task of dealing the records that are kept, and the steps that find these.

    Args:
        task: what the method is given.
        stacked: the columns of the codes that name a block of the stack.
        stack: the stack of all records.
    """
    scales, laid = scales_of(task)
    coordinates = (*task.quasi_codes, *sensitive_asked(task))
    # The method makes no classes within clusters: the gate judges what these are asked for.
    search = outliers_of(replace(task, clusters=None), scales, coordinates)
    assert search is not None  # noqa: S101 - records may be left out
    columns = dict.fromkeys((*task.quasi_codes, *stacked, *task.released, *task.tie_breaks))
    steps: list[Step | Search] = [
        Step(
            "gathering equal records in cells",
            CELLS,
            "cells/cells",
            {"coded": task.coded},
            {"columns": coordinates},
        ),
        *laid,
        search,
        Step(
            "the records without the outliers",
            _KEPT_CODED,
            "outliers/kept_records",
            {"coded": task.coded, "cells": CELLS, "kept_cells": KEPT},
            {"columns": tuple(columns), "by": coordinates},
            Materialization.WORK_VIEW,
        ),
        kept_stack(_KEPT_CODED, stacked, stack),
    ]
    return replace(task, coded=_KEPT_CODED), steps


def kept_stack(coded: Relation, stacked: Sequence[Sql], stack: Relation) -> Step:
    """The step that leaves the stack of some of the records.

    Args:
        coded: these records.
        stacked: the columns of the codes that name a block of the stack.
        stack: the stack of all records.
    """
    return Step(
        "their stack",
        KEPT_STACK,
        "outliers/kept_stack",
        {"coded": coded, "stack": stack},
        {"sensitive": tuple(stacked)},
    )
