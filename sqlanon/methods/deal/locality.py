"""A curve through the quasi-identifiers, and dealing the records of blocks in its order.

Which record of a block goes to which of the block's places is free where only its counts decide. So
the records of every block are put in the order of a curve, and the places in an order that spreads
them over the classes: the counts stay, and the records of a class are neighbours.

Searches that deal classes share measures of these as dealt, and settings.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.measure.asked import Asked, held_step
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Materialization, Step, work
from sqlanon.sql.names import Relation, Sql

# A Hilbert curve of twice the width from 2^axes copies of the narrower one, in the curve's order.
# For each copy and axis: where it lies, which old axis it follows, and whether it runs backwards.
_COPIES: dict[int, tuple[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], ...]] = {
    2: (
        ((0, 0), (1, 0), (0, 0)),
        ((0, 1), (0, 1), (0, 0)),
        ((1, 1), (0, 1), (0, 0)),
        ((1, 0), (1, 0), (1, 1)),
    ),
    3: (
        ((0, 0, 0), (1, 2, 0), (0, 0, 0)),
        ((0, 0, 1), (1, 0, 2), (0, 0, 0)),
        ((0, 1, 1), (0, 1, 2), (0, 0, 0)),
        ((0, 1, 0), (2, 1, 0), (1, 0, 1)),
        ((1, 1, 0), (2, 1, 0), (0, 0, 0)),
        ((1, 1, 1), (0, 1, 2), (0, 0, 0)),
        ((1, 0, 1), (1, 0, 2), (1, 1, 0)),
        ((1, 0, 0), (1, 2, 0), (1, 0, 1)),
    ),
}
_MOST_BITS = {2: 9, 3: 6}
FEW_VALUES = 16
FEW_COMBINATIONS = 64
STACKED, DEALT_CLASSES = work("stacked"), work("dealt_classes")


@dataclass(frozen=True)
class Curve:
    """How the quasi-identifiers order the records.

    Attributes:
        leading: those with few values: sorted by, one after the other, before the curve.
        curved: those with many values: at most three, the axes of the curve.
        bits: the curve's grid has 2^bits shares along each axis.
    """

    leading: tuple[Sql, ...]
    curved: tuple[Sql, ...]
    bits: int


@dataclass(frozen=True)
class Columns:
    """The columns of the records that are put in the order of a curve.

    Attributes:
        quasi_codes: the quasi-identifiers.
        sensitive_codes: the sensitive attributes.
        carried: the others; they break the last ties.
    """

    quasi_codes: tuple[Sql, ...]
    sensitive_codes: tuple[Sql, ...]
    carried: tuple[Sql, ...]

    @property
    def alike(self) -> tuple[Sql, ...]:
        """The codes."""
        return (*self.quasi_codes, *self.sensitive_codes)

    @property
    def all(self) -> tuple[Sql, ...]:
        """The codes, then the others."""
        return (*self.alike, *self.carried)


def curve_through(distinct: Mapping[Sql, int], records: int) -> Curve:
    """Choose the curve's axes.

    Args:
        distinct: how many values each quasi-identifier has.
        records: how many records there are.
    """
    by_size = sorted(distinct, key=lambda alias: (distinct[alias], alias))
    leading: list[Sql] = []
    for alias in by_size:
        combinations = math.prod(distinct[one] for one in (*leading, alias))
        if distinct[alias] <= FEW_VALUES and combinations <= FEW_COMBINATIONS:
            leading.append(alias)
    many = [alias for alias in reversed(by_size) if alias not in leading]
    curved = tuple(many[:3])
    bits = 0
    if len(curved) > 1:
        needed = math.ceil(math.log2(max(records, 2)) / len(curved))
        bits = max(1, min(_MOST_BITS[len(curved)], needed))
    return Curve(tuple(leading), curved, bits)


def grid_params(curve: Curve) -> dict[str, object]:
    """The parameters of the template that lays the curve through its grid."""
    axes = len(curve.curved)
    copies = [
        [
            number
            for axis in range(axes)
            for number in (
                corner[axis],
                *((1 - 2 * mirror[axis]) * (follows[axis] == old) for old in range(axes)),
                mirror[axis],
            )
        ]
        for corner, follows, mirror in _COPIES[axes]
    ]
    return {"axes": axes, "bits": curve.bits, "copies": copies}


def along_curve(
    coded: Relation,
    curve_places: Relation,
    quasi_identifiers: Sequence[QuasiAttribute],
    columns: Sequence[Sql],
    curve: Curve,
) -> list[Step]:
    """The steps that find the place of every record on the curve.

    Args:
        coded: the records with integer codes.
        curve_places: the relation to make: the records with their places.
        quasi_identifiers: what the curve runs through.
        columns: of the records.
        curve: the order of the records.
    """
    steps, inputs = _grid_steps(curve, quasi_identifiers, work("grid"))
    buckets = {alias: inputs[f"buckets_{alias}"] for alias in curve.curved if inputs}
    placing = Step(
        "finding each record's place on the curve",
        curve_places,
        "methods/locality/curve_places",
        {"coded": coded, **inputs},
        {"columns": columns, "curved": curve.curved, "buckets": buckets},
        Materialization.WORK_VIEW,
    )
    return [*steps, placing]


def ordered_along(
    striped: Relation,
    stacks: Relation,
    columns: Columns,
    stacked_by: Sequence[Sql],
    curve: Curve,
    in_stripes: bool,
) -> Step:
    """The step that puts the records of every block in the order of the curve.

    Args:
        striped: the records with their stripes and places.
        stacks: the blocks of every stripe.
        columns: of the records.
        stacked_by: the columns that name a block of a stripe.
        curve: the order of the records.
        in_stripes: whether the records have a position along the curve already.
    """
    within = () if tuple(stacked_by) == columns.sensitive_codes else columns.sensitive_codes
    return Step(
        "ordering the records along the curve",
        STACKED,
        "methods/locality/stacked",
        {"striped": striped, "stripe_stacks": stacks},
        {
            "columns": columns.all,
            "codes": columns.alike,
            "carried": columns.carried,
            "sensitive": stacked_by,
            "leading": curve.leading,
            "ties": (*columns.quasi_codes, *within, *columns.carried),
            "in_stripes": in_stripes,
        },
    )


def spread_along(stacks: Relation, assigned: Relation, columns: Sequence[Sql]) -> list[Step]:
    """The steps from the ordered records of every block to a class for each.

    Args:
        stacks: the blocks of every stripe, and how many classes it is dealt into.
        assigned: the relation to make.
        columns: of the records; those that it is to hold with the class.
    """
    return [
        Step(
            "spreading the places over the curve",
            DEALT_CLASSES,
            "methods/locality/dealt_classes",
            {"stacked": STACKED, "stripe_stacks": stacks},
            {},
        ),
        Step(
            "dealing the records into classes",
            assigned,
            "methods/locality/assigned",
            {"stacked": STACKED, "dealt_classes": DEALT_CLASSES},
            {"columns": columns},
            Materialization.WORK_VIEW,
        ),
    ]


def _grid_steps(
    curve: Curve, quasi_identifiers: Sequence[QuasiAttribute], grid: Relation
) -> tuple[list[Step], dict[str, Relation]]:
    """The grid and the buckets that look a record's cell up, where there are several axes."""
    if len(curve.curved) < 2:
        return [], {}
    domains = {attribute.alias: attribute.domain for attribute in quasi_identifiers}
    steps = [Step("laying the curve", grid, "methods/locality/grid", {}, grid_params(curve))]
    inputs = {"grid": grid}
    for alias in curve.curved:
        inputs[f"buckets_{alias}"] = buckets = work("buckets_", alias)
        steps.append(
            Step(
                f"shares of {alias}",
                buckets,
                "methods/locality/buckets",
                {"domain": domains[alias]},
                {"shares": 2**curve.bits},
            )
        )
    return steps, inputs


