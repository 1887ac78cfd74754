"""Steps folded into one SELECT, where a database is given a query and not a run: a CTE for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sqlanon.plan.step import Step
from sqlanon.sql import Relation
from sqlanon.sql.header import readable
from sqlanon.sql.templates import Place, as_named


def needed(
    steps: Sequence[Step], wanted: Iterable[Relation], standing: Collection[Relation] = ()
) -> list[Step]:
    """The steps that some relations come of, in their order.

    Args:
        steps: a plan's steps.
        wanted: the relations.
        standing: relations that need not be made, as they are there.
    """
    missing = set(wanted) - set(standing)
    found = []
    for step in reversed(steps):
        if step.output in missing:
            found.append(step)
            missing |= {one for one in step.inputs.values() if isinstance(one, Relation)}
            missing -= {step.output, *standing}
    return found[::-1]


def folded(steps: Iterable[Step], dialect: str = "portable", place: Place = as_named) -> list[str]:
    """Each step as a CTE under its relation's name.

    Args:
        steps: in order.
        dialect: the dialect to write.
        place: by what name each relation is called.
    """
    return [cte(place(one.output), one.sql(dialect, place), one.title) for one in steps]


def cte(name: Relation, select: str, title: str = "") -> str:
    """A SELECT as a CTE, with what it does as a comment."""
    about = "".join(f"-- {line}\n" for line in title.splitlines())
    return f"{about}{name.sql} as (\n{readable(select)}\n)"
