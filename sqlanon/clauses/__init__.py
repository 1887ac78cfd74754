"""The clauses that have a folder: each declares itself, and says what it does to a plan.

A folder has two halves. ``declared`` has a `CLAUSE`: its fields, models, problems and refusals,
which the spec is made of. ``stages`` has `STAGES`: what it does to a draft, which is loaded when a
spec asks for it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from sqlanon.clauses.clause import Clause

# Their folders, in order: the one list of them.
FOLDERS = ("guard",)


@cache
def declared() -> dict[str, Clause]:
    """The clause that every folder declares, by the name of the folder."""
    return {name: import_module(f"sqlanon.clauses.{name}.declared").CLAUSE for name in FOLDERS}


@cache
def stages(name: str) -> Any:
    """The `Stages` of a clause, by the name of its folder."""
    return import_module(f"sqlanon.clauses.{name}.stages").STAGES
