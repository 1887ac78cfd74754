"""Sensitive quasi-identifiers: columns that tell who a record is about and must not be learned.

Sei, Okumura, Takenouchi and Ohsuga (2017), as Gowda (2023), §2.6.6, reviews them. Of such a column
the generalized cell alone is published, never the value. A reader knows the cell, as of every
quasi-identifier. In every class that reader must not learn the value: the models of sensitive
attributes hold on the values of its records, which say at least what the cell does.

Sei et al. change records at random, and reconstruct counts from them. Here no record is changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlanon.clauses.clause import Asking, Clause, Uncertified, Use
from sqlanon.errors import Problem
from sqlanon.privacy.km_anonymity import KM_ANONYMITY
from sqlanon.privacy.l_diversity import DISTINCT_GROUPS_L
from sqlanon.privacy.proximity import PROXIMITY


def protected(spec: Asking) -> dict[str, object]:
    """The demands on the values of the quasi-identifiers that are sensitive, by their names."""
    found = {
        name: quasi_identifier.sensitive
        for name, quasi_identifier in spec.quasi_identifiers.items()
    }
    return {name: value for name, value in found.items() if value is not None}


def _asked(spec: Asking) -> Iterator[str]:
    yield from (f"quasi_identifiers.{name}.sensitive" for name in protected(spec))


def _problems(spec: Asking) -> Iterator[Problem]:
    """Columns of which nothing is asked, or what their hierarchy or order cannot give."""
    from sqlanon.privacy import MODELS

    models = [model for model in MODELS if model.per == "sensitive"]
    for name, value in protected(spec).items():
        where, declared = f"quasi_identifiers.{name}.sensitive", spec.quasi_identifiers[name]
        asked = [each for each in models if each.asked_of(value, spec.privacy) is not None]
        if all(each.asked_of(value, spec.privacy) == each.vacuous for each in asked):
            what = "nothing is asked of its values, so a reader may learn them: ask for "
            yield Problem(where, f"{what}{', '.join(dict.fromkeys(e.field.name for e in models))}")
        if DISTINCT_GROUPS_L in asked:
            what = "groups of values are counted of sensitive columns alone: leave level out"
            yield Problem(f"{where}.l", what)
        if spec.levels.get(name, (0, 1))[1] == 0:
            what = f"level 0 publishes each value, which {where} says nobody may learn: "
            yield Problem(f"levels.{name}", f"{what}take a higher level, or leave one of them out")
        if PROXIMITY in asked:
            what = "the cells hide codes, which are no numbers to be near: leave proximity out"
            yield Problem(f"{where}.proximity", what)
        if KM_ANONYMITY in asked:
            what = "the cells hide codes, which have no members: leave km out"
            yield Problem(f"{where}.km", what)
        distance = getattr(value, "distance", None)
        if distance == "hierarchical" and declared.hierarchy is None:
            what = "it is measured along the column's hierarchy, and it has none: declare one"
            yield Problem(f"{where}.distance", what)
        if distance == "ordered" and declared.nominal:
            what = "nominal says that its numbers are codes, which have no order: say equal"
            yield Problem(f"{where}.distance", what)


_NOT_SHOWN = "a released table shows the cells of the column, not its values, so nobody can "

CLAUSES = (
    Clause(
        "sensitive cells",
        "quasi-identifiers whose values must not be learned either",
        _asked,
        uncertified=Uncertified(
            "quasi_identifiers",
            lambda release: any(
                one.get("sensitive") for one in release.spec["quasi_identifiers"].values()
            ),
            "No certificate is made of cells whose values are held: nobody can measure these "
            "again.",
        ),
        refused={
            Use.CHECK: f"{_NOT_SHOWN}measure it afterwards: the metrics of its run have it; to "
            "measure the other models, take a spec without it",
            Use.CERTIFICATE: f"{_NOT_SHOWN}work it out again: hand out the release without a "
            "certificate, or leave it out",
            Use.QUICK_SWEEP: "a quick sweep reads the frequencies of sensitive columns alone: "
            "sweep without quick",
            Use.LIMITS: "the limits are those of published sensitive columns: leave it out",
            Use.PREDICTION: "the frequencies of values do not show which values a class of such "
            "cells has: a run does",
        },
        excludes={
            "differential privacy": "every published column counts as a quasi-identifier there, "
            "and no model of values is held: leave it out",
            "person": "its values are of records, and person: asks for persons to be counted: "
            "leave one of them out",
            "exact rows": "{publication} shows every record's own quasi-identifiers, and so its "
            "value: say publish: generalized",
            "counts": "{publication} shows counts by the column, and no classes in which its "
            "values could be held: leave it out",
            "series": "its values are held in one release, and not in a series: leave one of them "
            "out",
            "live view": "its values are held by a run, and a view changes with its source: "
            "publish a table",
            "cells of a recipe": "the cells of {recipe!r} are taken over as they are: leave this "
            "out, or the recipe",
            "allotment": "an allotment counts records by their values alone, and a recipe of it "
            "cannot hold this: leave one of them out",
        },
        problems=_problems,
    ),
)
