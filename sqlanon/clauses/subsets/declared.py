"""A greater k for a reader who knows some of the quasi-identifiers only.

Hardly any reader knows all of them. Of some, more records are to share what is shown: every tuple
of the published cells of these columns is that of at least so many.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pydantic import Field

from sqlanon.clauses.clause import Asking, Clause, MethodRule, Option, Projection, Use, at
from sqlanon.common.fields import Declared, Names, Whole
from sqlanon.common.separated import names_in
from sqlanon.errors import Problem, SpecError, nearest

WHERE = "privacy.subsets"


class Subset(Declared):
    """How many records are alike to a reader who knows some of the quasi-identifiers only."""

    columns: Names = Field(min_length=1, description="the quasi-identifiers that are known")
    k: Whole = Field(
        ge=1,
        description="how many records, or persons, share each published tuple of them at least; "
        "more than privacy.k",
    )


def _projections(spec: Asking) -> Iterator[Projection]:
    for index, subset in enumerate(spec.privacy.subsets):
        yield Projection(f"{WHERE}.{index}", subset.columns, subset.k)


def _problems(spec: Asking) -> Iterator[Problem]:
    """Columns that cannot be shown alike or are named twice, and releases that have no tuples."""
    roles = {column: role.replace("_", " ") for role, column in spec.roles()}
    known, forms = {*spec.quasi_identifiers}, spec.uncovering
    leaders = {
        name: quasi_identifier.follows or name
        for name, quasi_identifier in spec.quasi_identifiers.items()
    }
    seen: dict[frozenset[str], int] = {}
    named: dict[str, int] = {}
    for index, projection in enumerate(_projections(spec)):
        where = f"{projection.where}.columns"
        for column, times in Counter(projection.columns).items():
            if column not in known:
                what = f"{column!r} is no quasi-identifier"
                if column in roles:
                    what += f": the spec has it in {roles[column]}"
                yield Problem(where, f"{what}; {nearest(column, known)}")
            elif times > 1:
                yield Problem(where, f"it names {column!r} twice")
        # A follower is alike where its leader is, and other columns stand for themselves.
        own_last = sorted(projection.columns, key=lambda column: leaders.get(column) == column)
        alike = {leaders.get(column, column): column for column in own_last}
        for column in sorted(forms.keys() & alike.keys()):
            what = f"{column!r} is published as the {forms[column]} of its class, which tells "
            what += "classes apart that are to show the same: take another form, or leave it out"
            yield Problem(where, what)
        for column in spec.stratified:
            if column in alike:
                led = alike[column]
                it, who = ("it", "") if led == column else (repr(led), f", which {led!r} follows,")
                what = f"{column!r}{who} would show values of several strata: leave {it} out here"
                yield Problem(where, f"{what}, or levels.{column}")
        if known == {*projection.columns}:
            yield Problem(where, "these are all quasi-identifiers: their k is privacy.k")
        first = seen.setdefault(frozenset(projection.columns), index)
        shown = named.setdefault("_".join(projection.columns).lower(), index)
        if first != index:
            what = f"{WHERE}.{first} has the same columns: ask once, for the greater k"
            yield Problem(where, what)
        elif shown != index:
            what = f"a report would call them like those of {WHERE}.{shown}: name them in"
            yield Problem(where, f"{what} another order")


def _idle(spec: Asking) -> Iterator[Problem]:
    """A k that every release has anyway: records alike in all columns are alike in some of them."""
    k = spec.privacy.k
    for projection in _projections(spec):
        if projection.k <= k:
            what = f"it is no more than privacy.k, {k}, which holds for some of the "
            what += "quasi-identifiers as for all: ask for more, or leave it out"
            yield Problem(f"{projection.where}.k", what)


def _read(given: str) -> dict[str, Any]:
    """A subset as an option asks for it: columns and a whole number."""
    columns, colon, k = given.rpartition(":")
    try:
        names = names_in(columns)
    except ValueError:
        names = []
    if not colon or not re.fullmatch(r"\s*\d{1,18}\s*", k) or not names:
        raise SpecError(f"--subset: {given!r} is not columns and a k, such as age,zip:20")
    return {"columns": names, "k": int(k)}


CLAUSES = (
    Clause(
        "subsets",
        "a greater k for some of the quasi-identifiers",
        at(WHERE, lambda spec: spec.privacy.subsets),
        refused={
            Use.DBT: "dbt models cannot look for coarser cells: name the level of every column "
            "(method: optimal with levels), or use `sqlanon run`"
        },
        at_levels=(Use.DBT,),
        excludes={
            "differential privacy": "cells that are coarsened for this tell of the data: leave it "
            "out",
            "exact rows": "{publication} publishes every record's own quasi-identifiers, whichever "
            "of them somebody knows: leave it out, or say publish: generalized",
        },
        unless_found={
            "cells of a recipe": "the cells of {recipe!r} are taken over as they are: name a "
            "release with an allotment, or leave this or the recipe out"
        },
        method=MethodRule(
            lambda method, _: method.tests_projections,
            "{method} tests what is asked of all quasi-identifiers together, and not of some: "
            "leave it out, or take another method, such as optimal",
        ),
        fields={
            "privacy": {
                "subsets": (
                    tuple[Subset, ...],
                    Field(
                        default=(),
                        description="a greater k against a reader who knows some of the "
                        "quasi-identifiers only",
                    ),
                )
            }
        },
        mappings={
            "Subset": "it must be a mapping such as {columns: [age, zip], k: 20}",
            "subsets": "it must be a list such as [{columns: [age, zip], k: 20}]",
        },
        options={
            "subsets": Option(
                "--subset",
                "A,B:K",
                "A greater k of some quasi-identifiers: K records share each tuple of A and B.",
                _read,
            )
        },
        projections=_projections,
        problems=_problems,
        idle=_idle,
    ),
)
