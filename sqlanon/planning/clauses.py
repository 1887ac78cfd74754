"""The stages of the clauses that a spec asks for, in their order."""

from __future__ import annotations

from sqlanon.clauses import declared, stages
from sqlanon.draft import Stages
from sqlanon.spec import Spec


def stages_of(spec: Spec) -> list[Stages]:
    """What the clauses of a spec do to its plan; the code of no other is loaded."""
    return [stages(name) for name, one in declared().items() if any(one.asked(spec))]
