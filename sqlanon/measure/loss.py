"""Information loss: how the published cells of quasi-identifiers are read back and priced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.forms import form_of, published_columns
from sqlanon.forms.form import Enough, PublishedColumn
from sqlanon.plan import Step, work
from sqlanon.sql.names import Relation, Sql

CLASS_LOSS = work("class_loss")


@dataclass(frozen=True)
class LossColumn:
    """A quasi-identifier whose information loss is measured on its published cells.

    Attributes:
        attribute: its alias.
        name: the source's column.
        alias: the published column, or the one of the lower bounds.
        upper: the published column of the upper bounds, if there is one.
        priced: how a cell is read and priced: a file of ``macros/priced``.
        kind: the kind of its values.
        weight: its share in the loss, as a whole number.
        domain: its values.
        nodes: the groups of its hierarchy; None without one.
        of: the quasi-identifier itself.
        published: its columns of the release.
    """

    attribute: Sql
    name: str
    alias: Sql
    upper: Sql | None
    priced: str
    kind: str
    weight: int
    domain: Relation
    nodes: Relation | None
    of: QuasiAttribute
    published: tuple[PublishedColumn, ...]

    @property
    def labels(self) -> bool:
        """Whether its cells are labels of a hierarchy."""
        return form_of(self.of).rule.shows == "label"

    @property
    def height(self) -> int:
        """How many levels of its hierarchy lie below the root."""
        return self.of.height


def loss_columns(attributes: Sequence[QuasiAttribute]) -> tuple[LossColumn, ...]:
    """How each quasi-identifier's published cells are read back into a loss."""
    published = published_columns(attributes)
    weights = [attribute.weight for attribute in attributes]
    scale = math.lcm(*(weight.denominator for weight in weights))
    columns = []
    for attribute, weight in zip(attributes, weights, strict=True):
        own = tuple(column for column in published if column.attribute == attribute.alias)
        first, *rest = (column.alias for column in own)
        columns.append(
            LossColumn(
                attribute=attribute.alias,
                name=attribute.name,
                alias=first,
                upper=rest[0] if rest else None,
                priced=form_of(attribute).loss(attribute),
                kind=attribute.kind,
                weight=int(weight * scale),
                domain=attribute.domain,
                nodes=attribute.nodes,
                of=attribute,
                published=own,
            )
        )
    return tuple(columns)


def centroid_step(
    attributes: Sequence[QuasiAttribute], assigned: Relation, recoded: Relation, enough: Enough
) -> Step | None:
    """The step that finds what centroids lose, which they do not tell; None without any.

    Args:
        attributes: the quasi-identifiers.
        assigned: the records with their class and codes.
        recoded: what every class publishes.
        enough: of how many of a class a value must be known where one is computed of them.
    """
    columns, domains = list[dict[str, Any]](), dict[str, Relation]()
    for attribute in attributes:
        priced = form_of(attribute).loss_in_class(attribute)
        if priced is not None:
            columns.append({"attribute": attribute.alias, "priced": priced, "kind": attribute.kind})
            domains[str(attribute.alias)] = attribute.domain
    if not columns:
        return None
    return Step(
        "what the values lose that centroids stand for",
        work("centroid_losses"),
        "measure/centroid_losses",
        {"assigned": assigned, "recoded": recoded}
        | {f"domain_{alias}": relation for alias, relation in domains.items()},
        {
            "columns": columns,
            "domains": domains,
            "published": tuple(column.alias for column in published_columns(attributes)),
            **enough.params,
        },
    )


def loss_step(
    columns: Sequence[LossColumn], classes: Relation, centroids: Relation | None = None
) -> Step:
    """The step that measures the information loss of every class.

    Args:
        columns: the quasi-identifiers, at least one.
        classes: a row for each class, with its published cells.
        centroids: what centroids lose; without it that is not known.
    """
    domains = {str(column.attribute): column.domain for column in columns}
    nodes = {str(column.attribute): column.nodes for column in columns if column.nodes is not None}
    untold = [
        column for column in columns if form_of(column.of).loss_in_class(column.of) is not None
    ]
    return Step(
        "information loss of each class",
        CLASS_LOSS,
        "measure/class_loss",
        {"classes": classes}
        | ({} if centroids is None else {"centroid_losses": centroids})
        | {f"domain_{alias}": relation for alias, relation in domains.items()}
        | {f"nodes_{alias}": relation for alias, relation in nodes.items()},
        {
            "columns": list(columns),
            "total_weight": sum(column.weight for column in columns),
            "domains": domains,
            "nodes": nodes,
            "found": () if centroids is None else tuple(column.attribute for column in untold),
            "published": tuple(
                published_column.alias
                for column in columns
                for published_column in column.published
            ),
        },
    )
