"""The decisions that a drafted spec needs before it runs: found out by a run's first checks."""

from __future__ import annotations

from pathlib import Path

import yaml

from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.outlook.dry_run import dry_run
from sqlanon.plan import Plan, Search
from sqlanon.planning.prepare import prepare
from sqlanon.spec import parse_spec


def undecided(text: str, folder: Path, engine: Engine) -> str:
    """Why a run of a drafted spec would be refused, on one line; empty where it would not be.

    The run is begun, up to the search for classes, and undone. A draft asks for what all records in
    one class meet, so its search ends with a release.

    Args:
        text: the spec in YAML.
        folder: where it will lie; its paths count from there.
        engine: where its source is read.

    Raises:
        EngineError: if the database fails.
    """
    try:
        prepared = prepare(parse_spec(yaml.safe_load(text), folder), engine)
        steps = prepared.plan.steps
        first = next(place for place, step in enumerate(steps) if isinstance(step, Search))
        with dry_run(prepared, engine) as dry:
            dry.session.run(Plan(steps[:first]))
    except SpecError as error:
        return "; ".join(str(problem) for problem in error.problems)
    except InfeasibleError as error:
        return " ".join(str(error).split())
    return ""
