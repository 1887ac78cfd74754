"""A run as frozen data."""

from sqlanon.plan.folding import cte, folded, needed
from sqlanon.plan.loop import Loop
from sqlanon.plan.phases import phases
from sqlanon.plan.runner import Rows, Runner, StepRecord
from sqlanon.plan.step import (
    Check,
    Found,
    Materialization,
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
    "phases",
    "work",
]
