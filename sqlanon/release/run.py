"""Making a release: run the plan, pass the gate, publish all of it or nothing."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import sqlanon
from sqlanon.engines import Engine, script
from sqlanon.errors import EngineError, InfeasibleError, Shortfall
from sqlanon.plan import How, Listener, Plan, Role, Search, Session, Step
from sqlanon.release.prepare import RECODED, SIZE, Prepared
from sqlanon.sql import Relation

if TYPE_CHECKING:
    import pandas as pd

METRIC_LIMIT = 10_000


@dataclass(frozen=True)
class Metric:
    """One measure of a release, as the metrics relation holds it."""

    metric: str
    attribute: str | None
    value: float | None
    threshold: str | None
    passed: bool | None
    failing_classes: int | None


@dataclass(frozen=True)
class Release:
    """A release that was published.

    Attributes:
        relation: the anonymized table or view.
        classes: a row for each equivalence class, for the publisher.
        metrics: the relation of what was reached beside what was asked for.
        run: the relation of the run's facts: spec, fingerprint, versions, timings, SQL.
        measures: the metrics, read.
        sql: the whole run as one SQL script.
        unreleased: the source's columns that have no role and so were not released.
        seconds: how long it took.
        engine: the database that holds it.
    """

    relation: Relation
    classes: Relation
    metrics: Relation
    run: Relation
    measures: tuple[Metric, ...]
    sql: str
    unreleased: tuple[str, ...]
    seconds: float
    engine: Engine

    def measure(self, metric: str, attribute: str | None = None) -> float | None:
        """The value of one metric."""
        for one in self.measures:
            if (one.metric, one.attribute) == (metric, attribute):
                return one.value
        raise KeyError(f"there is no metric {metric!r} of {attribute!r}")

    def frame(self) -> pd.DataFrame:
        """The published table as a pandas frame (needs the ``pandas`` extra)."""
        return self.engine.frame(self.relation)

    def metrics_frame(self) -> pd.DataFrame:
        """The metrics as a pandas frame (needs the ``pandas`` extra)."""
        return self.engine.frame(self.metrics)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{one.metric}</td><td>{one.attribute or ''}</td>"
            f"<td>{'' if one.value is None else f'{one.value:.6g}'}</td>"
            f"<td>{one.threshold or ''}</td></tr>"
            for one in self.measures
        )
        return (
            f"<table><caption>{self.relation}</caption><tr><th>metric</th><th>attribute</th>"
            f"<th>reached</th><th>asked for</th></tr>{rows}</table>"
        )


def publish(prepared: Prepared, engine: Engine, listener: Listener | None = None) -> Release:
    """Make a planned release: all of it, or nothing.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if a declared privacy model does not hold on the release.
        EngineError: if the database fails.
        InterruptedRunError: if the user interrupts.
    """
    session = Session(engine, listener)
    started, begun = datetime.now(UTC), time.perf_counter()
    release = prepared.release
    with session.transaction():
        session.run(prepared.plan)
        counts = _counts(prepared, session)
        measures = read_metrics(prepared.measurement.metrics, engine)
        refuse_shortfalls(measures)
        facts = _facts(prepared, session, counts, started.isoformat(timespec="seconds"))
        session.create(
            Step(
                "recording the run",
                release.beside("run"),
                "release/run",
                {},
                {"facts": facts},
                How.TABLE,
                Role.METRIC,
            )
        )
        _drop_work(prepared.plan, session)
    return Release(
        release,
        release.beside("classes"),
        release.beside("metrics"),
        release.beside("run"),
        tuple(measures),
        dict(facts)["sql"],
        prepared.unreleased,
        time.perf_counter() - begun,
        engine,
    )


def read_metrics(metrics: Relation, engine: Engine) -> list[Metric]:
    """The metrics relation, read."""
    found = engine.fetch(f"select * from {metrics.sql}", METRIC_LIMIT, "reading the metrics")
    return [Metric(*row) for row in found.rows]


def shortfalls(measures: Sequence[Metric]) -> list[Shortfall]:
    """Every declared model that does not hold."""
    return [
        Shortfall(one.metric, one.attribute, one.threshold or "", one.value, one.failing_classes or 0)
        for one in measures
        if one.passed is False
    ]


def refuse_shortfalls(measures: Sequence[Metric]) -> None:
    """Raise InfeasibleError, with the evidence, unless every declared model holds."""
    found = shortfalls(measures)
    if found:
        raise InfeasibleError(
            "the release does not reach what the spec asks for, so nothing was published; "
            "relax what falls short, or raise k:",
            found,
        )


def _counts(prepared: Prepared, session: Session) -> dict[str, int]:
    """How many records went in and came out; they must agree."""
    engine = session.engine

    def count(relation: Relation) -> int:
        return int(engine.fetch(f"select count(*) as n from {relation.sql}", 1).rows[0][0])

    records = int(engine.fetch(f"select records from {SIZE.sql}", 1).rows[0][0])
    counts = {
        "records_in": records,
        "records_out": count(prepared.release),
        "records_suppressed": 0,
        "classes_formed": count(RECODED),
        "classes_published": count(prepared.measurement.classes),
    }
    if counts["records_in"] != counts["records_out"] + counts["records_suppressed"]:
        raise EngineError(
            f"{counts['records_in']} records went in, {counts['records_out']} came out: "
            "this is a fault of sqlanon's, or the source changed during the run; "
            "nothing was published"
        )
    return counts


def _facts(
    prepared: Prepared, session: Session, counts: dict[str, int], started: str
) -> list[tuple[str, str]]:
    """What the run relation tells, as (item, value)."""
    spec, plan, engine = prepared.spec, prepared.plan, session.engine
    declared = spec.model_dump(mode="json", exclude={"database"}, exclude_none=True)
    text = json.dumps(declared, ensure_ascii=False)
    parts = [text, plan.fingerprints(engine.dialect)[str(prepared.release)]]
    steps: list[dict[str, Any]] = [
        {"relation": record.relation, "title": record.title, "seconds": round(record.seconds, 4)}
        for record in session.records
    ]
    return [
        ("spec", text),
        ("fingerprint", hashlib.sha256("\x1f".join(parts).encode()).hexdigest()),
        ("sqlanon", sqlanon.__version__),
        ("engine", engine.version),
        ("method", spec.method.name),
        ("seed", str(spec.seed)),
        ("started", started),
        *((name, str(value)) for name, value in counts.items()),
        ("columns_not_released", json.dumps(prepared.unreleased, ensure_ascii=False)),
        ("steps", json.dumps(steps, ensure_ascii=False)),
        ("sql", _sql(prepared, session)),
    ]


def _sql(prepared: Prepared, session: Session) -> str:
    if any(isinstance(step, Search) for step in prepared.plan):
        return "\n\n".join(f"-- {record.title}\n{record.sql}" for record in session.records)
    return script(prepared.plan, title_of(prepared), session.engine.dialect)


def title_of(prepared: Prepared) -> str:
    """The heading of a release's script: what it makes, and what the short names stand for."""
    lines = [f"sqlanon {sqlanon.__version__}: makes {prepared.release}"]
    for role, letter in (("quasi_identifiers", "q"), ("sensitive", "s"), ("insensitive", "x")):
        for number, name in enumerate(getattr(prepared.spec, role), 1):
            lines.append(f"  {letter}{number} = {name}".replace("\n", " "))
    return "\n".join(lines)


def _drop_work(plan: Plan, session: Session) -> None:
    """Leave nothing behind but the release: readers of a relation go before it."""
    for step in reversed(plan.steps):
        if isinstance(step, Step) and step.how in (How.WORK_TABLE, How.WORK_VIEW):
            session.drop(step)
