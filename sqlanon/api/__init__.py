"""The public functions: what the command line can do, a Python program can do as well."""

from sqlanon.api.comparing import attack, report, utility
from sqlanon.api.drafting import hierarchy
from sqlanon.api.measuring import check, profile, risk, verify
from sqlanon.api.releasing import (
    anonymize,
    compile,  # noqa: A004
    plan,
    predict,
    sweep,
    why,
)

__all__ = [
    "anonymize",
    "attack",
    "check",
    "compile",
    "hierarchy",
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
