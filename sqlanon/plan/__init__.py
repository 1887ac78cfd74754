"""A run as frozen data."""

from sqlanon.plan.runner import Rows, Runner, StepRecord
from sqlanon.plan.step import Check, Found, How, Plan, Search, Step, filled, infeasible, work

__all__ = [
    "Check",
    "Found",
    "How",
    "Plan",
    "Rows",
    "Runner",
    "Search",
    "Step",
    "StepRecord",
    "filled",
    "infeasible",
    "work",
]
