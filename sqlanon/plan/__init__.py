"""A run as frozen data, and the session that carries it out."""

from sqlanon.plan.session import Event, Listener, Session, StepRecord, statement
from sqlanon.plan.step import Check, Found, How, Plan, Role, Search, Step, filled, infeasible, work

__all__ = [
    "Check",
    "Event",
    "Found",
    "How",
    "Listener",
    "Plan",
    "Role",
    "Search",
    "Session",
    "Step",
    "StepRecord",
    "filled",
    "infeasible",
    "statement",
    "work",
]
