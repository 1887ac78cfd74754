"""Suppression: records are left out, rather than all others coarsened.

A spec says how many may be. The core counts what is left out, and refuses more than that; a method
decides which records go, because of which model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field

from sqlanon.clauses import clauses
from sqlanon.clauses.clause import Allowance, Asking, Clause, MethodRule, Use, at
from sqlanon.common.fields import Declared, Share
from sqlanon.errors import Problem, nearest

_WITHIN = "suppression.within"


class Suppression(Declared):
    """How much may be left out of a release, rather than coarsening what is in it."""

    records: Share = Field(
        description="the greatest share of the records that may be left out; where persons are "
        "counted, of the persons, too"
    )
    within: str | None = Field(
        default=None,
        min_length=1,
        description="a quasi-identifier: of the records with each of its values at most that share "
        "may be left out",
    )


def _allowance(spec: Any) -> Allowance | None:
    asked = spec.suppression
    return None if asked is None else Allowance("suppression", asked.records, asked.within)


def _limited(spec: Asking) -> str | None:
    return None if spec.allowance is None else spec.allowance.within


def _problems(spec: Asking) -> Iterator[Problem]:
    """A limit of what is left out in the groups of a column that is no quasi-identifier."""
    named = _limited(spec)
    if named is not None and named not in spec.quasi_identifiers:
        what = f"{named!r} is no quasi-identifier; {nearest(named, spec.quasi_identifiers)}"
        yield Problem(_WITHIN, what)


CLAUSES = (
    Clause(
        "suppression",
        "records may be left out",
        at("suppression", lambda spec: spec.allowance),
        refused={Use.VERIFY: "its reference is the source, of which records were left out"},
        excludes={
            "exact rows": "{publication} publishes every record: leave it out, or say publish: "
            "generalized"
        },
        method=MethodRule(
            lambda method, asked: (
                method.suppresses
                or method.leaves_outliers
                or "person" in asked
                or (method.clusters and "clusters" in asked)
                or (method.strata and "strata" in asked)
                or bool(asked & {clause.name for clause in clauses() if clause.forms})
            ),
            "{method} releases every record: leave it out, or take {suppressing}",
        ),
        fields={
            "spec": {
                "suppression": (
                    Suppression | None,
                    Field(
                        default=None,
                        description="how many records may be left out; none by default",
                    ),
                )
            }
        },
        mappings={"Suppression": "it must be a mapping such as {records: 0.01}"},
        by_value=True,
        allowance=_allowance,
        how="suppression: {records: 0.05}",
    ),
    Clause(
        "limit in groups",
        "the limit of what is left out holds in every group of a column",
        at(_WITHIN, _limited),
        excludes={
            "cells of a recipe": "the run leaves out records that lie in no cell of {recipe!r}, of "
            "all groups alike: leave within out"
        },
        needs={"suppression": "it is a part of suppression"},
        method=MethodRule(
            lambda method, asked: method.leaves_outliers or "person" in asked,
            "{method} leaves out classes, of all groups alike: leave within out, or take a method "
            "that leaves out outliers: {leaving}",
        ),
        problems=_problems,
    ),
)
