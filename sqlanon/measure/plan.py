"""The steps that measure a table as its reader sees it: classes are equal published tuples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.forms import form_of
from sqlanon.hierarchies import QuasiAttribute, SensitiveAttribute
from sqlanon.measure.asked import Asked, held_step, shown
from sqlanon.measure.insensitive import Released
from sqlanon.plan import Check, Materialization, Step, work
from sqlanon.spec import Kind
from sqlanon.sql import Relation
from sqlanon.sql.names import Query, Sql

# How many records no other equals in what is published, without and with the sensitive attributes.
UNIQUE = (
    "unique_records",
    "unique_share",
    "unique_with_sensitive",
    "unique_with_sensitive_share",
)


@dataclass(frozen=True)
class Measured:
    """A published column of quasi-identifiers: its alias in work relations, its name and kind."""

    alias: Sql
    name: str
    kind: Kind


@dataclass(frozen=True)
class LossColumn:
    """A quasi-identifier whose information loss is measured on its published cells.

    Attributes:
        attribute: its alias.
        name: the source's column.
        alias: the published column, or the one of the lower bounds.
        upper: the published column of the upper bounds, if there is one.
        form: how a cell is read: as an interval, a set, or a label of the hierarchy.
        kind: the kind of its values.
        weight: its share in the loss, as a whole number.
    """

    attribute: Sql
    name: str
    alias: Sql
    upper: Sql | None
    form: str
    kind: str
    weight: int


@dataclass(frozen=True)
class Measurement:
    """The steps that measure a table, and the relations they leave.

    Attributes:
        steps: in order; the last two make the class report and the metrics.
        classes: a row for each equivalence class.
        class_report: the classes with what was measured in each.
        metrics: the table's measures beside what was asked for.
        models: what was measured, in the metrics' order.
    """

    steps: tuple[Step | Check, ...]
    classes: Relation
    class_report: Relation
    metrics: Relation
    models: tuple[Asked, ...]


def loss_columns(
    attributes: Sequence[QuasiAttribute], aliases: dict[str, list[Sql]]
) -> list[LossColumn]:
    """How each quasi-identifier's published cells are read back into a loss.

    Args:
        attributes: the quasi-identifiers.
        aliases: the published columns of each, by its alias.
    """
    weights = [attribute.weight for attribute in attributes]
    scale = math.lcm(*(weight.denominator for weight in weights))
    columns = []
    for attribute, weight in zip(attributes, weights, strict=True):
        first, *rest = aliases[attribute.alias]
        columns.append(
            LossColumn(
                attribute.alias,
                attribute.name,
                first,
                rest[0] if rest else None,
                form_of(attribute).loss(attribute),
                attribute.kind,
                int(weight * scale),
            )
        )
    return columns


def measurement(
    table: Any,
    published: Sequence[Measured],
    sensitive: Sequence[SensitiveAttribute],
    models: Sequence[Asked],
    loss: Sequence[LossColumn],
    attributes: Sequence[QuasiAttribute],
    k: int | None,
    insensitive: Sequence[Released] = (),
    shares: Relation | None = None,
    class_report: Relation | None = None,
    metrics: Relation | None = None,
    person: Sql | None = None,
) -> Measurement:
    """Plan the measuring of a table.

    Args:
        table: the relation or FROM item to measure.
        published: its quasi-identifier columns.
        sensitive: its sensitive attributes, with the reference distribution in their positions.
        models: what to measure in every class.
        loss: the columns whose information loss is measured; none if that cannot be known.
        attributes: the quasi-identifiers' domains, for the loss.
        k: the class size asked for, for the average class size metric.
        insensitive: its columns that are as in the source.
        shares: what these say about single records of the source, if that was measured.
        class_report: where the report of the classes goes; a work relation by default.
        metrics: where the metrics go; a work relation by default.
        person: where persons are counted in place of records, the column with their numbers; the
            table's columns then are called by their aliases.
    """
    measured, classes, class_loss = work("measured"), work("classes"), work("class_loss")
    read: list[Measured | SensitiveAttribute | Released] = [*published, *sensitive, *insensitive]
    columns = [
        {"name": one.name, "alias": one.alias, "kind": one.kind, "codes": (), "tie": None}
        for one in read
    ]
    named: list[dict[str, Any]] = columns
    if person is not None:
        named = [{**column, "name": str(column["alias"])} for column in columns]
        named.append(
            {"name": str(person), "alias": person, "kind": "integer", "codes": (), "tie": None}
        )
    tuple_params = {"published": tuple(column.alias for column in published)}
    steps: list[Step | Check] = [
        Step(
            "the table as it is read",
            measured,
            "source/records",
            {"source": table},
            {"columns": named},
            Materialization.WORK_TABLE if isinstance(table, Query) else Materialization.WORK_VIEW,
        ),
        Step(
            "equivalence classes",
            classes,
            "measure/classes",
            {"measured": measured},
            tuple_params,
        ),
    ]
    unique_records = work("unique_records")
    counting = "measure/class_values" if person is None else "persons/class_values"
    sizes, class_values = classes, {}
    pairs: dict[str, Relation] = {}
    if person is not None:
        sizes = work("class_persons")
        steps.append(
            Step(
                "persons of each class",
                sizes,
                "persons/class_persons",
                {"measured": measured, "classes": classes},
                tuple_params,
            )
        )
    for attribute in sensitive:
        relation = class_values[str(attribute.alias)] = work("class_values_", attribute.alias)
        params = {"attribute": attribute.alias, "telling": attribute.telling}
        steps += [
            Check(
                f"known values of {attribute.name}",
                "measure/check_known_values",
                {"measured": measured, "positions": attribute.positions},
                params,
                f"sensitive.{attribute.name}",
                "{unknown} values, in {records} records, are not in the reference table: "
                "closeness to it has no meaning",
            ),
            Step(
                f"values of {attribute.name} in each class",
                relation,
                counting,
                {"measured": measured, "classes": classes, "positions": attribute.positions},
                {**params, **tuple_params},
            ),
        ]
        if person is not None:
            pairs[str(attribute.alias)] = work("class_pairs_", attribute.alias)
            steps.append(
                Step(
                    f"pairs of a person and a value of {attribute.name} in each class",
                    pairs[str(attribute.alias)],
                    "persons/class_pairs",
                    {"class_values": relation},
                )
            )
    steps.append(
        Step(
            "records that no other equals",
            unique_records,
            "measure/unique_records",
            {"measured": measured, "classes": classes},
            {
                **tuple_params,
                "insensitive": tuple(one.alias for one in insensitive),
                "sensitive": tuple(one.alias for one in sensitive),
            },
        )
    )
    counted = None if person is None else pairs
    steps += [model.step(sizes, class_values, counted) for model in models]
    loss_params: dict[str, Any] = {"columns": list(loss), "loss": bool(loss)}
    inputs: dict[str, Any] = {"classes": classes}
    if loss:
        domains = {str(one.alias): one.domain for one in attributes}
        nodes = {str(one.alias): one.nodes for one in attributes if one.nodes is not None}
        steps.append(
            Step(
                "information loss of each class",
                class_loss,
                "measure/class_loss",
                inputs
                | {f"domain_{alias}": relation for alias, relation in domains.items()}
                | {f"nodes_{alias}": relation for alias, relation in nodes.items()},
                {
                    "columns": list(loss),
                    "total_weight": sum(column.weight for column in loss),
                    "domains": domains,
                    "nodes": nodes,
                },
            )
        )
        inputs["class_loss"] = class_loss
    inputs |= {f"model_{place}": model.relation for place, model in enumerate(models, 1)}
    listed = [shown(place, model) for place, model in enumerate(models, 1)]
    judged: dict[str, Any] = {"unique_records": unique_records}
    holding = held_step(models, work("held"))
    if holding is not None:
        steps.append(holding)
        judged["held"] = holding.output
    if shares is not None:
        judged["shares"] = shares
    class_report = class_report or work("class_report")
    metrics = metrics or work("metrics")
    how = (
        Materialization.TABLE
        if metrics.name != work("metrics").name
        else Materialization.WORK_TABLE
    )
    steps += [
        Step(
            "class report",
            class_report,
            "measure/class_report",
            inputs,
            {
                "published": _free(columns[: len(published)], listed),
                "models": listed,
                **loss_params,
            },
            how,
        ),
        Step(
            "metrics",
            metrics,
            "measure/metrics",
            inputs | judged,
            {"models": listed, "k": k, **loss_params}
            | ({"shares": None} if shares is None else {}),
            how,
        ),
    ]
    return Measurement(tuple(steps), classes, class_report, metrics, tuple(models))


def _free(columns: list[dict[str, Any]], models: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The published columns, renamed where the class report has a column of that name itself."""
    taken = {"class_id", "records", "information_loss"}
    taken |= {str(model["column"]).lower() for model in models}
    free = []
    for column in columns:
        name = str(column["name"])
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        free.append({**column, "name": name})
    return free
