"""A run as frozen data, and the session that carries it out."""

from sqlanon.plan.session import Event, Listener, Session, StepRecord
from sqlanon.plan.step import Check, How, Plan, Role, Search, Step, work

__all__ = [
    "Check",
    "Event",
    "How",
    "Listener",
    "Plan",
    "Role",
    "Search",
    "Session",
    "Step",
    "StepRecord",
    "work",
]
