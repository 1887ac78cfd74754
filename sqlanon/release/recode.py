"""Recoding: what stands in a class's records in place of their quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.hierarchies import Attribute
from sqlanon.plan import How, Step, work
from sqlanon.spec import Kind
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class Published:
    """A column of the release that stands for a quasi-identifier.

    Attributes:
        alias: its name in work relations: p1, p2, ….
        name: its name in the release.
        attribute: the quasi-identifier's alias.
        kind: the kind of its values.
        form: interval, lower or upper bound, set, or lca (a label of the hierarchy).
        height: the levels of the hierarchy below the root.
    """

    alias: Sql
    name: str
    attribute: Sql
    kind: Kind
    form: str
    height: int


def published_columns(attributes: Sequence[Attribute]) -> list[Published]:
    """The columns of the release that stand for the quasi-identifiers, in the spec's order."""
    columns: list[Published] = []
    for attribute in attributes:
        publish = attribute.publish
        ends = (("lower", "_min"), ("upper", "_max"))
        for form, suffix in ends if publish == "bounds" else ((publish, ""),):
            alias = Sql(f"p{len(columns) + 1}")
            name = attribute.name + suffix
            kind = attribute.kind if publish == "bounds" else "text"
            columns.append(Published(alias, name, attribute.alias, kind, form, attribute.height))
    return columns


def recoding_steps(
    assigned: Relation,
    recoded: Relation,
    published: Sequence[Published],
    attributes: Sequence[Attribute],
) -> list[Step]:
    """The steps that find what every class publishes.

    Args:
        assigned: the records with their class and codes.
        recoded: the relation to make: a row for each class.
        published: the columns of the release that stand for quasi-identifiers.
        attributes: the quasi-identifiers.
    """
    boxes = work("boxes")
    domains = {str(attribute.alias): attribute.domain for attribute in attributes}
    as_sets = [column for column in published if column.form == "set"]
    sets = {str(column.attribute): work("sets_", column.attribute) for column in as_sets}
    bounded = tuple(one.alias for one in attributes if str(one.alias) not in sets)
    steps = [
        Step(
            "the extent of every class",
            boxes,
            "release/boxes",
            {"assigned": assigned},
            {"quasi_identifiers": bounded},
        )
    ]
    steps += [
        Step(
            f"the set of {column.name} in every class",
            sets[str(column.attribute)],
            "release/sets",
            {"assigned": assigned, "domain": domains[str(column.attribute)]},
            {"attribute": column.attribute},
        )
        for column in as_sets
    ]
    inputs: dict[str, Any] = {"boxes": boxes}
    inputs |= {f"domain_{alias}": domains[alias] for alias in domains if alias not in sets}
    inputs |= {f"sets_{alias}": relation for alias, relation in sets.items()}
    steps.append(
        Step(
            "what every class publishes",
            recoded,
            "release/recoded",
            inputs,
            {"published": tuple(published), "domains": domains, "sets": sets},
        )
    )
    return steps


def release_steps(
    assigned: Relation,
    recoded: Relation,
    release: Relation,
    published: Sequence[Published],
    sensitive: Sequence[Attribute],
    insensitive: Sequence[dict[str, Any]],
    as_view: bool,
    how: How = How.TABLE,
) -> list[Step]:
    """The steps that write the release: its declared columns and nothing else.

    It is written from a relation that holds only what is published, in the order of just that;
    as a table, or on trial as a work table.
    """
    ordered = work("ordered")
    domains = {str(attribute.alias): attribute.domain for attribute in sensitive}
    rows = release.beside("rows") if as_view else release
    steps = [
        Step(
            "ordering the records by what they publish",
            ordered,
            "release/ordered",
            {"assigned": assigned, "recoded": recoded},
            {"sensitive": tuple(sensitive), "insensitive": tuple(insensitive)},
        ),
        Step(
            "writing the release",
            rows,
            "release/release",
            {"ordered": ordered, "recoded": recoded}
            | {f"domain_{alias}": relation for alias, relation in domains.items()},
            {
                "published": tuple(published),
                "sensitive": tuple(sensitive),
                "insensitive": tuple(insensitive),
                "domains": domains,
            },
            how,
        ),
    ]
    if as_view:
        names = [column.name for column in published]
        names += [attribute.name for attribute in sensitive]
        names += [column["name"] for column in insensitive]
        steps.append(
            Step(
                "the view of the release",
                release,
                "release/everything",
                {"rows": rows},
                {"columns": [{"name": name} for name in names]},
                How.VIEW,
            )
        )
    return steps
