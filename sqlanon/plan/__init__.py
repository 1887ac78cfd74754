"""A run as frozen data."""

from sqlanon.plan.folding import Standing, cte, folded, indented, inlined, needed, with_ctes
from sqlanon.plan.layout import laid_out
from sqlanon.plan.loop import Loop
from sqlanon.plan.runner import Rows, Runner, StepRecord
from sqlanon.plan.step import (
    Check,
    Foreseeable,
    Found,
    Materialization,
    Phase,
    Plan,
    Search,
    SearchBase,
    SearchOnCells,
    Secret,
    Step,
    fault,
    filled,
    infeasible,
    work,
)

__all__ = [
    "Check",
    "Foreseeable",
    "Found",
    "Loop",
    "Materialization",
    "Phase",
    "Plan",
    "Rows",
    "Runner",
    "Search",
    "SearchBase",
    "SearchOnCells",
    "Secret",
    "Standing",
    "Step",
    "StepRecord",
    "cte",
    "fault",
    "filled",
    "folded",
    "indented",
    "infeasible",
    "inlined",
    "laid_out",
    "needed",
    "with_ctes",
    "work",
]
