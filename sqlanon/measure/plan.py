"""Measuring a view: every privacy model in every class, the information lost, and the metrics."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.domains.attribute import HiddenAttribute
from sqlanon.measure.asked import (
    OF_RECORDS,
    Asked,
    Requirements,
    as_parameter,
    asked_models,
    asked_of_covered,
    held_step,
)
from sqlanon.measure.copies import Compared
from sqlanon.measure.cover import CLASS_COVER, cover_steps
from sqlanon.measure.loss import loss_step
from sqlanon.measure.projected import Projected, projected_steps
from sqlanon.measure.stack import asked_metrics_step, metrics_step
from sqlanon.measure.together import measuring_steps, numbered
from sqlanon.measure.view import COVERED, AdversaryView, ShownColumn
from sqlanon.plan import Check, Materialization, Step, work
from sqlanon.spec import Privacy
from sqlanon.spec.metrics import RULES
from sqlanon.sql.names import Relation


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
        one.step(view.sizes if one.attribute else view.linked, view.class_values, view.units)
        for one in asked
        if one.key != sized and not one.number
    ]
    steps += measuring_steps([one for one in asked if one.number], view.classes)
    steps += projected_steps(view, wanted.projected)
    covering = asked_of_covered(privacy)
    steps += [one.step(COVERED, {}) for one in covering]
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
        as_parameter(place, model) | {"sized": model.key == sized}
        for place, model in Requirements(models)
        if model.attribute or not view.tuples
    ]
    reported = {f"model_{one['place']}": one["relation"] for one in listed if not one["sized"]}
    class_report, output = work("class_report"), work("metrics")
    how = Materialization.WORK_TABLE
    if release is not None:
        class_report, output = release.beside("classes"), release.beside("metrics")
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
        made_already = {one.output for one in (*view.steps, *steps) if isinstance(one, Step)}
        cover = cover_steps(view.priced, view.classes)
        steps += [one for one in cover if one.output not in made_already]
        measured["class_cover"] = CLASS_COVER
        measured |= {f"domain_{one.attribute}": one.domain for one in view.priced}
    valued = [one for one in view.sensitive if not isinstance(one, HiddenAttribute)]
    measured |= {f"class_values_{one.alias}": view.class_values[str(one.alias)] for one in valued}
    params = {
        "columns": view.priced,
        "k": privacy.k,
        "sensitive": [
            {"name": one.name, "class_values": view.class_values[str(one.alias)]} for one in valued
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
