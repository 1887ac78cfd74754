"""Stack & Deal among neighbours: the same counts in every class, from records that lie close.

Plain Stack & Deal is blind to the quasi-identifiers. Along a curve through them every class keeps
exactly the counts of plain dealing, so k, l and t are the same. In stripes of the curve, dealt one
by one, records are closer still, and t grows: it is measured.
"""

from __future__ import annotations

from sqlanon.methods.deal.locality import Columns, Curve, along_curve, ordered_along, spread_along
from sqlanon.methods.deal.stack_and_deal.stack import STACK, stacked_columns
from sqlanon.methods.method import ASSIGNED, Task
from sqlanon.methods.strata import Strata
from sqlanon.methods.workspace import CELLS, sensitive_asked
from sqlanon.plan import Materialization, Search, Step, work
from sqlanon.sql.names import Relation

_CURVE_PLACES, _STRIPED, _STACKS = work("curve_places"), work("striped"), work("stripe_stacks")


def dealt_along(
    task: Task, curve: Curve, stripe: int | None, stack: Relation = STACK
) -> list[Step]:
    """The steps from the stack to a class for every record.

    Args:
        task: what is dealt.
        curve: the order of the records.
        stripe: how many records a stripe has at least; None for one stripe of all.
        stack: the stack of these records.
    """
    columns = Columns(task.quasi_codes, stacked_columns(task.sensitive), task.tie_breaks)
    steps = along_curve(task.coded, _CURVE_PLACES, task.quasi_identifiers, columns.all, curve)
    if stripe is None:
        steps += _whole(task, columns, stack)
    else:
        steps += _stripes(task, columns, curve, stripe, stack)
    return [*steps, *_dealt(task, columns, curve, in_stripes=stripe is not None)]


def dealt_in_strata(task: Task, curve: Curve) -> list[Step | Search]:
    """The steps from the stack to a class for every record, each stratum dealt by itself.

    Args:
        task: what is dealt, with its clusters.
        curve: the order of the records.
    """
    assert task.clusters is not None  # noqa: S101 - where strata are asked for
    columns = Columns(task.quasi_codes, stacked_columns(task.sensitive), task.tie_breaks)
    by = (*task.quasi_codes, *sensitive_asked(task))
    # Of the clusters of a clause, which the method does not deal within, only the strata count.
    strata = Strata(task.models, task.clusters.strata, bool(task.allowance))
    return [
        Step(
            "gathering equal records in cells",
            CELLS,
            "cells/cells",
            {"coded": task.coded},
            {"columns": by},
        ),
        strata.search(CELLS, whole=True),
        *along_curve(task.coded, _CURVE_PLACES, task.quasi_identifiers, columns.all, curve),
        Step(
            "a stripe for each stratum",
            _STRIPED,
            "methods/locality/strata",
            {"curve_places": _CURVE_PLACES, "cells": CELLS, "zones": strata.relation},
            {"columns": columns.all, "by": by},
        ),
        _stripe_stacks(task, columns, STACK),
        *_dealt(task, columns, curve, in_stripes=False),
    ]


def _dealt(task: Task, columns: Columns, curve: Curve, in_stripes: bool) -> list[Step]:
    """The steps from stripes and their stacks to a class for every record."""
    ordering = ordered_along(
        _STRIPED, _STACKS, columns, columns.sensitive_codes, curve, in_stripes=in_stripes
    )
    return [ordering, *spread_along(_STACKS, ASSIGNED, (*columns.alike, *task.beside))]


def _whole(task: Task, columns: Columns, stack: Relation) -> list[Step]:
    """The steps by which all records are one stripe."""
    return [
        Step(
            "one stripe",
            _STRIPED,
            "methods/locality/whole",
            {"curve_places": _CURVE_PLACES},
            {"columns": columns.all},
            Materialization.WORK_VIEW,
        ),
        Step(
            "its stack",
            _STACKS,
            "methods/locality/whole_stack",
            {"stack": stack},
            {"sensitive": columns.sensitive_codes, "k": task.k},
        ),
    ]


def _stripes(
    task: Task, columns: Columns, curve: Curve, stripe: int, stack: Relation
) -> list[Step]:
    """The steps that cut the curve into stripes."""
    curve_order: Relation = work("curve_order")
    order = {
        "columns": columns.all,
        "leading": curve.leading,
        "quasi_identifiers": columns.quasi_codes,
        "sensitive": columns.sensitive_codes,
        "alike": columns.alike,
        "carried": columns.carried,
        "stripe": stripe,
    }
    return [
        Step(
            "lining the records up along the curve",
            curve_order,
            "methods/locality/curve_order",
            {"curve_places": _CURVE_PLACES},
            order,
        ),
        Step(
            "cutting the curve into stripes",
            _STRIPED,
            "methods/locality/striped",
            {"curve_order": curve_order},
            order,
        ),
        _stripe_stacks(task, columns, stack),
    ]


def _stripe_stacks(task: Task, columns: Columns, stack: Relation) -> Step:
    return Step(
        "stacking the values of every stripe",
        _STACKS,
        "methods/locality/stripe_stacks",
        {"striped": _STRIPED, "stack": stack},
        {"sensitive": columns.sensitive_codes, "k": task.k},
    )
