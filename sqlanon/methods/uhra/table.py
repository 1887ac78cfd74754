"""What UHRA works on: cells with their places, and the models classes are held to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.domains import QuasiAttribute
from sqlanon.measure import Asked
from sqlanon.methods.lattice.judging import held_classes
from sqlanon.methods.split_or_deal.scales import Scale
from sqlanon.methods.workspace import Workspace
from sqlanon.privacy import Demand
from sqlanon.privacy.background import BACKGROUND
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


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
    """

    workspace: Workspace
    records: int
    cells: Relation
    places: Relation
    coordinates: tuple[Sql, ...]
    scales: Sequence[Scale]
    attributes: tuple[QuasiAttribute, ...]
    sensitive: tuple[Sql, ...]
    asked: Sequence[Asked]
    k: int

    @property
    def axes(self) -> tuple[int, ...]:
        """The quasi-identifiers by number, from 1."""
        return tuple(range(1, len(self.scales) + 1))

    @property
    def tested(self) -> list[Asked]:
        """The models that a part of a cluster may fail: it is as alike as the cluster.

        Where there is no other, any record is a class.
        """
        found = [one for one in self.asked if one.model is not BACKGROUND]
        return found or [Asked(Demand(K_ANONYMITY, self.k))]

    @property
    def least(self) -> int:
        """How many records a class has at least."""
        return max([self.k, *(one.demand.least_size for one in self.tested)])

    @property
    def positions(self) -> dict[Sql, Relation]:
        """The values of every attribute of which something is asked."""
        return {one.attribute.alias: one.attribute.positions for one in self.asked if one.attribute}

    def judged(
        self, title: str, cells: Relation, models: Sequence[Asked]
    ) -> tuple[Relation, Relation]:
        """The sizes of classes, and which of them meets which model."""
        workspace, inputs = self.workspace, {"chosen_cells": cells}
        attributes = dict.fromkeys(one.attribute.alias for one in models if one.attribute)
        classes = workspace.make(title, "uhra_classes", "lattice/chosen_classes", inputs)
        values = {
            str(alias): workspace.make(
                title,
                f"uhra_values_{alias}",
                "lattice/chosen_values",
                {**inputs, "positions": self.positions[alias]},
                attribute=alias,
            )
            for alias in attributes
        }
        return classes, held_classes(workspace, models, classes, values)
