"""Publish a table so that no person in it can be picked out, and prove it, in the database."""

import sqlanon._start  # noqa: F401 - before all that takes time

# isort: split
from sqlanon._version import __version__
from sqlanon.api import anonymize, compile, measure, plan, predict, sweep, verify  # noqa: A004
from sqlanon.errors import (
    EngineError,
    InfeasibleError,
    InterruptedRunError,
    Problem,
    Shortfall,
    SpecError,
    SqlanonError,
)
from sqlanon.release import Measurements, Prepared, Release, Sweep, Trial
from sqlanon.session import Event
from sqlanon.spec import Spec, load_spec, parse_spec, spec_schema

__all__ = [
    "EngineError",
    "Event",
    "InfeasibleError",
    "InterruptedRunError",
    "Measurements",
    "Prepared",
    "Problem",
    "Release",
    "Shortfall",
    "Spec",
    "SpecError",
    "SqlanonError",
    "Sweep",
    "Trial",
    "__version__",
    "anonymize",
    "compile",
    "load_spec",
    "measure",
    "parse_spec",
    "plan",
    "predict",
    "spec_schema",
    "sweep",
    "verify",
]