def described(search: Any) -> str:
    """The settings that decide the outcome of a search that has ``models``."""
    models = [
        (model.metric, model.attribute and model.attribute.alias, model.demand.threshold)
        for model in search.models
    ]
    return repr((replace(search, models=()), models))


def failing(
    workspace: Workspace,
    assigned: Relation,
    positions: Mapping[Sql, Relation],
    models: Sequence[Asked],
) -> int:
    """How many classes violate a model, counted once for each model.

    Measured are the classes as dealt. Those that publish the same tuple are one class to a reader,
    and not worse for it. The gate alone decides on models of attributes that are not given here.

    Args:
        workspace: makes the relations.
        assigned: a class for every record.
        positions: of every sensitive attribute its values, in the order of its distance.
        models: what is asked; of one at least there is a bound.
    """
    title = "measuring the classes as dealt"
    classes = workspace.make(
        title, "dealt_classes", "methods/deal/dealt_classes", {"assigned": assigned}
    )
    values = {
        str(alias): workspace.make(
            title,
            f"dealt_values_{alias}",
            "methods/deal/dealt_values",
            {"assigned": assigned, "positions": at},
            attribute=alias,
        )
        for alias, at in positions.items()
    }
    asked = [
        requirement
        for requirement in models
        if requirement.bound is not None
        and (requirement.attribute is None or requirement.attribute.alias in positions)
    ]
    for model in asked:
        workspace.create(model.step(classes, values))
    holding = held_step(asked, work("dealt_held"))
    assert holding is not None  # noqa: S101 - something is asked
    held = {"held": workspace.create(holding)}
    return int(workspace.one("methods/deal/failing", held)["classes"])
