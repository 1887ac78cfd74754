"""One of the releases that are compared: what was measured of it, and what was asked of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlanon.judge.check_result import CheckResult
from sqlanon.measure.metrics import METRIC_OF
from sqlanon.pages.figures import MARKETER_RISK, PROSECUTOR_RISK, RECORDS, Finding, finding
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.record.metrics import Metric
from sqlanon.record.recorded import MODEL_OF, Recorded, needs_records
from sqlanon.record.summary import DETAIL_FACT, Summary, from_fact, summary_of
from sqlanon.spec import Spec
from sqlanon.spec.publication import RULES

LOSS = "ncp"  # of each quasi-identifier
# What is compared in any case; other models are where one of the releases was asked for them.
_MODELS = (K_ANONYMITY.name, DISTINCT_L.name, T_CLOSENESS.name)
_OTHERS = (
    "gcp",
    LOSS,
    RECORDS.name,
    "suppressed_records",
    "suppressed_share",
    "classes",
    "average_class_size",
    PROSECUTOR_RISK.name,
    MARKETER_RISK.name,
)
_TO_ITSELF = (
    "The t of {} is measured against its own distribution, and not against what it was made of: "
    "name that as the reference."
)


@dataclass(frozen=True)
class Compared:
    """One of the releases that are compared.

    Attributes:
        name: its name.
        findings: what was measured of it.
        summary: the persons who are protected, and what the release cost by column.
        passed: whether all that was asked for holds.
        spec: what was asked of it; empty of a table of which only the roles of the columns are
            known.
        distances: by which distance each sensitive attribute was measured.
        remark: what else is to be known of how it was measured; empty where nothing is.
        attacked: what attacks found in it; nothing where it was not attacked.
        useful: what it is still good for; nothing where that was not measured.
        notes: what of these two could not be measured, by what it is, and why.
    """

    name: str
    findings: tuple[Finding, ...]
    summary: Summary
    passed: bool
    spec: Mapping[str, Any]
    distances: Mapping[str, str]
    remark: str = ""
    attacked: tuple[Finding, ...] = ()
    useful: tuple[Finding, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)


def compared_release(found: Recorded) -> Compared:
    """A release, as its run measured it: nothing is measured again.

    Raises:
        SpecError: if its metrics are gone.
    """
    needs_records(found)
    measures = found.measures
    summary = summary_of(
        measures,
        from_fact(found.facts.get(DETAIL_FACT, "")),
        (),
        found.counts,
        RULES[found.publication],
        json.loads(found.facts.get("suppressed_cells", "{}")),
    )
    passed = all(metric.passed is not False for metric in measures)
    sensitive = found.spec["sensitive"].items()
    distances = {
        name: attribute["distance"] for name, attribute in sensitive if attribute.get("distance")
    }
    name = str(found.relation)
    return Compared(
        name=name,
        findings=_findings(measures),
        summary=summary,
        passed=passed,
        spec=found.spec,
        distances=distances,
    )


def compared_table(found: CheckResult, name: str, spec: Spec | None, to_itself: bool) -> Compared:
    """Any table, as it was checked.

    Args:
        found: what was measured of it.
        name: what it is called.
        spec: what was asked of it, where it is a release of a spec.
        to_itself: whether t was measured against the table's own distribution.
    """
    asked = {} if spec is None else spec.model_dump(mode="json")
    for attribute, declared in asked.get("sensitive", {}).items():
        declared["distance"] = found.measured_by.get(attribute)
    measures = any(metric.metric == T_CLOSENESS.name for metric in found.measures)
    remark = _TO_ITSELF.format(name) if to_itself and measures else ""
    findings = _findings(found.measures)
    return Compared(
        name=name,
        findings=findings,
        summary=found.summary,
        passed=found.passed,
        spec=asked,
        distances=found.measured_by,
        remark=remark,
    )


def _findings(measures: Iterable[Metric]) -> tuple[Finding, ...]:
    """The metrics that are compared."""
    wanted = (
        metric
        for metric in measures
        if metric.metric in (*_MODELS, *_OTHERS)
        or (metric.metric in MODEL_OF and metric.threshold is not None)
    )
    return tuple(
        finding(
            METRIC_OF[metric.metric], metric.value, (metric.attribute,) if metric.attribute else ()
        )
        for metric in wanted
    )
