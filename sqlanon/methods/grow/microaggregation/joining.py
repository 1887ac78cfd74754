"""Joining classes that violate what is asked with those near to them, until every model holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlanon.measure.asked import Asked, Requirements, as_parameter
from sqlanon.methods.grow.placed import Table
from sqlanon.methods.workspace import level_share
from sqlanon.sql.names import Relation

#: With which of its nearest a class is tried: where records are dense the very nearest are of like
#: values, too.
TRIED = (*range(1, 9), 12, 16, 24, 32, 48, 64, 96, 128)
#: Up to so many classes each is compared with all others.
FEW = 1000
# Of more it is compared with so many before and after it, in so many orders.
_REACH, _ORDERS = 32, 3
# The digits of all coordinates make one number of so many bits at most.
_BITS, _AXIS_BITS = 60, 20


def short_of(
    table: Table, title: str, cells: Relation, models: Sequence[Asked], name: str
) -> Relation:
    """By how much each class misses what is asked.

    Args:
        table: what is worked on.
        title: what is done, for people.
        cells: how many records of each value the classes have.
        models: what is asked; of each there is a bound.
        name: of the relation.
    """
    sizes, values = table.sized(title, cells, models)
    numbered = list(Requirements(tuple(models)))
    for one in models:
        table.workspace.create(one.step(sizes, values))
    return table.workspace.make(
        title,
        name,
        "methods/microaggregation/shortfalls",
        {f"model_{place}": one.relation for place, one in numbered},
        models=[as_parameter(place, one) for place, one in numbered],
    )


def near_classes(table: Table, title: str, shortfalls: Relation, centroids: Relation) -> Relation:
    """Of the nearest classes of every class that violates a model those it is tried with, if any.

    Args:
        table: what is worked on.
        title: what is done, for people.
        shortfalls: by how much each class misses what is asked.
        centroids: their middles.
    """
    compared = table.workspace.rows(centroids) <= FEW
    return table.workspace.make(
        title,
        "micro_near",
        "methods/microaggregation/near",
        {"shortfalls": shortfalls, "centroids": centroids},
        axes=table.axes,
        tried=TRIED,
        **({"keys": ()} if compared else _orders(table)),
    )


def _orders(table: Table) -> dict[str, Any]:
    """The orders in which classes are compared with their neighbours: z-orders, each shifted.

    Yao, Li & Kumar (2010). Coordinates are cut into 2^bits stretches, twice the longest axis in
    all, so that a shift by up to its length leaves room.
    """
    axes = table.axes
    bits = max(1, min(_BITS // len(axes), _AXIS_BITS))
    longest = max(one.units for one in table.scales)
    return {
        "keys": [{"turn": turn, "shift": turn * longest // _ORDERS} for turn in range(_ORDERS)],
        "width": -(-2 * longest // 2**bits) or 1,
        "digits": [
            {"axis": axis, "unit": 2**bit, "weight": 2 ** (bit * len(axes) + len(axes) - place)}
            for bit in reversed(range(bits))
            for place, axis in enumerate(axes, 1)
        ],
        "reach": _REACH,
        "strides": [one for one in range(-_REACH, _REACH + 1) if one],
    }


_JOINING = "joining groups that violate a model with one of their nearest"


def joined(table: Table, shares: Relation) -> tuple[Relation, Relation, int]:
    """The classes when each meets every model, their middles, and after how many rounds.

    A class that is all of its cluster stays as it is, even if it fails a model.

    Args:
        table: what is worked on.
        shares: how many records of each cell each group has.
    """
    workspace, turn = table.workspace, 0
    models = table.asked or table.tested
    while True:
        workspace.reached(0.8 + level_share(turn + 1) / 5)
        centroids = table.centroids(_JOINING, "micro_centroids", shares)
        formed = table.formed(_JOINING, "micro_formed", shares)
        shortfalls = short_of(table, _JOINING, formed, models, "micro_shortfalls")
        near = near_classes(table, _JOINING, shortfalls, centroids)
        if not workspace.rows(near):
            return shares, centroids, turn
        turn += 1
        tried = workspace.make(
            _JOINING,
            "micro_tried",
            "methods/microaggregation/tried",
            {"near": near, "formed": formed},
            columns=tuple(table.positions),
        )
        together = short_of(table, _JOINING, tried, models, "micro_together")
        joins = workspace.make(
            _JOINING,
            "micro_joins",
            "methods/microaggregation/joins",
            {"near": near, "shortfalls": shortfalls, "tried": together},
        )
        shares = workspace.make(
            _JOINING,
            f"micro_joined_{turn % 2}",
            "methods/microaggregation/joined",
            {"shares": shares, "joins": joins},
        )
