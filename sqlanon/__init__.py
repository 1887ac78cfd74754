"""Publish a table so that no person in it can be picked out, and prove it, in the database."""

import sqlanon._start  # noqa: F401 - before all that takes time

# isort: split
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sqlanon._version import __version__
from sqlanon.common.registry import opened_by

if TYPE_CHECKING:
    from sqlanon.api import Database as Database
    from sqlanon.api import (
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
    from sqlanon.errors import (
        EngineError,
        InfeasibleError,
        InterruptedRunError,
        SpecError,
        SqlanonError,
    )
    from sqlanon.errors import Problem as Problem
    from sqlanon.errors import Shortfall as Shortfall
    from sqlanon.judge.check_result import CheckResult as CheckResult
    from sqlanon.planning.prepare import Prepared as Prepared
    from sqlanon.planning.trials import Trial as Trial
    from sqlanon.session import Event as Event
    from sqlanon.spec import Spec as Spec
    from sqlanon.spec import load_spec, parse_spec
    from sqlanon.spec import spec_schema as schema
    from sqlanon.uses.attacks.findings import Attacked as Attacked
    from sqlanon.uses.certificates.verify import Verified as Verified
    from sqlanon.uses.comparison.comparison import Comparison as Comparison
    from sqlanon.uses.outlook.reachable import Reachable as Reachable
    from sqlanon.uses.profile.hierarchies import Suggested as Suggested
    from sqlanon.uses.profile.profile import Profile as Profile
    from sqlanon.uses.profile.risk import Risks as Risks
    from sqlanon.uses.release.release import Release as Release
    from sqlanon.uses.reports.nodes import Nodes as Nodes
    from sqlanon.uses.sweeps.sweep import Sweep as Sweep
    from sqlanon.uses.utilities.useful import Utility as Utility

# The names that people use: functions, and the errors that they catch.
__all__ = [
    "EngineError",
    "InfeasibleError",
    "InterruptedRunError",
    "SpecError",
    "SqlanonError",
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
# The module that each name is imported from when it is first used: what people call, and below it
# the classes of what they are given, for annotations.
_HOMES = {
    "anonymize": "sqlanon.api",
    "attack": "sqlanon.api",
    "check": "sqlanon.api",
    "compare": "sqlanon.api",
    "compile": "sqlanon.api",
    "hierarchy": "sqlanon.api",
    "nodes": "sqlanon.api",
    "open": "sqlanon.api",
    "plan": "sqlanon.api",
    "predict": "sqlanon.api",
    "profile": "sqlanon.api",
    "report": "sqlanon.api",
    "risk": "sqlanon.api",
    "sweep": "sqlanon.api",
    "utility": "sqlanon.api",
    "verify": "sqlanon.api",
    "why": "sqlanon.api",
    "EngineError": "sqlanon.errors",
    "InfeasibleError": "sqlanon.errors",
    "InterruptedRunError": "sqlanon.errors",
    "SpecError": "sqlanon.errors",
    "SqlanonError": "sqlanon.errors",
    "load_spec": "sqlanon.spec",
    "parse_spec": "sqlanon.spec",
    "schema": "sqlanon.spec",
    "Attacked": "sqlanon.uses.attacks.findings",
    "CheckResult": "sqlanon.judge.check_result",
    "Comparison": "sqlanon.uses.comparison.comparison",
    "Database": "sqlanon.api",
    "Event": "sqlanon.session",
    "Prepared": "sqlanon.planning.prepare",
    "Problem": "sqlanon.errors",
    "Profile": "sqlanon.uses.profile.profile",
    "Reachable": "sqlanon.uses.outlook.reachable",
    "Nodes": "sqlanon.uses.reports.nodes",
    "Release": "sqlanon.uses.release.release",
    "Risks": "sqlanon.uses.profile.risk",
    "Shortfall": "sqlanon.errors",
    "Spec": "sqlanon.spec",
    "Suggested": "sqlanon.uses.profile.hierarchies",
    "Sweep": "sqlanon.uses.sweeps.sweep",
    "Trial": "sqlanon.planning.trials",
    "Utility": "sqlanon.uses.utilities.useful",
    "Verified": "sqlanon.uses.certificates.verify",
}
_NAMED_OTHERWISE = {"schema": "spec_schema"}


if not TYPE_CHECKING:  # or a type checker would take any name for public

    def __getattr__(name: str) -> Any:
        """A public name, whose module is imported now: nobody waits for what they do not use."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(_HOMES[name]), _NAMED_OTHERWISE.get(name, name))
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    """The names that a program uses, without the package's own modules."""
    return sorted(__all__)


class _Package(ModuleType):
    """The package, in which `plan` and `profile` are functions, and never the rooms of that name.

    Python sets a module as an attribute of its package when it is imported; a name that is found
    there is not asked of ``__getattr__`` any more.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


def _open_registries() -> None:
    import_module("sqlanon.registries").open_registries()


sys.modules[__name__].__class__ = _Package
opened_by(_open_registries)
