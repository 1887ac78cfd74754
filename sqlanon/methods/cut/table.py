"""The table that is searched, and classes of it that are to be cut or were found."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.methods.cut.constraints import CutConstraint
from sqlanon.methods.cut.scales import UNITS, Losses, LossScale
from sqlanon.sql.names import Relation, Sql


@dataclass(frozen=True)
class Table:
    """The table that is searched.

    Attributes:
        cells: cell_id, stratum, records and the codes of every cell, as numbered on the scales.
        records: how many records there are.
        scales: the quasi-identifiers.
        constraints: the sensitive attributes of which something is asked.
        k: the least class size.
        dealing: whether nodes may be dealt; without strata a dealt cut would be a pooled one.
        losses: what publishing a class loses.
        small: whether it has so few cells that statements take longer than their rows.
    """

    cells: Relation
    records: int
    scales: tuple[LossScale, ...]
    constraints: tuple[CutConstraint, ...]
    k: int
    dealing: bool
    losses: Losses
    small: bool

    @property
    def columns(self) -> tuple[Sql, ...]:
        """The codes of a cell."""
        return (*(one.alias for one in self.scales), *(one.alias for one in self.constraints))

    def share(self, loss: int) -> float:
        """The loss of a record, between 0 and 1, of what all of them lose."""
        return round(loss / self.records / UNITS, 6)


@dataclass(frozen=True)
class Start:
    """Classes of the whole table, to be cut further.

    Attributes:
        parts: the classes.
        percent: to how many percent of t the large sides of pooled cuts are held, so that they can
            be cut further.
    """

    parts: Relation
    percent: int = 100


@dataclass(frozen=True)
class Grouping:
    """Classes that were found.

    Attributes:
        parts: how many records of every cell each class has.
        classes: how many classes there are.
        largest: how many records the largest has.
        loss: what they lose together, in units times records.
        losses: what each of them loses.
    """

    parts: Relation
    classes: int
    largest: int
    loss: int
    losses: Relation
