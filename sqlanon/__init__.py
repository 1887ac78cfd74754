"""Publish a table so that no person in it can be picked out, and prove it, in the database."""

import sqlanon._start  # noqa: F401 - before all that takes time

# isort: split
from sqlanon._version import __version__
from sqlanon.api import (
    Database,
    anonymize,
    attack,
    check,
    compare,
    compile,  # noqa: A004
    hierarchy,
    nodes,
    open,  # noqa: A004
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
from sqlanon.attacks.findings import Attacked
from sqlanon.comparison import Comparison
from sqlanon.errors import (
    EngineError,
    InfeasibleError,
    InterruptedRunError,
    Problem,
    Shortfall,
    SpecError,
    SqlanonError,
)
from sqlanon.judge.check_result import CheckResult
from sqlanon.outlook.reachable import Reachable
from sqlanon.planning.prepare import Prepared
from sqlanon.planning.trials import Trial
from sqlanon.profile import Profile, Risks, Suggested
from sqlanon.registries import open_registries
from sqlanon.release.run import Release
from sqlanon.reports.nodes import Nodes
from sqlanon.session import Event
from sqlanon.spec import Spec, load_spec, parse_spec
from sqlanon.spec import spec_schema as schema
from sqlanon.sweeps.sweep import Sweep
from sqlanon.utilities.useful import Utility

open_registries()

__all__ = [
    "Attacked",
    "CheckResult",
    "Comparison",
    "Database",
    "EngineError",
    "Event",
    "InfeasibleError",
    "InterruptedRunError",
    "Nodes",
    "Prepared",
    "Problem",
    "Profile",
    "Reachable",
    "Release",
    "Risks",
    "Shortfall",
    "Spec",
    "SpecError",
    "SqlanonError",
    "Suggested",
    "Sweep",
    "Trial",
    "Utility",
    "__version__",
    "anonymize",
    "attack",
    "check",
    "compare",
    "compile",
    "hierarchy",
    "load_spec",
    "nodes",
    "open",
    "parse_spec",
    "plan",
    "predict",
    "profile",
    "report",
    "risk",
    "schema",
    "sweep",
    "utility",
    "verify",
    "why",
]


def __dir__() -> list[str]:
    """What a program calls, and no module of the package's own."""
    return sorted(__all__)
