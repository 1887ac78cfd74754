"""Persons: where several records are about one, k, l and t count persons and not records.

A method forms classes of persons, one record standing for each; every record then follows its
person. The published rows are held against the source and the persons row by row. Steps that know
nothing of the method measure them on all of the persons' values.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from sqlanon.clauses.clause import Asking, Clause, MethodRule, Use, at
from sqlanon.errors import Problem
from sqlanon.privacy.l_diversity import DISTINCT_GROUPS_L
from sqlanon.privacy.model import LEVEL


def _counted_shares(spec: Asking) -> Iterator[str]:
    """Where a model of the shares of values is asked for, and persons are counted."""
    from sqlanon.privacy import MODELS

    shares = [model for model in MODELS if model.per == "sensitive" and model.counted == "shares"]
    for model, own in product(shares, spec.sensitive.values() if spec.person else ()):
        if model.asked_of(own, spec.privacy) not in (None, model.vacuous):
            yield "privacy.l"
            return


def _problems(spec: Any) -> Iterator[Problem]:
    """Groups of values that are to be counted, which the core counts on records."""
    field = DISTINCT_GROUPS_L.field.name
    counted = spec.person and not spec.counts
    for name, own in (spec.sensitive if counted else {}).items():
        if DISTINCT_GROUPS_L.asked_of(own, spec.privacy) is not None:
            where = "privacy" if getattr(own, field, None) is None else f"sensitive.{name}"
            what = "groups are counted on records, and the spec names a person: leave the level out"
            yield Problem(f"{where}.{field}.{LEVEL}", what)


CLAUSES = (
    Clause(
        "person",
        "persons are counted, not records",
        at("person", lambda spec: spec.person),
        refused={
            Use.CHECK: "a released table names no persons, so nobody can count them afterwards: "
            "the metrics of its run have k, l and t, and `sqlanon check RELEASE` shows what else "
            "is checked; to measure records, take a spec without person",
            Use.QUICK_SWEEP: "a quick sweep reads the frequencies alone, which tell nothing of "
            "persons: sweep without quick",
            Use.VERIFY: "persons were counted, and no release names them",
            Use.PREDICTION: "the frequencies of values do not show whose they are: only a run does",
        },
        method=MethodRule(
            lambda method, asked: method.counts_persons or "counts" in asked,
            "{method}: it counts records, and person: asks for persons to be counted: take another "
            "method",
            "method",
        ),
        counts="persons",
        problems=_problems,
    ),
    Clause(
        "l of persons",
        "entropy or recursive l, where persons are counted",
        _counted_shares,
        refused={
            Use.LIMITS: "joined classes may have less entropy or recursive l of persons than each "
            "class, so the limits are not known: ask for distinct l"
        },
        needs={"person": "it is of persons"},
    ),
)
