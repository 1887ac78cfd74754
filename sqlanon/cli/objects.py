"""The output of the commands for programs: one JSON object each."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlanon.attacks.findings import Attacked
from sqlanon.clauses import following
from sqlanon.draft import Told
from sqlanon.judge.check_result import CheckResult
from sqlanon.outlook.outlook import Outlook
from sqlanon.plan import Check
from sqlanon.planning.prepare import Prepared
from sqlanon.profile.risk import Risks
from sqlanon.release.run import Release
from sqlanon.spec import Distances
from sqlanon.spec.refusals import refusals_by_use
from sqlanon.sweeps.sweep import Sweep
from sqlanon.utilities.useful import Utility


def sweep_object(sweep: Sweep) -> dict[str, Any]:
    """A sweep, for programs."""
    costs = [None if cost is None else float(cost) for cost in sweep.costs]
    return {
        "sweep": str(sweep.relation),
        "seconds": round(sweep.seconds, 3),
        "cheapest": sweep.cheapest,
        "distances": dict(sweep.distances.asked),
        "combinations": [
            {**asdict(trial), "cost": cost} for trial, cost in zip(sweep.trials, costs, strict=True)
        ],
    }


def release_object(release: Release) -> dict[str, Any]:
    """A release, for programs."""
    told = {one.name: release.told.get(one.name, Told()) for one in following()}
    return {
        "release": str(release.relation),
        "others": [str(one) for one in release.others],
        "classes": str(release.classes),
        "metrics_relation": str(release.metrics),
        "run": str(release.run),
        "seconds": round(release.seconds, 3),
        "chosen": release.chosen,
        "seed_is_drawn": release.drawn_seed is not None,
        "transforms": release.transforms,
        "not_released": list(release.unreleased),
        "metrics": [asdict(metric) for metric in release.measures],
        "distances": dict(release.distances.asked),
        "verdict": asdict(release.verdict),
        "given_away": [asdict(one) for one in release.given_away],
        "remarks": list(release.remarks),
        "kept": [str(one) for one in release.kept],
        **{name: [asdict(metric) for metric in one.metrics] for name, one in told.items()},
        "steps": list(release.steps),
    }


def measurements_object(found: CheckResult) -> dict[str, Any]:
    """The measurements of a check, for programs."""
    return {
        "table": found.table,
        "passed": found.passed,
        "distances": dict(found.distances.asked),
        "metrics": [asdict(metric) for metric in found.measures],
        "shortfalls": [asdict(shortfall) for shortfall in found.shortfalls],
        "faults": [asdict(fault) for fault in found.faults],
        "remarks": list(found.remarks),
    }


def attacked_object(found: Attacked) -> dict[str, Any]:
    """The findings of an attack, for programs."""
    return {
        "release": found.release,
        "persons": found.persons,
        "findings": [one.as_object() for one in found.findings],
        "notes": dict(found.notes),
        "kept": [str(one) for one in found.relations],
        "remarks": list(found.remarks),
    }


def utility_object(found: Utility) -> dict[str, Any]:
    """The utility of a release, for programs."""
    return {
        "release": found.release,
        "records": found.records,
        "source_records": found.source_records,
        "findings": [one.as_object() for one in found.findings],
        "queries": found.queries,
        "seed": found.seed,
        "answers": [asdict(one) for one in found.answers],
        "notes": dict(found.notes),
    }


def risks_object(found: Risks) -> dict[str, Any]:
    """How identifying a table is, for programs."""
    return {
        "table": found.table,
        "columns": list(found.columns),
        "figures": [one.as_object() for one in found.figures],
        "combinations": [
            {"columns": list(one.columns), "tuples": one.tuples, "unique_records": one.single}
            for one in found.combinations
        ],
        "special": [{"columns": list(some), "records": number} for some, number in found.special],
        "shares": dict(found.shares),
        "at_once": found.at_once,
    }


def plan_object(prepared: Prepared, ahead: Outlook, dialect: str = "duckdb") -> dict[str, Any]:
    """A plan, for programs."""
    fingerprints = prepared.plan.fingerprints(dialect, prepared.spec.as_written)
    choose, predicted = prepared.spec.choose, ahead.predicted
    together = ahead.associations
    steps = zip(prepared.plan, prepared.plan.phases, prepared.plan.explain(), strict=True)
    return {
        "release": str(prepared.release),
        "records": ahead.records,
        "combinations": ahead.combinations,
        "leaving_alone": ahead.leaving_alone,
        "best": None if ahead.best is None else [asdict(limit) for limit in ahead.best.limits],
        "slowest": list(ahead.slowest),
        "not_released": list(prepared.unreleased),
        "types": prepared.types,
        "distances": dict(Distances.of(prepared.spec).asked),
        "foreseen": list(ahead.foreseen),
        "choose": None if choose is None else list(choose.tried(prepared.spec.privacy.k)),
        "predicted": None if predicted is None else [asdict(metric) for metric in predicted],
        "insensitive": [asdict(metric) for metric in ahead.shares],
        "associations": None
        if together is None
        else {
            "contingencies": [
                {"columns": pair, "contingency": value}
                for pair, value in together.contingencies.items()
            ],
            "groups": together.groups,
        },
        "uses": {
            use.value: [asdict(problem) for problem in problems]
            for use, problems in refusals_by_use(prepared.spec).items()
        },
        "steps": [
            {
                "title": step.title,
                "phase": phase,
                "check": isinstance(step, Check),
                "relation": relation,
                "becomes": how,
                "most_rows": ahead.most_rows.get(relation),
                "fingerprint": fingerprints.get(relation),
            }
            for step, phase, (relation, how, _) in steps
        ],
    }
