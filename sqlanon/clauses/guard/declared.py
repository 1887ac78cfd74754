"""Guarding nodes: what a person does not want to be known, no class tells. Xiao and Tao (2006).

Every person may name a node of the hierarchy above the own value. In a class that the person is
in, at most a share p of the records have a value under it: so sure is a reader of the class that
the person's value lies there. That holds among exact values, the person's own record included.

A union of classes that meet it may fail it: one without the person may consist of nothing but
values under the node. And a class that fails may be made of classes that meet it. So a search over
levels passes over nothing, and one that cuts tests both sides of every cut, and the root.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from sqlanon.clauses.clause import Asking, Clause, MethodRule, Use
from sqlanon.common.fields import Declared, Share
from sqlanon.errors import Problem
from sqlanon.privacy.model import CutCondition, PrivacyModel, SpecField, only
from sqlanon.sql.names import exact


class Guard(Declared):
    """Every person's guarding node, and how sure of it a reader may be. Xiao and Tao (2006), §3."""

    column: str = Field(
        min_length=1,
        description="the column of the source with a label of the hierarchy, or NULL for none; "
        "it is not published",
    )
    p: Share = Field(
        description="the greatest share of a class whose values lie under a member's node"
    )


GUARD = PrivacyModel(
    name="guarded_share",
    title="personalized privacy",
    field=SpecField("guard", "Guard", "`{column: …, p: …}`: a column of labels, and a share"),
    per="guard",
    threshold=Guard,
    example="{column: asks, p: 1/2}",
    measured="clauses/guard/guarded_share",
    reads=("classes", "class_values", "positions"),
    bound=lambda guard: guard.p,
    shown=lambda guard: exact(guard.p),
    cut=CutCondition("clauses/guard/guarded"),
    column="column",
    fits=only("text", needs="text, as labels of the hierarchy are text"),
    formula="r_g / N ≤ p for every node g that a member names, r_g records having a value under g",
    value="the greatest r_g / N; 0 where no member names a node",
    paper="Xiao and Tao (2006), §3",
    says="in every class at most this share of the records have a value under the node that a "
    "member guards",
)


def guard_columns(spec: Asking) -> dict[str, str]:
    """The column of the labels that persons guard, by sensitive attribute."""
    found = {name: GUARD.asked(attribute) for name, attribute in spec.sensitive.items()}
    return {name: guard.column for name, guard in found.items() if guard is not None}


def _asked(spec: Asking) -> Iterator[str]:
    yield from (f"sensitive.{name}.guard" for name in guard_columns(spec))


def _problems(spec: Asking) -> Iterator[Problem]:
    """Guards of attributes that have no hierarchy."""
    for name in guard_columns(spec):
        if spec.sensitive[name].hierarchy is None:
            what = (
                "a guard names a node of the attribute's hierarchy, and it has none: declare "
                "distance: hierarchical and a hierarchy"
            )
            yield Problem(f"sensitive.{name}.guard", what)


_GUARDED = Clause(
    "guard",
    "nodes of a hierarchy that persons guard",
    _asked,
    refused={
        Use.DBT: "dbt models cannot look for classes to join: name the level of every column "
        "(method: optimal with levels), or use `sqlanon run`",
        Use.CHECK: "a released table does not show what its persons guard, so nobody can "
        "measure it afterwards: the metrics of its run have it; to measure the other models, "
        "take a spec without guard",
        Use.QUICK_SWEEP: "a quick sweep reads the frequencies alone, which tell nothing of who "
        "guards what: sweep without quick",
        Use.LIMITS: "one class of all does not show whether guarded nodes can be held: leave "
        "guard out",
        Use.VERIFY: "it is of what persons guard, which no release shows",
        Use.PREDICTION: "the frequencies of values do not show who guards what: a run does",
    },
    at_levels=(Use.DBT,),
    excludes={
        "strata": "classes that tell what persons guard are joined across strata: leave one of "
        "them out",
        "differential privacy": "every published column counts as a quasi-identifier there, and "
        "this is of another: leave it out",
        "person": "a guard is of a record, and person: asks for persons to be counted: leave "
        "one of them out",
        "exact rows": "{publication} ties records to groups of values, and a guard is held in "
        "classes of generalized cells: say publish: generalized",
        "cells of a recipe": "the cells of {recipe!r} are taken over as they are: leave this out, "
        "or the recipe",
        "allotment": "an allotment does not say which of two records with the same values, whose "
        "persons guard other nodes, went to which class: leave one of them out",
    },
    method=MethodRule(
        lambda method, _: not method.by_order,
        "{method} needs an order of the values, and a guarded node is one of a hierarchy: take "
        "another method",
    ),
    measured="guard",
    models=(GUARD,),
    problems=_problems,
)

CLAUSES = (_GUARDED,)
