"""Cells with their places, and the models of their classes: what searches by distance share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from sqlanon.domains.attribute import QuasiAttribute, follows
from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.measure.asked import Asked, Requirements
from sqlanon.methods.cut.scales import LossScale, make_scales
from sqlanon.methods.level.judging import counted_classes, held_classes
from sqlanon.methods.method import Task
from sqlanon.methods.workspace import CELLS, PARTS, Workspace, sensitive_asked
from sqlanon.plan import SearchBase
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.model import Demand
from sqlanon.sql.names import Relation, Sql


@dataclass(frozen=True)
class Table:
    """The cells of all clusters, and the models that classes of them are held to.

    Attributes:
        workspace: makes the relations.
        records: how many records the table has.
        cells: a row for each combination of codes in the data.
        places: where every cell of a cluster lies.
        coordinates: the codes that the records of a cell share.
        scales: the quasi-identifiers, as they are priced.
        attributes: the same, as they are declared.
        sensitive: the sensitive attributes of which something is asked.
        asked: the models that every class must meet.
        k: the least class size.
        alike: the models that clusters are made for, where classes are not formed within them.
    """

    workspace: Workspace
    records: int
    cells: Relation
    places: Relation
    coordinates: tuple[Sql, ...]
    scales: Sequence[LossScale]
    attributes: tuple[QuasiAttribute, ...]
    sensitive: tuple[Sql, ...]
    asked: Sequence[Asked]
    k: int
    alike: Sequence[Asked] = ()

    @property
    def axes(self) -> tuple[int, ...]:
        """The quasi-identifiers by number, from 1."""
        return tuple(range(1, len(self.scales) + 1))

    @property
    def tested(self) -> list[Asked]:
        """The models that a part of a cluster may fail: it is as alike as the cluster.

        Where there is no other, any record is a class.
        """
        found = [model for model in self.asked if not follows(model.attribute)]
        return [*(found or [Asked(Demand(K_ANONYMITY, self.k))]), *self.alike]

    @property
    def lasting(self) -> list[int]:
        """The numbers, among `tested`, of models that no class meets again that has failed them."""
        return [
            number
            for number, requirement in Requirements(tuple(self.tested))
            if requirement in self.alike
        ]

    @property
    def least(self) -> int:
        """How many records a class has at least."""
        return max([self.k, *(model.demand.least_size for model in self.tested)])

    @property
    def positions(self) -> dict[Sql, Relation]:
        """The values of every attribute of which something is asked."""
        return {
            model.attribute.alias: model.attribute.positions
            for model in self.asked
            if model.attribute
        }

    def centroids(self, title: str, name: str, shares: Relation) -> Relation:
        """The middle of every class, of which is given how many records of each cell it has."""
        made = {"shares": shares, "places": self.places}
        return self.workspace.make(title, name, "methods/grow/centroids", made, axes=self.axes)

    def formed(self, title: str, name: str, shares: Relation) -> Relation:
        """The cells of every class, with the values of which something is asked."""
        made = {"shares": shares, "cells": self.cells}
        columns = tuple(self.positions)
        return self.workspace.make(title, name, "methods/grow/formed", made, columns=columns)

    def sized(
        self, title: str, cells: Relation, models: Sequence[Asked]
    ) -> tuple[Relation, dict[str, Relation]]:
        """The sizes of classes, and how many records of them have each value."""
        asked = dict.fromkeys(model.attribute.alias for model in models if model.attribute)
        positions = {alias: self.positions[alias] for alias in asked}
        return counted_classes(self.workspace, title, "uhra", cells, positions)

    def judged(
        self, title: str, cells: Relation, models: Sequence[Asked]
    ) -> tuple[Relation, Relation]:
        """The sizes of classes, and which of them meets which model."""
        classes, values = self.sized(title, cells, models)
        return classes, held_classes(self.workspace, models, classes, values)


@dataclass(frozen=True)
class PlacedSearch(SearchBase):
    """A search for classes by distance.

    Attributes:
        cells: a row for each combination of codes in the data: cell_id, q1, …, s1, …, records.
        parts: the relation to make: how many records of each cell go to each class, as cell_id,
            class_id (from 0, without gaps) and records.
        coded: the records with their codes.
        coordinates: the codes that the records of a cell share.
        quasi: the quasi-identifiers, as they are priced.
        attributes: the same, as they are declared.
        sensitive: the sensitive attributes of which something is asked.
        models: everything that every class must meet.
        k: the least class size.
    """

    cells: Relation
    parts: Relation
    coded: Relation
    coordinates: tuple[Sql, ...]
    quasi: tuple[QuasiIdentifierScale, ...]
    attributes: tuple[QuasiAttribute, ...]
    sensitive: tuple[Sql, ...]
    models: tuple[Asked, ...]
    k: int

    @classmethod
    def of(cls, task: Task, quasi: tuple[QuasiIdentifierScale, ...], **own: Any) -> Self:
        """The search that a method's task asks for.

        Args:
            task: what the method is given.
            quasi: the quasi-identifiers, as they are priced.
            own: the fields that only this search has.
        """
        sensitive = sensitive_asked(task)
        return cls(
            cells=CELLS,
            parts=PARTS,
            coded=task.coded,
            coordinates=(*task.quasi_codes, *sensitive, *task.unit_codes),
            quasi=quasi,
            attributes=task.quasi_identifiers,
            sensitive=sensitive,
            models=task.models,
            k=task.k,
            **own,
        )

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.parts

    def table(
        self, workspace: Workspace, zones: Relation | None, alike: Sequence[Asked] = ()
    ) -> Table:
        """Count the records and place the cells.

        Args:
            workspace: makes the relations.
            zones: the cluster of every cell that is kept; None for the table as one.
            alike: the models that clusters are made for, where classes are not formed in them.
        """
        beside = (model.attribute.alias for model in alike if model.attribute)
        sensitive = (*self.sensitive, *beside)
        cells = self.cells
        records = int(workspace.one("cells/record_count", {"cells": cells})["records"])
        scales = make_scales(workspace, cells, records, self.quasi, whole_groups=True)
        places = placed(workspace, cells, zones, scales, self.quasi, sensitive)
        return Table(
            workspace=workspace,
            records=records,
            cells=cells,
            places=places,
            coordinates=self.coordinates,
            scales=scales,
            attributes=self.attributes,
            sensitive=sensitive,
            asked=[model for model in self.models if model.bound is not None],
            k=self.k,
            alike=alike,
        )


def placed(
    workspace: Workspace,
    cells: Relation,
    zones: Relation | None,
    scales: Sequence[LossScale],
    quasi: Sequence[QuasiIdentifierScale],
    sensitive: Sequence[Sql] = (),
) -> Relation:
    """Where every cell lies among the quasi-identifiers.

    Args:
        workspace: makes the relation.
        cells: a row for each combination of codes in the data.
        zones: the cluster of every cell that is kept; None for the table as one.
        scales: the quasi-identifiers, as they are priced.
        quasi: the same, before they were laid out.
        sensitive: further columns of the cells to go on.
    """
    inputs = {"cells": cells} | {f"scale_{scale.alias}": scale.relation for scale in scales}
    return workspace.make(
        "placing the cells",
        "places",
        "methods/grow/places",
        inputs if zones is None else {**inputs, "zones": zones},
        scales=scales,
        measured=[scale.alias for scale in quasi if scale.height is None],
        sensitive=sensitive,
        clustered=zones is not None,
    )
