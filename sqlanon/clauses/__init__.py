"""The clauses that have a folder: each declares itself, and says what it does to a plan.

A folder has two halves. ``declared`` has its `CLAUSES`, the one that the folder is called by
first: their fields, models, problems and refusals, which the spec is made of. ``stages`` has
`STAGES`: what they do to a draft, which is loaded when a spec asks for one of them. Where one of
them publishes classes in a way of its own, ``publication`` has its `PUBLISHER`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from sqlanon.clauses.clause import Allowance, Asking, Clause

# Their folders, in order: the one list of them.
FOLDERS = (
    "transform",
    "background",
    "guard",
    "population",
    "sensitive_cells",
    "subsets",
    "followers",
    "slices",
    "series",
    "recipe",
    "person",
    "suppression",
)


@cache
def declared() -> dict[str, tuple[Clause, ...]]:
    """The clauses that every folder declares, by the name of the folder."""
    return {name: import_module(f"sqlanon.clauses.{name}.declared").CLAUSES for name in FOLDERS}


@cache
def clauses() -> tuple[Clause, ...]:
    """The clauses of all folders, in order."""
    return tuple(clause for own in declared().values() for clause in own)


def fields(part: str) -> dict[str, tuple[Any, Any]]:
    """The fields that the clauses have in a part of a spec, as pydantic reads them.

    Args:
        part: ``spec``, ``sensitive`` or ``privacy``.
    """
    return {name: field for each in clauses() for name, field in each.fields.get(part, {}).items()}


def defaults(part: str, kept: bool = False) -> dict[str, Any]:
    """The fields that the clauses have in a part of a spec, as they are where none is asked for.

    Args:
        part: ``spec``, ``sensitive`` or ``privacy``.
        kept: of those clauses alone that keep relations for the publisher.
    """
    found = (clause for clause in clauses() if clause.keeps or not kept)
    asked = (pair for clause in found for pair in clause.fields.get(part, {}).items())
    return {name: field.default for name, (_, field) in asked}


@cache
def following() -> tuple[Clause, ...]:
    """The clauses by which releases follow others, each called like its field of a spec."""
    return tuple(clause for clause in clauses() if clause.after is not None)


def counted(declared: Mapping[str, Any]) -> tuple[str, Sequence[str]]:
    """The word for what a class counts, records or others, and the columns that name one of those.

    Args:
        declared: the fields of a spec, as they are read.
    """
    found = ((clause.counts, declared.get(clause.name)) for clause in clauses() if clause.counts)
    return next(((word, by) for word, by in found if by), ("records", ()))


def allowance(spec: Asking) -> Allowance | None:
    """The records that a spec allows a release to leave out; None where all are released."""
    return next(
        (clause.allowance(spec) for clause in clauses() if clause.allowance is not None), None
    )


@cache
def leaving_out() -> Clause:
    """The clause by which a spec allows records to be left out, called like its field there."""
    return next(clause for clause in clauses() if clause.allowance is not None)


def allowing() -> str:
    """The words by which a spec allows records to be left out, for messages."""
    return leaving_out().how


def share_left_out(declared: Mapping[str, Any]) -> Any:
    """The share of the records that a spec allows to be left out, as it is declared, if it does."""
    return (declared.get(leaving_out().name) or {}).get("records")


@cache
def counting_others() -> Clause:
    """The clause by which a class counts others than records, called like its field of a spec."""
    return next(clause for clause in clauses() if clause.counts)


def counting(word: str) -> Clause | None:
    """The clause by which a class counts others than records, by the word for several of them."""
    return next((clause for clause in clauses() if clause.counts == word), None)


@cache
def stages(name: str) -> Any:
    """The `Stages` of a folder's clauses, by its name."""
    return import_module(f"sqlanon.clauses.{name}.stages").STAGES


def publishers() -> list[Any]:
    """The `Publisher` of each folder that has one."""
    folders = [name for name, own in declared().items() if any(clause.publishes for clause in own)]
    return [import_module(f"sqlanon.clauses.{name}.publication").PUBLISHER for name in folders]
