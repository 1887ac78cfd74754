"""The clauses: what a spec may ask for, and what of it does not go with what.

The one table of refusals. Its sentences are what a user reads, here as on the page that the
documents have of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sqlanon.clauses import clauses
from sqlanon.clauses.clause import Clause, MethodRule, Uncertified, Use, at
from sqlanon.inputs.source import COPIED
from sqlanon.privacy.km_anonymity import KM_ANONYMITY
from sqlanon.spec.differential import WHERE, counting_problems, differential_problems
from sqlanon.spec.levels import levels_are_fixed, stratified
from sqlanon.spec.metrics import cell_metrics
from sqlanon.spec.publication import exact_problems

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec

_NOT_SENT = "a key is not sent to a warehouse, which keeps every statement: {}"
_NO_KEY = "a script would have to hold the key: run the spec"
_AS_THEY_ARE = "the cells of {recipe!r} are taken over as they are: leave this out, or the recipe"
_NO_VIEW = "a release in a warehouse is a table: say table"
_FREQUENCIES = "a quick sweep reads the frequencies alone, which tell nothing of "


# --- which columns ----------------------------------------------------------------------------


def _pseudonyms(spec: Spec) -> Iterator[str]:
    yield from (f"identifiers.{name}.pseudonym" for name in spec.pseudonyms)


def _insensitive(spec: Spec) -> Iterator[str]:
    yield from (f"insensitive.{name}" for name in spec.insensitive)


_COLUMNS = (
    Clause(
        "pseudonym",
        "an identifier is released as a pseudonym",
        _pseudonyms,
        refused={
            Use.WAREHOUSE: _NOT_SENT.format("leave the pseudonym out"),
            Use.SCRIPT: _NO_KEY,
            Use.DBT: "dbt models would have to hold the key: run the spec",
        },
        excludes={
            "slices": "a row of {publication} is of no single record: leave its pseudonym out"
        },
    ),
    Clause(
        "insensitive",
        "columns are released as they are",
        _insensitive,
        excludes={
            "slices": "{publication} publishes no column of a single record: make it a "
            "quasi-identifier, or drop it"
        },
    ),
)


# --- what is asked ----------------------------------------------------------------------------


def _known_members(spec: Spec) -> Iterator[str]:
    """Where members of sets are asked to be shared: of each column, or of all at once."""
    for name, declared in spec.sensitive.items():
        if KM_ANONYMITY.asked_of(declared, spec.privacy) is not None:
            own = getattr(declared, KM_ANONYMITY.field.name) is not None
            yield f"sensitive.{name}.km" if own else "privacy.km"


DIFFERENTIAL = Clause(
    "differential privacy",
    "(ε, δ)-differential privacy of the whole release",
    at(WHERE, lambda spec: spec.privacy.differential),
    refused={
        Use.SCRIPT: _NO_KEY,
        Use.DBT: "dbt models would have to hold the key: run the spec",
        Use.CHECK: "a released table does not show who was sampled, and nothing keeps the "
        "run's own key: the metrics of its run have ε and δ; to measure k, take a spec without "
        "them",
        Use.CERTIFICATE: "a certificate counts records, which ε and δ do not cover: hand out "
        "the release alone",
        Use.TRIAL: "a trial gets no key: run the spec",
    },
    excludes={
        **dict.fromkeys(
            ("transform", "l of persons", "k^m"),
            "every published column counts as a quasi-identifier here, and this is of another: "
            "leave it out",
        ),
        "pseudonym": "a pseudonym tells who was sampled: leave it out",
        "insensitive": "every published column counts as a quasi-identifier here: make it one",
        "choose": "a k that the data choose tells of them: leave it out",
        "allotment": "an allotment depends on the data: leave it out",
        "recipe": "levels of an earlier release were chosen by data: name them as levels",
        "exact rows": "{publication} publishes every record as it is: say publish: generalized",
        **dict.fromkeys(("view", "live view"), "a view would read the source again: say table"),
    },
    uncertified=Uncertified(
        WHERE,
        lambda release: release.spec["privacy"].get("differential"),
        "No certificate is made: it counts records, which ε and δ do not cover.",
    ),
    method=MethodRule(
        lambda method, _: method.chooses_levels,
        "{method} forms classes by the data: leave it out, or take optimal, which takes the "
        "levels that are named",
        "method",
    ),
    problems=differential_problems,
)
_MODELS = (
    Clause(
        "k",
        "k-anonymity: a k above 1",
        at("privacy.k", lambda spec: spec.privacy.k > 1),
        excludes={
            "exact rows": "{publication} publishes every record's own quasi-identifiers, by which "
            "it can be found: no k-anonymity holds. Say k: 1, and the least number of records "
            "among whose sensitive values a record's are as publish: {{name: {publication}, "
            "group: {k}}}"
        },
    ),
    DIFFERENTIAL,
    Clause(
        "k^m",
        "k^m-anonymity: a reader who knows some members of a set is left with k records",
        _known_members,
        excludes={
            "person": "a reader may know members of several sets of a person: make one set of "
            "them in a query, or leave one of them out"
        },
    ),
    Clause(
        "metrics of cells",
        "metrics that read generalized cells",
        at("metrics", cell_metrics),
        refused={
            Use.CHECK_TABLE: "{metrics}: cells are read by the spec that made them: give it, or "
            "leave this out"
        },
        excludes={
            "exact rows": "{metrics}: it is of generalized cells, and {publication} publishes none"
        },
    ),
)


# --- how classes are formed -------------------------------------------------------------------


def goes_on(spec: Spec) -> bool:
    """Whether a clause forms the classes, and so decides who is left out."""
    return any(any(clause.asked(spec)) for clause in clauses() if clause.forms)


def searches(spec: Spec) -> bool:
    """Whether classes are searched for, as they are where no clause knows them beforehand."""
    return not any(any(clause.asked(spec)) for clause in clauses() if not clause.searches)


def left_open(spec: Spec) -> list[str]:
    """The sentences on things that a spec leaves open, and a run first finds in the data."""
    return [clause.settles for clause in clauses() if clause.settles and any(clause.asked(spec))]


def as_settled(declared: dict[str, Any], facts: Mapping[str, str]) -> dict[str, Any]:
    """The spec of a release as its run settled what it left open.

    Args:
        declared: the spec, as it is read.
        facts: those of the run.
    """
    for clause in clauses():
        declared = clause.settled(declared, facts)
    return declared


def _finds_outliers(spec: Spec) -> bool:
    """Whether a method leaves out outliers, and no earlier release decides who goes."""
    leaves = spec.method.leaves_outliers or bool(spec.person)
    asked = spec.allowance is not None and leaves
    return asked and not goes_on(spec) and not stratified(spec)


def _strata(spec: Spec) -> Iterator[str]:
    yield from (f"levels.{name}" for name in stratified(spec))


_FORMED = (
    Clause(
        "strata",
        "no class mixes values of a column, or groups of these",
        _strata,
        refused={
            Use.DBT: "dbt models are fixed beforehand, and how many records each stratum has is "
            "not: use `sqlanon run`, or leave it out",
            Use.LIMITS: "the limits within strata are not known: leave levels out",
        },
        excludes={
            "person": "a person may have records in several strata: leave one of them out",
            "limit in groups": "the run leaves out whole strata, of all groups alike: leave within "
            "out",
            "cells of a recipe": _AS_THEY_ARE,
            "exact rows": "{publication} publishes the values as they are: leave it out",
        },
        method=MethodRule(
            lambda method, _: method.strata or method.chooses_levels,
            "{method} mixes all values of a column: leave it out, or take another method",
        ),
    ),
    Clause(
        "choose",
        "the run tries several k",
        at("choose", lambda spec: spec.choose),
        refused={Use.DBT: "dbt models are of one k: let `sqlanon sweep` name it, and declare it"},
        excludes={
            "exact rows": "k is chosen by the information that is lost, and {publication} "
            "generalizes nothing: leave it out",
            "transform by a key": "k is chosen by releases on trial, which are given no key: say "
            "k, leave it out",
            "cells of a recipe": _AS_THEY_ARE,
        },
        method=MethodRule(
            lambda method, _: method.follows_k,
            "{method} forms groups of l records for any k: leave it out, or take another method",
        ),
    ),
)


# --- what is published ------------------------------------------------------------------------


def _forms(spec: Spec) -> Iterator[str]:
    for name, column in spec.quasi_identifiers.items():
        if column.publish is not None:
            yield f"quasi_identifiers.{name}.publish"


EXACT = Clause(
    "exact rows",
    "every record's own quasi-identifiers are published, in groups",
    at("publish", lambda spec: spec.shows_exact),
    refused={
        Use.CHECK_TABLE: "the relations of {publication} are read by the spec that made them: give "
        "it",
        Use.ATTACK_TABLE: "the relations of {publication} are read by the name of their release",
        Use.SWEEP: "a sweep weighs the information that is lost, and {publication} loses none so: "
        "publish: generalized",
        Use.LIMITS: "the limits of classes are known of publish: generalized alone",
        Use.VERIFY: "it is of the exact rows, which no model protects",
        Use.PREDICTION: "the figures of classes can be predicted of publish: generalized alone",
    },
    excludes={
        "person": "the groups of {publication} are of records, and person: asks for persons to be "
        "counted: publish: generalized"
    },
    problems=exact_problems,
)
_NO_RECORDS = "{publication} publishes no record: "
COUNTS = Clause(
    "counts",
    "how many records or persons each group has, with noise",
    at("publish", lambda spec: spec.counts),
    refused={
        Use.WAREHOUSE: _NOT_SENT.format("publish classes, or counts from another database"),
        Use.CHECK: f"{_NO_RECORDS}the metrics of its run have ε and δ",
        Use.CHECK_TABLE: f"{_NO_RECORDS}there is nothing to measure",
        Use.ATTACK_TABLE: f"{_NO_RECORDS}no attack on records applies",
        Use.LIMITS: f"{_NO_RECORDS}it has no class",
        Use.PREDICTION: f"{_NO_RECORDS}it has no class",
    },
    excludes={
        "k": f"{_NO_RECORDS}k is of records, so leave it out",
        "exact rows": "a release is published in one way: leave one of them out",
        "suppression": f"{_NO_RECORDS}leave it out",
        "metrics of cells": f"{_NO_RECORDS}leave these metrics out",
        "form": f"{_NO_RECORDS}leave the form out",
    },
    needs={
        "differential privacy": "counts get noise for an ε and a δ: declare them as "
        "privacy: {{differential: {{epsilon: 1, delta: 0.000001}}}}"
    },
    problems=counting_problems,
)


def _of_counts(spec: Spec) -> Iterator[str]:
    """The settings of counts that a spec has."""
    for name in ("noise", "values", "contributions", "sums", "round", "between"):
        if spec.publish is not None and getattr(spec.publish, name):
            yield f"publish.{name}"


_PUBLISHED = (
    EXACT,
    COUNTS,
    Clause(
        "settings of counts",
        "noise, groups, bounds and rounding of counts",
        _of_counts,
        needs={"counts": "{publication} has no counts: leave it out, or say name: counts"},
    ),
    Clause(
        "publish.group",
        "the least size of a group of exact rows",
        at("publish.group", lambda spec: spec.publish and spec.publish.group is not None),
        needs={"exact rows": "{publication} publishes classes, whose least size is privacy.k"},
    ),
    Clause(
        "form",
        "a form of a quasi-identifier's cells",
        _forms,
        excludes={"exact rows": "{publication} publishes the values as they are: leave it out"},
    ),
    Clause(
        "view",
        "the release is a view",
        at("materialize", lambda spec: spec.materialize == "view"),
        refused={
            Use.WAREHOUSE: _NO_VIEW,
            Use.DBT: "a release made by dbt is a table, for a view could change: say table",
        },
        excludes={"exact rows": "a release of {publication} is tables: say table"},
    ),
    Clause(
        "live view",
        "the release is a view of the source, and changes with it",
        at("materialize", lambda spec: spec.is_live),
        refused={
            Use.WAREHOUSE: _NO_VIEW,
            Use.SCRIPT: "a script makes tables: use `sqlanon run`, or say table",
            Use.DBT: "a release made by dbt is a table, for a view could change: say table",
            Use.CERTIFICATE: "a certificate is of records that stay as they are: say table",
            Use.SWEEP: "a sweep compares releases that stay as they are: say table",
        },
        excludes={
            "exact rows": "a release of {publication} is tables: say table",
            **dict.fromkeys(("file", "query"), "it is a view of a table of the database: name one"),
        },
        needs={
            "suppression": "a view leaves out groups that become too small: say how many records "
            "may be ({suppression})"
        },
        uncertified=Uncertified(
            "materialize",
            lambda release: release.spec["materialize"] == "live",
            "No certificate is made of a view that changes with its source: the figures here are "
            "of the run, and sqlanon check measures it again.",
        ),
        method=MethodRule(
            lambda method, asked: method.chooses_levels or "cells of a recipe" in asked,
            "a view that changes with its source has labels of fixed levels, and {method} gives "
            "classes: take optimal with levels, or a recipe, or say table",
        ),
    ),
    Clause(
        "where to search",
        "where the search for classes is carried out",
        at("search", lambda spec: spec.search),
        excludes={"cells of a recipe": "cells that are taken over are placed in the database"},
    ),
)


# --- what the source, the release and the method are ------------------------------------------


def _searches(spec: Spec) -> bool:
    asks = spec.method.searches or _finds_outliers(spec) or stratified(spec)
    return bool(asks) and searches(spec) and not levels_are_fixed(spec)


def _unpredicted(spec: Spec) -> bool:
    return not spec.method.predicts or _finds_outliers(spec) or bool(stratified(spec))


SEARCH = Clause(
    "search",
    "a method that asks the data what to do next",
    at("method", _searches),
    refused={
        Use.WAREHOUSE_SEARCH: "{method} as declared asks the data what to do next, in a thousand "
        "statements that no warehouse is sent: say search: local where it searches cells, which "
        "leave the warehouse with their counts, take stack_and_deal without suppression, or a "
        "recipe of a search elsewhere",
        Use.DBT: "{method} as declared asks the data what to do next, and dbt models are fixed "
        "beforehand: use stack_and_deal without suppression, optimal with the level of every "
        "column (levels: {{COLUMN: LEVEL}}, or the levels of a recipe), or a Python model",
    },
)
_OTHERS = (
    SEARCH,
    Clause(
        "unpredicted classes",
        "classes that the frequencies of values do not tell",
        at("method", _unpredicted),
        refused={
            Use.QUICK_SWEEP: f"{_FREQUENCIES}{{method}} as declared: try stack_and_deal without "
            "stripes and without suppression, or sweep without quick",
            Use.PREDICTION: "only a run shows what the classes of {method} reach",
        },
    ),
    Clause(
        "file",
        "the source is a file",
        at("source", lambda spec: spec.source.file is not None),
        refused={
            Use.WAREHOUSE: "no file is sent to a warehouse: load it into a table there, and name "
            "that",
            Use.SERVER_SCRIPT: "a script in this dialect cannot read a file: load it into a table "
            "and name that",
        },
    ),
    Clause(
        "encoding",
        f"the file is in {', '.join(COPIED[:-1])} or {COPIED[-1]}",
        at("source.encoding", lambda spec: spec.source.encoding in COPIED),
        refused={Use.SCRIPT: "a script cannot read a file of this encoding: save it as UTF-8"},
        needs={"file": "an encoding is of a file"},
    ),
    Clause(
        "query",
        "the source is a query",
        at("source", lambda spec: spec.source.query is not None),
        refused={
            Use.OTHER_SCRIPT: "a query in the SQL of one database is none in that of another: name "
            "a table"
        },
    ),
    Clause(
        "schema",
        "the release's name has a schema, or is not letters, digits and _ alone",
        at("release", lambda spec: not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", spec.release)),
        refused={
            Use.DBT: "as the name of a dbt model it must be letters, digits and _ alone, with no "
            "schema: the project chooses the schema"
        },
    ),
)

CLAUSES: dict[str, Clause] = {
    clause.name: clause
    for clause in (*_COLUMNS, *_MODELS, *clauses(), *_FORMED, *_PUBLISHED, *_OTHERS)
}
# Clauses by what their models are of, as `PrivacyModel.per` has it.
MEASURED = {clause.measured: clause for clause in CLAUSES.values() if clause.measured is not None}
