"""Dealing the stack out blindly: which record of a block goes where is drawn."""

from __future__ import annotations

from sqlanon.methods.deal.stack_and_deal.stack import SIZES, STACK, stacked_columns
from sqlanon.methods.method import ASSIGNED, Task
from sqlanon.plan import Materialization, Step, work
from sqlanon.sql import Relation


def dealt_blindly(task: Task, stack: Relation = STACK) -> list[Step]:
    """The steps from the stack to a class for every record.

    Args:
        task: what is dealt.
        stack: the stack of these records.
    """
    stacked, stacked_by = work("stacked"), stacked_columns(task.sensitive)
    codes, carried = (*task.quasi_codes, *stacked_by), task.tie_breaks
    return [
        Step(
            "counting the classes",
            SIZES,
            "methods/stack_and_deal/sizes",
            {"stack": stack},
            {"k": task.k},
        ),
        Step(
            "stacking the records",
            stacked,
            "methods/stack_and_deal/stacked",
            {"coded": task.coded, "stack": stack},
            {
                "columns": (*codes, *carried),
                "codes": codes,
                "carried": carried,
                "quasi_identifiers": task.quasi_codes,
                "sensitive": stacked_by,
                "ties": (*task.quasi_codes, *carried),
                "seed": task.seed,
            },
        ),
        Step(
            "dealing the records into classes",
            ASSIGNED,
            "methods/stack_and_deal/assigned",
            {"stacked": stacked, "sizes": SIZES},
            {"columns": task.released},
            Materialization.WORK_VIEW,
        ),
    ]
