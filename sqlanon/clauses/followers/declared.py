"""Followers: columns that are generalized with another one, and that no class forms by.

sdcMicro calls them ghost variables (Templ, Kowarik and Meindl 2015). The cell of a follower shows
what all records have in common whose cell of the leader is the same, in whichever class they are.
So records that show the same of all leaders show the same of their followers, and followers split
no class.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlanon.clauses.clause import Asking, Clause
from sqlanon.errors import Problem, nearest


def followers(spec: Asking) -> dict[str, str]:
    """The leader of every quasi-identifier that follows one, by its name."""
    found = {
        name: quasi_identifier.follows for name, quasi_identifier in spec.quasi_identifiers.items()
    }
    return {name: value for name, value in found.items() if value is not None}


def _asked(spec: Asking) -> Iterator[str]:
    yield from (f"quasi_identifiers.{name}.follows" for name in followers(spec))


def _problems(spec: Asking) -> Iterator[Problem]:
    """Leaders that do not exist, and settings that a column has only where classes form by it."""
    for name, leader in followers(spec).items():
        where = f"quasi_identifiers.{name}"
        if leader not in spec.leading:
            what = f"{leader!r} follows another itself: name that one"
            if leader not in spec.quasi_identifiers:
                what = f"{leader!r} is no quasi-identifier; {nearest(leader, spec.leading)}"
            elif leader == name:
                what = f"a column follows another; {nearest(leader, spec.leading)}"
            yield Problem(f"{where}.follows", what)
        if name in spec.levels:
            what = f"it has no level of its own, since it follows {leader!r}: leave it out"
            yield Problem(f"levels.{name}", what)
        allowance = spec.allowance
        if allowance is not None and allowance.within == name:
            what = f"{name!r} follows {leader!r}, and groups are of a column that follows none: "
            what += f"name {leader!r}, or leave within out"
            yield Problem(f"{allowance.where}.within", what)


_ITS_CELLS = "what a follower shows depends on all records of a cell, and "

CLAUSES = (
    Clause(
        "followers",
        "columns whose cells follow those of another",
        _asked,
        excludes={
            "differential privacy": f"{_ITS_CELLS}so it tells of the data: leave follows out",
            "exact rows": "{publication} shows every record's own quasi-identifiers, which follow "
            "none: leave follows out, or say publish: generalized",
            "counts": "{publication} shows no cells that could follow others: leave follows out",
            "series": "classes are compared with those of earlier releases by every column, and "
            "none form by a follower: leave one of them out",
            "live view": f"{_ITS_CELLS}a row of a view follows from one record: publish a table",
        },
        unless_found={
            "cells of a recipe": "the cells of {recipe!r} are taken over as they are: name a "
            "release with an allotment, or leave follows or the recipe out"
        },
        problems=_problems,
    ),
)
