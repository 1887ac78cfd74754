"""The metrics of a release, as Python reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.engines import Engine
from sqlanon.errors import Shortfall, nearest
from sqlanon.measure.metrics import METRIC_OF
from sqlanon.privacy import MODELS
from sqlanon.privacy.thresholds import is_bare
from sqlanon.sql.names import Relation

METRIC_LIMIT = 1_000_000  # some are of every two columns
# The metric that a field of a spec asks for when it is a bare threshold: of l that of distinct l.
_IN_A_SPEC = {model.field.name: model.name for model in MODELS if is_bare(model)}


@dataclass(frozen=True)
class Metric:
    """One measure of a release, as the metrics relation holds it.

    Attributes:
        metric: what is measured.
        attribute: the attribute it concerns, if it concerns one.
        value: what was reached; None if that is not known.
        threshold: what was asked for, as declared.
        passed: whether it holds; None if nothing was asked for.
        failing_classes: how many equivalence classes violate it.
        failing_records: how many records lie in them.
        direction: which value is better, ``lower`` or ``higher``; None where neither is.
        range: between what the value lies; n is the number of records.
        sentence: what the value means, for a privacy officer.
    """

    metric: str
    attribute: str | None
    value: float | None
    threshold: str | None
    passed: bool | None
    failing_classes: int | None = None
    failing_records: int | None = None
    direction: str | None = None
    range: str | None = None
    sentence: str | None = None


def defined(measure: Metric) -> Metric:
    """A metric that was not read, with what the registry says of it."""
    known = METRIC_OF[measure.metric]
    return replace(measure, direction=known.direction, range=known.range, sentence=known.sentence)


def read_metrics(metrics: Relation, engine: Engine) -> list[Metric]:
    """The metrics relation, read."""
    found = engine.fetch_portable(
        f"select * from {engine.named(metrics)}", METRIC_LIMIT, "reading the metrics"
    )
    measures = [Metric(*row) for row in found.rows]
    # Not every database has truth values: SQLite keeps 0 and 1.
    return [
        metric if metric.passed is None else replace(metric, passed=bool(metric.passed))
        for metric in measures
    ]


class Measured:
    """A table of which metrics were measured: a release, or one that was checked."""

    measures: tuple[Metric, ...]

    def measure(self, metric: str, attribute: str | None = None) -> float | None:
        """The value of one metric.

        Args:
            metric: its name, or of a model the name of its field in a spec: ``k``, ``l``, ``t``.
            attribute: the column it is of; it may be left out where there is one alone.

        Raises:
            KeyError: if it was not measured.
        """
        return value_of(self.measures, metric, attribute)


def value_of(measures: Iterable[Metric], metric: str, attribute: str | None) -> float | None:
    """The value of one metric.

    Args:
        measures: what was measured.
        metric: its name, or of a model the name of its field in a spec: ``k``, ``l``, ``t``.
        attribute: what it is of; it may be left out where the metric is of one attribute alone.

    Raises:
        KeyError: if it is none of the measures.
    """
    known: dict[str, dict[str | None, Metric]] = {}
    for measure in measures:
        known.setdefault(measure.metric, {})[measure.attribute] = measure
    found = known.get(metric) or known.get(_IN_A_SPEC.get(metric, ""))
    if found is None:
        raise KeyError(_unknown(metric, list(known)))
    if attribute in found:
        return found[attribute].value
    if attribute is None and len(found) == 1:
        return next(iter(found.values())).value
    of = sorted(text for text in found if text is not None)
    if not of:
        raise KeyError(f"{metric!r} is of the whole, and of no attribute: leave it out")
    if attribute is None:
        raise KeyError(f"{metric!r} is of {' and '.join(map(repr, of))}: name one of them")
    raise KeyError(f"{metric!r} is no metric of {attribute!r}; {nearest(attribute, of)}")


def _unknown(metric: str, measured: list[str]) -> str:
    """Why a metric is not found, and which may be meant."""
    name = _IN_A_SPEC.get(metric, metric)
    if name in METRIC_OF:
        return f"{name!r} was not measured; measured: {', '.join(map(repr, sorted(measured)))}"
    parts = [text for text in sorted(measured) if metric.lower() in text.split("_")]
    if parts:
        return f"there is no metric {metric!r}; did you mean {' or '.join(map(repr, parts))}?"
    return f"there is no metric {metric!r}; {nearest(metric, measured)}"


def failed(rows: Iterable[Mapping[str, Any]]) -> list[Metric]:
    """The measures that a check has found violated."""
    measured = ({name: row[name] for name in row if name != "reached"} for row in rows)
    return [Metric(**row, passed=False) for row in measured]


def shortfalls(measures: Iterable[Metric]) -> tuple[Shortfall, ...]:
    """The metrics that were asked for and do not hold, as evidence."""
    return tuple(
        Shortfall(
            model=metric.metric,
            attribute=metric.attribute,
            threshold=metric.threshold or "",
            reached=metric.value,
            classes=metric.failing_classes,
            records=metric.failing_records,
        )
        for metric in measures
        if metric.passed is False
    )
