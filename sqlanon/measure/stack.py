"""The step that stacks every metric of a table in one relation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.measure.asked import Asked
from sqlanon.measure.metrics import BESIDE_MODELS, METRIC_OF, MetricDef
from sqlanon.plan import Materialization, Step
from sqlanon.sql import Relation, load_template
from sqlanon.sql.names import Sql
from sqlanon.sql.templates import matches


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
class Figure:
    """A row of the metrics, read from a relation of one row.

    Attributes:
        metric: what is measured.
        attribute: of which attribute, if it is of one.
        found: the part or the relation that has it.
        column: its column there; None for a privacy model, whose columns are those of every other.
        threshold: what is asked for, as declared.
    """

    metric: MetricDef
    attribute: str | None
    found: Sql | Relation
    column: Sql | None
    threshold: str | None = None


def metrics_step(
    models: Sequence[Asked],
    measured: Mapping[str, Relation],
    made: Mapping[str, Relation],
    params: Mapping[str, Any],
    output: Relation,
    how: Materialization,
    asked: Collection[str] = (),
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
    """
    parts = list(_reached(models, measured))
    alike = {**measured, "classes": measured.get("tuples", measured["classes"])}
    figures = [
        Figure(METRIC_OF[model.metric], model.name, part.name, None, model.shown)
        for model, part in zip(models, parts, strict=True)
    ]
    found: dict[str, Sql | Relation] = dict(made)
    rows = []
    for metric in BESIDE_MODELS:
        if metric.needs is not None and metric.name not in asked:
            continue
        part = None if metric.measured in found else _part(metric.measured, alike, params)
        if part is not None:
            parts.append(part)
            found[metric.measured] = part.name
        if metric.measured not in found:
            continue
        place = found[metric.measured]
        if metric.per == "release":
            figures.append(Figure(metric, None, place, Sql(metric.name)))
        elif metric.per == "quasi-identifier":
            figures += [
                Figure(metric, one.name, place, Sql(f"{one.attribute}_{metric.name}"))
                for one in params["columns"]
            ]
        else:
            source = list(found).index(metric.measured) + 1
            rows.append({"metric": metric, "found": place, "part": source})
    read = {relation for part in parts for relation in part.inputs.values()}
    inputs = {name: relation for name, relation in measured.items() if relation in read}
    inputs |= {f"made_{place}": relation for place, relation in enumerate(made.values(), 1)}
    inputs |= {f"model_{place}": model.relation for place, model in enumerate(models, 1)}
    return Step(
        "metrics",
        output,
        "measure/metrics",
        inputs,
        {"parts": parts, "figures": figures, "rows": rows},
        how,
    )


def _reached(models: Sequence[Asked], measured: Mapping[str, Relation]) -> Iterator[Part]:
    for place, model in enumerate(models, 1):
        inputs = {"measured": model.relation}
        if model.bound is not None:
            inputs |= {name: measured[name] for name in ("classes", "held")}
        yield Part(
            Sql(f"reached_{place}"),
            "measure/reached",
            inputs,
            {"place": place, "worst": model.model.worst, "bound": model.bound},
        )


def _part(name: str, measured: Mapping[str, Relation], params: Mapping[str, Any]) -> Part | None:
    """A template's part; None if something that it reads is not there."""
    inputs = load_template(name).inputs
    needed = [one for one in inputs if not one.endswith("?")]
    if not all(any(matches(there, [one]) for there in measured) for one in needed):
        return None
    read = [one.removesuffix("?") for one in inputs]
    there = {one: relation for one, relation in measured.items() if matches(one, read)}
    return Part(Sql(name.rpartition("/")[2]), name, there, params)
