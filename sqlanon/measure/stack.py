"""The step that stacks every metric of a table in one relation."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.figures.figure import Figure
from sqlanon.measure.asked import Asked, Key, Requirements, as_parameter
from sqlanon.measure.metrics import BESIDE_MODELS, METRIC_OF
from sqlanon.measure.metrics.records import LEFT_OUT
from sqlanon.plan import Materialization, Step
from sqlanon.sql.names import Relation, Sql
from sqlanon.sql.templates import load_template, matches


@dataclass(frozen=True)
class Part:
    """A SELECT that measures, folded into the one that stacks.

    Attributes:
        name: what it is called there.
        template: ``family/relation``.
        inputs: a relation for each input of the template.
        params: the template's parameters.
    """

    name: Sql
    template: str
    inputs: Mapping[str, Any]
    params: Mapping[str, Any]


@dataclass(frozen=True)
class MetricRow:
    """A metric in the metrics relation, of the release or of one of its attributes.

    Attributes:
        place: among all, from 1: a model's is that among the models. Metrics that have rows of
            their own are put in order by these.
        metric: what is measured.
        attribute: of which attribute, if it is of one.
        column: where it stands in the relation that has it; None where that has a row for it.
        threshold: what is asked for, as declared.
    """

    place: int
    metric: Figure
    attribute: str | None = None
    column: Sql | None = None
    threshold: str | None = None


@dataclass(frozen=True)
class Found:
    """A relation that has figures: one row with a column for each, or a row for each.

    Attributes:
        found: the part or the relation.
        figures: what the metrics relation says of them.
        part: its place among all; of figures that have rows, those of one part stand together.
    """

    found: Sql | Relation
    figures: list[MetricRow]
    part: int


def metrics_step(
    models: Sequence[Asked],
    measured: Mapping[str, Relation],
    made: Mapping[str, Relation],
    params: Mapping[str, Any],
    output: Relation,
    how: Materialization,
    asked: Collection[str] = (),
    full: bool = True,
    noun: str = "record",
) -> Step:
    """Plan the relation of the metrics: what can be measured of all that are known.

    Args:
        models: the privacy models that were measured.
        measured: relations that a metric's template may read, by the names it gives them; where
            there are ``tuples``, what is no model is measured of these in place of the classes.
        made: relations that hold metrics already, by their template.
        params: the templates' parameters; ``columns`` are the quasi-identifiers, ``sensitive`` the
            sensitive attributes.
        output: the relation to make.
        how: what it becomes.
        asked: the metrics that the spec asks for, of those that are else not measured.
        full: whether others are measured, too.
        noun: the word for one of those whom k protects.
    """
    alike = {**measured, "classes": measured.get("tuples", measured["classes"])}
    parts = [_reached(models, measured)]
    reached = [
        MetricRow(place, _metric(model, noun), model.name, threshold=model.shown)
        for place, model in Requirements(tuple(models))
    ]
    found: dict[str, Sql | Relation] = dict(made)
    wide: dict[str, Found] = {}
    long: dict[str, Found] = {}
    place = len(models)
    for metric in BESIDE_MODELS:
        # How many records are left out is asked for wherever some may be.
        on_request = metric.needs is not None or (not full and metric not in LEFT_OUT)
        if on_request and metric.name not in asked:
            continue
        part = None if metric.measured in found else _part(metric.measured, alike, params)
        if part is not None:
            parts.append(part)
            found[metric.measured] = part.name
        if metric.measured not in found:
            continue
        columns = _columns(metric, params)
        there = long if columns is None else wide
        of = Found(found[metric.measured], [], list(found).index(metric.measured) + 1)
        figures = there.setdefault(metric.measured, of).figures
        for attribute, column in [(None, None)] if columns is None else columns:
            place += 1
            figures.append(MetricRow(place, metric, attribute, column))
    read = {relation for part in parts for relation in part.inputs.values()}
    inputs = {name: relation for name, relation in measured.items() if relation in read}
    read_made = {one.found for one in (*wide.values(), *long.values())}
    inputs |= {
        f"made_{place}": relation
        for place, relation in enumerate(made.values(), 1)
        if relation in read_made
    }
    inputs |= parts[0].inputs
    stacked = {
        "parts": parts,
        "reached": reached,
        "wide": [*wide.values()],
        "long": [*long.values()],
    }
    return Step("metrics", output, "measure/metrics", inputs, stacked, how)


def asked_metrics_step(
    models: Sequence[Asked],
    classes: Relation,
    noun: str,
    output: Relation,
    how: Materialization,
    ledger: Relation | None = None,
    sized: Key | None = None,
) -> Step:
    """Plan the relation of the metrics where nothing is measured but what is asked for.

    Args:
        models: the privacy models that were measured.
        classes: the equivalence classes, with their records.
        noun: the word for one of those whom k protects.
        output: the relation to make.
        how: what it becomes.
        ledger: the account of the records, where some may be left out: how many are is asked for.
        sized: the model that holds every class to its records, and has no relation of its own.
    """
    numbered = list(Requirements(tuple(models)))
    measured = {f"model_{place}": one.relation for place, one in numbered if one.key != sized}
    inputs = {"classes": classes} | measured
    unasked = {"attribute": None, "threshold": None, "bound": None}
    figures = [
        unasked | {"place": place, "metric": one.name, "worst": worst} | _said(one)
        for place, (one, worst) in enumerate(
            zip(LEFT_OUT, ("records", "share"), strict=True), len(models) + 1
        )
    ]
    return Step(
        "metrics",
        output,
        "measure/asked_metrics",
        inputs if ledger is None else {**inputs, "ledger": ledger},
        {
            "models": [
                as_parameter(place, one) | _said(_metric(one, noun)) | {"sized": one.key == sized}
                for place, one in numbered
            ],
            "figures": [] if ledger is None else figures,
        },
        how,
    )


def _said(metric: Figure) -> dict[str, str | None]:
    """The words of the metrics relation on a figure."""
    return {
        "direction": metric.direction,
        "range": metric.range,
        "sentence": metric.sentence,
    }


def _metric(model: Asked, noun: str) -> Figure:
    """The figure of a model, in the words of the metrics relation."""
    known, says = METRIC_OF[model.metric], model.model.says_of_units
    if noun == "record" or not says:
        return known
    return replace(known, says=says.replace("record", noun))


def _columns(metric: Figure, params: Mapping[str, Any]) -> list[tuple[str | None, Sql]] | None:
    """The attributes that a metric is of, each with its column in a relation of one row.

    None of a metric that has a row for each.
    """
    if metric.per == "release":
        return [(None, Sql(metric.name))]
    if metric.per == "quasi-identifier":
        columns = params["columns"]
        return [(one.name, Sql(f"{one.attribute}_{metric.name}")) for one in columns]
    return None


def _reached(models: Sequence[Asked], measured: Mapping[str, Relation]) -> Part:
    """The part that finds what models reach and, of those with a threshold, how many fail it."""
    numbered = list(Requirements(tuple(models)))
    asked = [place for place, one in numbered if one.bound is not None]
    inputs = {f"model_{place}": one.relation for place, one in numbered}
    if asked:
        inputs |= {name: measured[name] for name in ("classes", "held")}
    params = {
        "models": [{"place": place, "relation": one.relation} for place, one in numbered],
        "least": [place for place, one in numbered if one.model.worst == "least"],
        "asked": asked,
    }
    return Part(Sql("reached"), "measure/reached", inputs, params)


def _part(name: str, measured: Mapping[str, Relation], params: Mapping[str, Any]) -> Part | None:
    """A template's part; None if something that it reads is not there."""
    inputs = load_template(name).inputs
    needed = [one for one in inputs if not one.endswith("?")]
    if not all(any(matches(there, [one]) for there in measured) for one in needed):
        return None
    read = [one.removesuffix("?") for one in inputs]
    there = {one: relation for one, relation in measured.items() if matches(one, read)}
    return Part(Sql(name.rpartition("/")[2]), name, there, params)
