"""A database to work in, and the functions that open one for a single call."""

from sqlanon.api.database import Database, open  # noqa: A004
from sqlanon.api.functions import (
    anonymize,
    attack,
    check,
    compare,
    compile,  # noqa: A004
    hierarchy,
    nodes,
    plan,
    predict,
    profile,
    report,
    risk,
    sweep,
    utility,
    verify,
    why,
)

__all__ = [
    "Database",
    "anonymize",
    "attack",
    "check",
    "compare",
    "compile",
    "hierarchy",
    "nodes",
    "open",
    "plan",
    "predict",
    "profile",
    "report",
    "risk",
    "sweep",
    "utility",
    "verify",
    "why",
]
