"""Certifying a release: what its run recorded, held against the release as it is now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlanon.clauses.clause import Clause, Uncertified, Use
from sqlanon.errors import Problem, SpecError
from sqlanon.privacy import MODELS
from sqlanon.privacy.thresholds import fields_of
from sqlanon.record.content import content_of
from sqlanon.record.metrics import Metric
from sqlanon.record.recorded import SALT, Recorded
from sqlanon.source.source_info import salted
from sqlanon.spec.clauses import CLAUSES
from sqlanon.spec.privacy import NAMING, TABLES, without_tables
from sqlanon.uses.certificates.certificate import (
    Certificate,
    CertifiedColumn,
    CertifiedRelation,
    certified,
)
from sqlanon.uses.certificates.verify import verify

_MEASURES = {"records", "classes", *(model.name for model in MODELS)}
# The keys of a sensitive attribute that measuring its values needs, besides the thresholds.
_MEASURED_BY = ("distance", "order")


def uncertified(recorded: Recorded) -> tuple[Clause, Uncertified] | None:
    """The clause of a release of which no certificate is made, and what it says of that."""
    known = ((clause, clause.uncertified) for clause in CLAUSES.values())
    return next(((clause, one) for clause, one in known if one and one.of(recorded)), None)


def certify(recorded: Recorded) -> Certificate:
    """The certificate of a release that stands in a database, held against that release.

    Raises:
        SpecError: if a relation or a column of it is gone, or the release is not what its run
            measured.
        EngineError: if the database fails.
    """
    refused = uncertified(recorded)
    if refused is not None:
        clause, told = refused
        what = clause.refused[Use.CERTIFICATE].format(publication=recorded.publication)
        raise SpecError(Problem(told.where, what))
    facts, spec = recorded.facts, recorded.spec
    left_out = [metric for metric in recorded.measures if metric.metric == "suppressed_records"]
    fields = {
        "release": recorded.relation.name,
        "run": {
            "release_id": facts["release_id"],
            "started": facts.get("started"),
            "sqlanon": facts["sqlanon"],
            "engine": facts["engine"],
            "method": facts["method"],
        },
        "source_schema": _proof(facts["source_schema"], facts),
        "spec": _proof({name: spec[name] for name in spec if name != "seed"}, facts),
        "publication": recorded.publication,
        "counts": recorded.counts,
        "suppressed": int(left_out[0].value or 0) if left_out else 0,
        "relations": [relation.model_dump() for relation in _relations(recorded)],
        "privacy": _asked_of_classes(spec["privacy"], recorded.measures),
        "sensitive": {name: _asked(value) for name, value in spec["sensitive"].items()},
        "measures": [
            certified(metric) for metric in recorded.measures if metric.metric in _MEASURES
        ],
        "digest": "",
    }
    made = _sealed(Certificate.model_validate(fields))
    found = verify(made, recorded.relation, recorded.engine)
    if not found.passed:
        name, fault = repr(str(recorded.relation)), found.faults[0]
        what = (
            f"{name} was changed since its run, and is not certified: {fault}; run its spec again"
        )
        if not recorded.engine.keeps_types(recorded.relation):
            what = (
                f"{name} is not certified: {fault}; the attached database may lack this type: cast "
                "the column in the source, or run the spec again if the release was changed"
            )
        raise SpecError(Problem("release", what))
    measures = tuple(
        measure.model_copy(update={"basis": "run" if measure.name in found.unknown else "release"})
        for measure in made.measures
    )
    return _sealed(made.model_copy(update={"measures": measures}))


def _proof(value: Any, facts: Mapping[str, str]) -> str | None:
    """A hash that the publisher can prove later by the salt; without it a guess could be tried."""
    return salted(value, facts[SALT]) if SALT in facts else None


def _sealed(made: Certificate) -> Certificate:
    return made.model_copy(update={"digest": made.own_digest})


def _relations(recorded: Recorded) -> Iterator[CertifiedRelation]:
    for beside, columns in recorded.relations.items():
        relation = recorded.named(beside)
        there = recorded.columns_there(relation)
        records, content = content_of(
            relation, [column.name for column in columns], recorded.engine
        )
        yield CertifiedRelation(
            beside=beside,
            columns=tuple(
                CertifiedColumn(
                    name=column.name,
                    type=there[column.name].shown_type,
                    kind=column.kind,
                    role=column.role,
                    form=column.form,
                )
                for column in columns
            ),
            records=records,
            content=content,
        )


def _asked_of_classes(privacy: dict[str, Any], measures: list[Metric]) -> dict[str, Any]:
    """The demands on every class; of several k, the k that was chosen."""
    fields = (*fields_of("release"), *fields_of("sensitive"))
    asked = {name: privacy[name] for name in fields if name in privacy}
    shown = without_tables(privacy)
    asked |= {name: shown[name] for name in (*TABLES, *NAMING) if shown.get(name)}
    chosen = [
        metric.threshold
        for metric in measures
        if (metric.metric, metric.attribute) == ("k_anonymity", None) and metric.threshold
    ]
    return asked | ({"k": int(chosen[0])} if chosen else {})


def _asked(sensitive: dict[str, Any]) -> dict[str, Any]:
    fields = (*_MEASURED_BY, *fields_of("sensitive"))
    return {name: sensitive[name] for name in fields if name in sensitive}
