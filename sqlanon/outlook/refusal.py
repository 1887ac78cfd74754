"""Why a release was refused, and which demands no release of the source could reach."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.clauses.clause import Use
from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.judge.gate import UNPUBLISHED
from sqlanon.kept.words import MODEL_OF
from sqlanon.outlook.dry_run import dry_run
from sqlanon.outlook.reachable import Limit, at_best
from sqlanon.planning.prepare import Prepared
from sqlanon.spec.refusals import refusals


def refusal(prepared: Prepared, engine: Engine, error: InfeasibleError) -> InfeasibleError:
    """The refusal of a release; where all records in one class violate a model, it says so.

    No k helps then, for no class has more values, or values better mixed, than the table. Where
    that is not known, the refusal is as it was.

    Args:
        prepared: the plan that was refused.
        engine: where the source lies.
        error: the refusal.

    Raises:
        EngineError: if the database fails.
    """
    violated = {
        (MODEL_OF[one.model].title, one.attribute)
        for one in error.shortfalls
        if one.attribute is not None and one.model in MODEL_OF
    }
    if not violated or any(refusals(prepared.spec, Use.LIMITS)):
        return error
    try:
        with dry_run(prepared, engine) as dry:
            limits = at_best(dry).limits
    except SpecError:  # what follows other releases is not tried alone
        return error
    hopeless = [
        one for one in limits if not one.possible and (one.title, one.attribute) in violated
    ]
    if not hopeless:
        return error
    told = f"{UNPUBLISHED}{_cannot(hopeless)}"
    return InfeasibleError(f"{told}; relax what is violated:", error.shortfalls)


def _cannot(limits: Sequence[Limit]) -> str:
    """The demands that no k helps."""
    found = [
        f"{one.title} of {one.attribute} asks for {one.asked}, and all records in one class reach "
        f"{0 if one.best is None else one.best:.6g}"
        for one in limits
    ]
    return f"no k helps: {'; '.join(found)}"
