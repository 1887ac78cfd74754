"""Scales: how a quasi-identifier orders its codes, and what publishing a stretch of them loses.

The table that is searched has a scale for each of its columns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.methods.cut.constraints import CutConstraint
from sqlanon.methods.workspace import Workspace
from sqlanon.sql.names import Relation, Sql

# A loss of 1, the whole domain, in the whole numbers that losses are counted in.
UNITS = 10**9

# Into how many bins of equal width a quasi-identifier without a hierarchy is cut for carving: a
# lattice may have as many levels of it as keep the lattice small. Widths that are no multiples of
# each other put the borders in different places (CARVE.md §2, measured on Adult).
_Bins = tuple[Fraction, ...]

# The unit of the loss: the share of the domain that is published, or the error of a reader's query.
Objective = Literal["ncp", "queries"]


def _bins_of(widths: str) -> _Bins:
    return tuple(map(Fraction, widths.split()))


_BINS = (
    _bins_of(""),
    _bins_of("3"),
    _bins_of("8 3"),
    _bins_of("15 7.3 3.65 2"),
    _bins_of("37 15 7.3 5 3.65 2"),
    _bins_of("37 25 15 10 7.3 5.2 3.65 2"),
)
_BINS_OF_WHOLE_GROUPS = (*_BINS[:3], _bins_of("37 15 7.3 2.9"))
_SMALL_LATTICE, _LARGE_LATTICE, _LATTICE_OF_WHOLE_GROUPS = 300, 4000, 6000


@dataclass(frozen=True)
class LossScale:
    """A quasi-identifier, as the templates of a search read it.

    Attributes:
        alias: its column.
        listed: whether values are priced one by one, and not all from the least to the greatest.
        grouped: whether a hierarchy has nodes above its codes; else they are as far apart as on an
            axis.
        units: what publishing its whole domain loses.
        codes: how many codes it has.
        levels: how many levels carving may use, single codes and the root among them.
        relation: a row for each code: its number, its place, and its node and loss at each level.
    """

    alias: Sql
    listed: bool
    grouped: bool
    units: int
    codes: int
    levels: int
    relation: Relation

    @property
    def step(self) -> int:
        """The loss of one more value of a set."""
        return self.units // max(1, self.codes - 1)


def make_scales(
    workspace: Workspace,
    cells: Relation,
    records: int,
    quasi: Sequence[QuasiIdentifierScale],
    whole_groups: bool,
    objective: Objective = "ncp",
) -> tuple[LossScale, ...]:
    """Lay every quasi-identifier out on a scale.

    Args:
        workspace: makes the scales.
        cells: the table.
        records: how many records it has.
        quasi: the quasi-identifiers.
        whole_groups: whether carving will take groups whole, which costs less for each node.
        objective: what the loss counts.
    """
    total = sum(scale.weight for scale in quasi)
    widths = _bins(quasi, whole_groups)
    scales = []
    for scale in quasi:
        units = math.floor(UNITS * scale.weight / total + Fraction(1, 2))
        params = {
            "column": scale.alias,
            "units": units,
            "table_records": records,
            "objective": objective,
        }
        if scale.levels is not None and scale.losses is not None and scale.height is not None:
            levels = scale.height + 1
            relation = workspace.make(
                f"laying out the hierarchy of {scale.alias}",
                f"scale_{scale.alias}",
                "methods/cut/scale_hierarchy",
                {"cells": cells, "levels": scale.levels, "losses": scale.losses},
                height=scale.height,
                in_periods=scale.in_periods,
                **params,
            )
        else:
            levels = len(widths) + 2
            relation = workspace.make(
                f"laying out the values of {scale.alias}",
                f"scale_{scale.alias}",
                "methods/cut/scale_axis",
                {"cells": cells} | ({} if scale.axis is None else {"axis": scale.axis}),
                measured=scale.axis is not None,
                widths=widths,
                **params,
            )
        codes = workspace.rows(relation)
        scales.append(
            LossScale(
                alias=scale.alias,
                listed=scale.listed,
                grouped=scale.levels is not None,
                units=units,
                codes=codes,
                levels=levels,
                relation=relation,
            )
        )
    return tuple(scales)


@dataclass(frozen=True)
class Block:
    """A sensitive attribute whose values dealt cuts keep in proportion.

    Attributes:
        alias: its column.
        bins: the bins of neighbouring values that are kept in place of the values.
    """

    alias: Sql
    bins: Relation | None = None


def split_cells(
    workspace: Workspace, cells: Relation, scales: Sequence[LossScale], blocks: Sequence[Block]
) -> Relation:
    """The cells with their codes as the scales number them."""
    bins = {f"bins_{block.alias}": block.bins for block in blocks if block.bins is not None}
    return workspace.make(
        "placing the cells on the scales",
        "search_cells",
        "methods/cut/placed_cells",
        {"cells": cells, **by_alias(scales), **bins},
        scales=scales,
        strata=blocks,
    )


@dataclass(frozen=True)
class Losses:
    """The loss of publishing a class, as templates read it.

    Attributes:
        boxed: the quasi-identifiers that are published as a box: from a code to another.
        listed: those that are published as a list of values.
        levels: how many levels the hierarchies of the first have at most.
        scales: the scales of the first in one relation, numbered from 1; None without any.
        objective: what the loss counts.
    """

    boxed: tuple[LossScale, ...]
    listed: tuple[LossScale, ...]
    levels: int
    scales: Relation | None
    objective: Objective

    @property
    def inputs(self) -> dict[str, Relation]:
        """The relations that a template reads."""
        return {} if self.scales is None else {"box_scales": self.scales}

    @property
    def params(self) -> dict[str, Any]:
        """The parameters of a template."""
        return {
            "boxed": self.boxed,
            "listed": self.listed,
            "levels": self.levels,
            "objective": self.objective,
        }


def make_losses(
    workspace: Workspace, scales: Sequence[LossScale], objective: Objective = "ncp"
) -> Losses:
    """Lay out what publishing a class loses."""
    boxed = tuple(scale for scale in scales if not scale.listed)
    listed = tuple(scale for scale in scales if scale.listed)
    levels = max((scale.levels for scale in boxed if scale.grouped), default=1)
    relation = None
    if boxed:
        relation = workspace.make(
            "gathering the scales",
            "box_scales",
            "methods/cut/box_scales",
            by_alias(boxed),
            boxed=boxed,
            levels=levels,
        )
    return Losses(boxed, listed, levels, relation, objective)


def by_alias(scales: Sequence[LossScale]) -> dict[str, Relation]:
    """The scales as a template's inputs."""
    return {f"scale_{scale.alias}": scale.relation for scale in scales}


def _bins(quasi: Sequence[QuasiIdentifierScale], whole_groups: bool) -> _Bins:
    """The most bins that keep the lattice small, or else few bins that keep it from being huge."""
    hierarchies = math.prod(scale.height + 1 for scale in quasi if scale.height is not None)
    without = sum(scale.height is None for scale in quasi)

    def most(candidates: Sequence[_Bins], limit: int) -> _Bins:
        small = [bins for bins in candidates if hierarchies * (len(bins) + 2) ** without <= limit]
        return max(small, key=len, default=())

    if whole_groups:
        return most(_BINS_OF_WHOLE_GROUPS, _LATTICE_OF_WHOLE_GROUPS)
    return most(_BINS, _SMALL_LATTICE) or most(_BINS[:3], _LARGE_LATTICE)


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
        return (
            *(scale.alias for scale in self.scales),
            *(constraint.alias for constraint in self.constraints),
        )

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
