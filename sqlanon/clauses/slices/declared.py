"""The slices of a spec: which attributes stay together where others are shuffled."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlanon.clauses.clause import Clause, Uncertified, Use, at
from sqlanon.errors import Problem, nearest

_NONE = "{publication} has no slices: leave it out, or say name: {mixing}"


def named_slices(slices: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The settings of a publication whose slices were found, as one that names them."""
    return {"columns": slices, "widest": None, "sensitive": None}


def _settled(declared: dict[str, Any], facts: Mapping[str, str]) -> dict[str, Any]:
    """The spec of a release with the slices that its run found, if it did."""
    if "slices" not in facts:
        return declared
    found = named_slices(json.loads(facts["slices"]))
    return {**declared, "publish": {**declared["publish"], **found}}


def _problems(spec: Any) -> Iterator[Problem]:
    """Slices that leave a column out, name it twice or tell too little apart."""
    name, where, slices = spec.publication, "publish.columns", spec.slices
    if not spec.mixes_records:
        return
    if spec.suppresses_cells is not None and len(spec.quasi_identifiers) < 2:
        what = "records are alike in two quasi-identifiers at least, and one is declared"
        yield Problem("publish.suppress", f"{what}: leave it out, or declare another")
    yield from _level_problems(spec)
    named = [column for each in slices for column in each]
    declared = [*spec.quasi_identifiers, *spec.sensitive]
    if len(slices) < 2 or not all(slices):
        what = f"{name} needs two slices at least, each with an attribute, such as"
        alone = [[quasi_identifier] for quasi_identifier in spec.quasi_identifiers]
        example = [*alone, list(spec.sensitive)] if spec.sensitive else alone
        shown = ", ".join(f"[{', '.join(names)}]" for names in example)
        yield Problem(where, f"{what} [{shown}]")
        return
    for column in dict.fromkeys(named):
        if column not in declared:
            what = "is neither a quasi-identifier nor sensitive"
            yield Problem(where, f"{column!r} {what}; {nearest(column, declared)}")
        elif named.count(column) > 1:
            yield Problem(where, f"{column!r} is named twice, and stays together with one slice")
    for column in declared:
        if column not in named:
            yield Problem(where, f"{column!r} is in no slice: name it in one")
    of_values = [each for each in slices if not spec.sensitive.keys().isdisjoint(each)]
    mixed = any(not spec.quasi_identifiers.keys().isdisjoint(each) for each in of_values)
    if len(of_values) > 1 and mixed:
        what = "must be in one slice, or in slices without quasi-identifiers"
        yield Problem(where, f"all sensitive attributes {what}")


def _level_problems(spec: Any) -> Iterator[Problem]:
    """Levels of columns that have none, or are never suppressed, or no coarser ones."""
    declared = spec.quasi_identifiers
    for where, levels in (("levels", spec.coarse), ("suppress.levels", spec.masked)):
        for name in levels:
            at = f"publish.{where}.{name}"
            if name not in declared:
                yield Problem(at, f"it is no quasi-identifier; {nearest(name, declared)}")
            elif declared[name].hierarchy is None:
                what = "the column has no hierarchy, and so no level above 0: give it one, or say 0"
                yield Problem(at, what)
    for name, level in spec.masked.items():
        at, shown = f"publish.suppress.levels.{name}", spec.coarse.get(name, 0)
        if name in list(declared)[: min(2, len(declared) - 1)]:
            what = "it is never suppressed, as one of the first: leave it out, or declare it later"
            yield Problem(at, what)
        elif level <= shown:
            yield Problem(at, f"it is shown at level {shown} of every record: say a higher one")


CLAUSES = (
    Clause(
        "slices",
        "exact rows that also hide which of their values are of one record",
        at("publish", lambda spec: spec.mixes_records),
        refused={
            Use.CERTIFICATE: "no certificate is made of a release that is {publication}: check it "
            "by its spec"
        },
        needs={"exact rows": "slices are of exact rows"},
        publishes=True,
        uncertified=Uncertified(
            "publish",
            lambda release: release.rule.mixes,
            "No certificate is made of slices: sqlanon check holds them against the source.",
        ),
        problems=_problems,
    ),
    Clause(
        "publish.columns",
        "slices by their columns",
        at(
            "publish.columns",
            lambda spec: spec.publish and spec.publish.columns and not spec.counts,
        ),
        needs={"slices": _NONE},
    ),
    Clause(
        "publish.widest",
        "slices that a run finds",
        at("publish.widest", lambda spec: spec.publish and spec.publish.widest is not None),
        refused={
            Use.DBT: "a run finds the slices, and dbt models are fixed beforehand: name them by "
            "columns",
            Use.CHECK: "the release alone does not show which slices its run found: name them as "
            "columns (the item slices of its __run relation)",
        },
        excludes={
            "publish.columns": "columns names the slices, and widest lets the run find them: say "
            "one of the two"
        },
        needs={"slices": _NONE},
        settles="Shown for a slice for each quasi-identifier. Before, the contingency of every two "
        "attributes is measured; those that have most to do with each other are then kept "
        "together.",
        settled=_settled,
    ),
    Clause(
        "publish.sensitive",
        "sensitive attributes with quasi-identifiers in slices that a run finds",
        at("publish.sensitive", lambda spec: spec.publish and spec.publish.sensitive is not None),
        needs={
            "publish.widest": "columns says what stays together with sensitive attributes: leave "
            "it out, or let the run find the slices (widest)"
        },
    ),
    Clause(
        "publish.levels",
        "slices show levels of hierarchies",
        lambda spec: (f"publish.levels.{name}" for name in spec.coarse),
        needs={"slices": _NONE},
    ),
    Clause(
        "publish.suppress",
        "cells of slices are suppressed",
        at("publish.suppress", lambda spec: spec.suppresses_cells is not None),
        needs={"slices": _NONE},
    ),
)
