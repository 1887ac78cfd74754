"""A run as frozen data."""

from sqlanon.plan.folding import cte, folded, needed
from sqlanon.plan.loop import Loop
from sqlanon.plan.runner import Rows, Runner, StepRecord
from sqlanon.plan.step import (
    Check,
    Found,
    Materialization,
    Phase,
    Plan,
    Search,
    Secret,
    Step,
    fault,
    filled,
    infeasible,
    work,
)

__all__ = [
    "Check",
    "Found",
    "Loop",
    "Materialization",
    "Phase",
    "Plan",
    "Rows",
    "Runner",
    "Search",
    "Secret",
    "Step",
    "StepRecord",
    "cte",
    "fault",
    "filled",
    "folded",
    "infeasible",
    "needed",
    "work",
]
