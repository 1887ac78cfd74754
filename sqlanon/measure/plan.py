"""Measuring a view: every privacy model in every class, the information lost, and the metrics.

The last step stacks every metric of a table in one relation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.domains.attribute import HiddenAttribute
from sqlanon.measure.asked import (
    OF_RECORDS,
    Asked,
    Key,
    Requirements,
    as_parameter,
    asked_models,
    asked_of_covered,
    held_step,
    measuring_steps,
    numbered,
)
from sqlanon.measure.copies import Compared
from sqlanon.measure.cover import CLASS_COVER, Projected, cover_steps, projected_steps
from sqlanon.measure.loss import loss_step
from sqlanon.measure.metrics import BESIDE_MODELS, METRIC_OF
from sqlanon.measure.metrics.records import LEFT_OUT
from sqlanon.measure.view import COVERED, AdversaryView, ShownColumn
from sqlanon.pages.figures import Figure
from sqlanon.plan import Check, Materialization, Step, work
from sqlanon.spec import Privacy
from sqlanon.spec.metrics import RULES
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
        number: among all, from 1: a model's is that among the models. Metrics that have rows of
            their own are put in order by these.
        metric: what is measured.
        attribute: of which attribute, if it is of one.
        column: where it stands in the relation that has it; None where that has a row for it.
        threshold: what is asked for, as declared.
    """

    number: int
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
        MetricRow(number, _metric(model, noun), model.name, threshold=model.shown)
        for number, model in Requirements(tuple(models))
    ]
    found: dict[str, Sql | Relation] = dict(made)
    wide: dict[str, Found] = {}
    long: dict[str, Found] = {}
    number = len(models)
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
            number += 1
            figures.append(MetricRow(number, metric, attribute, column))
    read = {relation for part in parts for relation in part.inputs.values()}
    inputs = {name: relation for name, relation in measured.items() if relation in read}
    read_made = {one.found for one in (*wide.values(), *long.values())}
    inputs |= {
        f"made_{number}": relation
        for number, relation in enumerate(made.values(), 1)
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
    measured = {
        f"model_{number}": model.relation for number, model in numbered if model.key != sized
    }
    inputs = {"classes": classes} | measured
    unasked = {"attribute": None, "threshold": None, "bound": None}
    figures = [
        unasked | {"number": number, "metric": figure.name, "worst": worst} | _said(figure)
        for number, (figure, worst) in enumerate(
            zip(LEFT_OUT, ("records", "share"), strict=True), len(models) + 1
        )
    ]
    asked = [
        as_parameter(number, model) | _said(_metric(model, noun)) | {"sized": model.key == sized}
        for number, model in numbered
    ]
    if ledger is None and len(asked) == 1 and asked[0]["sized"] and asked[0]["bound"]:
        (alone,) = asked
        told = {name: alone[name] for name in ("metric", "threshold", "direction", "sentence")}
        told |= {"bounds": alone["range"], "k": alone["bound"].numerator}
        return Step("metrics", output, "measure/k_metrics", inputs, told, how)
    return Step(
        "metrics",
        output,
        "measure/asked_metrics",
        inputs if ledger is None else {**inputs, "ledger": ledger},
        {"models": asked, "figures": [] if ledger is None else figures},
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
        return [(column.name, Sql(f"{column.attribute}_{metric.name}")) for column in columns]
    return None


def _reached(models: Sequence[Asked], measured: Mapping[str, Relation]) -> Part:
    """The part that finds what models reach and, of those with a threshold, how many fail it."""
    numbered = list(Requirements(tuple(models)))
    asked = [number for number, model in numbered if model.bound is not None]
    inputs = {f"model_{number}": model.relation for number, model in numbered}
    if asked:
        inputs |= {name: measured[name] for name in ("classes", "held")}
    params = {
        "models": [{"number": number, "relation": model.relation} for number, model in numbered],
        "least": [number for number, model in numbered if model.model.worst == "least"],
        "asked": asked,
    }
    return Part(Sql("reached"), "measure/reached", inputs, params)


def _part(name: str, measured: Mapping[str, Relation], params: Mapping[str, Any]) -> Part | None:
    """A template's part; None if something that it reads is not there."""
    inputs = load_template(name).inputs
    needed = [name for name in inputs if not name.endswith("?")]
    if not all(any(matches(there, [name]) for there in measured) for name in needed):
        return None
    read = [name.removesuffix("?") for name in inputs]
    there = {text: relation for text, relation in measured.items() if matches(text, read)}
    return Part(Sql(name.rpartition("/")[2]), name, there, params)


@dataclass(frozen=True)
class MeasurementPlan:
    """The steps that measure a view, and the relations they leave.

    Attributes:
        steps: in order; the last two make the class report and the metrics.
        class_report: the classes with what was measured in each.
        metrics: the measures, each with what was asked for.
        models: what was measured, in the metrics' order.
    """

    steps: tuple[Step | Check, ...]
    class_report: Relation
    metrics: Relation
    models: tuple[Asked, ...]


@dataclass(frozen=True)
class ToMeasure:
    """The measurements to make of a view, and the relations that they need or go with.

    Attributes:
        privacy: what is asked of every class.
        projected: what is asked of the tuples of some of the quasi-identifiers.
        metrics: the metrics that are asked for, of those that are else not measured.
        full: whether everything is measured that a run measures, asked for or not.
        shares: what the insensitive columns say about single records of the source, if that was
            measured.
        changes: what the transforms change of the source's values, if there are any.
        proved: what the sampling proves, where records are sampled.
        promised: the figures of differential privacy, which every run measures.
        compared: what is compared to find the sensitive columns that give a quasi-identifier back.
        release: the release next to which the class report and the metrics are kept; without one
            they are work relations.
    """

    privacy: Privacy
    projected: tuple[Projected, ...] = ()
    metrics: Collection[str] = ()
    full: bool = True
    shares: Relation | None = None
    changes: Relation | None = None
    proved: Relation | None = None
    promised: tuple[str, ...] = ()
    compared: Compared | None = None
    release: Relation | None = None


def measure(
    view: AdversaryView, wanted: ToMeasure, ledger: Relation | None = None
) -> MeasurementPlan:
    """Plan the measuring of a view.

    Args:
        view: what a reader can tie together.
        wanted: what is to be measured.
        ledger: the account of the records, where some may be left out.
    """
    privacy, metrics = wanted.privacy, wanted.metrics
    shares, changes, release = wanted.shares, wanted.changes, wanted.release
    asked = numbered(asked_models(privacy, view.sensitive, wanted.full), view.numbers)
    asks = not (wanted.full or metrics or wanted.promised)
    # Where classes are counted by their records, k needs no relation of its own.
    sized = OF_RECORDS if asks and view.linked == view.classes else None
    steps: list[Step | Check] = [
        model.step(view.sizes if model.attribute else view.linked, view.class_values, view.units)
        for model in asked
        if model.key != sized and not model.number
    ]
    steps += measuring_steps([model for model in asked if model.number], view.classes)
    steps += projected_steps(view, wanted.projected)
    covering = asked_of_covered(privacy)
    steps += [model.step(COVERED, {}) for model in covering]
    # The k of some columns stands next to the k of all.
    models: tuple[Asked, ...] = (*asked[:1], *wanted.projected, *asked[1:], *covering)
    measured = {"classes": view.classes}
    # The loss of the cells shows what a sensitive column may give back.
    loses = bool(view.priced) and (wanted.full or bool(metrics) or bool(view.sensitive))
    if loses:
        losing = loss_step(view.priced, view.classes, view.centroids)
        steps.append(losing)
        measured["class_loss"] = losing.output
    # Where the classes are no tuples, what is measured of tuples says nothing of a class.
    listed = [
        as_parameter(number, model) | {"sized": model.key == sized}
        for number, model in Requirements(models)
        if model.attribute or not view.tuples
    ]
    reported = {
        f"model_{entry['number']}": entry["relation"] for entry in listed if not entry["sized"]
    }
    class_report, output = work("class_report"), work("metrics")
    how = Materialization.WORK_TABLE
    if release is not None:
        class_report, output = release.sibling("classes"), release.sibling("metrics")
        how = Materialization.TABLE
    reporting = Step(
        "class report",
        class_report,
        "measure/class_report",
        measured | reported,
        {"published": _free(view.shown, listed), "models": listed, "loss": loses},
        how,
    )
    if asks:
        asking = asked_metrics_step(
            models, class_report, view.noun, output, how, ledger=ledger, sized=sized
        )
        steps += [reporting, asking]
        return MeasurementPlan(tuple(steps), class_report, output, models)
    holding = held_step(models, work("held"))
    if holding is not None:
        steps.append(holding)
        measured["held"] = holding.output
    if ledger is not None:
        measured["ledger"] = ledger
    if view.units is not None:
        measured["persons"] = view.sizes
    made = {**view.figures, "measure/unique_records": view.unique_records}
    if shares is not None:
        made["insensitive/shares"] = shares
    if changes is not None:
        made["measure/changes"] = changes
    if wanted.proved is not None:
        made["source/proved"] = wanted.proved
    if view.tuples is not None:
        measured["tuples"] = view.tuples
    if view.priced and any(RULES[name].of_cells for name in metrics):
        made_already = {step.output for step in (*view.steps, *steps) if isinstance(step, Step)}
        cover = cover_steps(view.priced, view.classes)
        steps += [step for step in cover if step.output not in made_already]
        measured["class_cover"] = CLASS_COVER
        measured |= {f"domain_{column.attribute}": column.domain for column in view.priced}
    valued = [
        attribute for attribute in view.sensitive if not isinstance(attribute, HiddenAttribute)
    ]
    measured |= {
        f"class_values_{attribute.alias}": view.class_values[str(attribute.alias)]
        for attribute in valued
    }
    params = {
        "columns": view.priced,
        "k": privacy.k,
        "sensitive": [
            {"name": attribute.name, "class_values": view.class_values[str(attribute.alias)]}
            for attribute in valued
        ],
    }
    metering = metrics_step(
        models,
        measured=measured,
        made=made,
        params=params,
        output=output,
        how=how,
        asked={*metrics, *wanted.promised},
        full=wanted.full,
        noun=view.noun,
    )
    steps += [reporting, metering]
    return MeasurementPlan(tuple(steps), class_report, output, models)


def _free(columns: Sequence[ShownColumn], models: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The published columns, renamed where the class report has a column of that name itself."""
    taken = {"class_id", "records", "information_loss"}
    taken |= {str(model["column"]).lower() for model in models}
    free = []
    for column in columns:
        name = column.name
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        free.append({"alias": column.alias, "name": name})
    return free
