"""Groups of neighbours, formed of every block at once, and joined until every model holds.

Two in a round by MDAV (Domingo-Ferrer & Torra 2005), one of varying size by V-MDAV (Solanas &
Martinez-Balleste 2006).

The members of a group are swapped, while it forms, with records that are in none yet: Soria-Comas
et al. (2015), algorithm 2. One group of every block forms at a time, and no other does before its
swaps are made: each swap is a turn of its own. `swapped` begins when all groups are formed: these
swap with each other, many in a round. `joined` joins groups that violate what is asked with those
near to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.asked import Asked, Requirements, as_parameter
from sqlanon.methods.deal.locality import along_curve, curve_through
from sqlanon.methods.grow.placed import Table
from sqlanon.methods.workspace import level_share
from sqlanon.plan import work
from sqlanon.sql.names import Relation, Sql

_SWAPPING = "swapping records between near groups"
# Twice as many rounds as a group has records: each may be swapped, and has to wait for its turn.
_ROUNDS = 2

_EXCHANGING = "swapping members with records in no group yet"


def grouped(
    table: Table, lots: Relation, number: int, members: Relation | None, size: int, close: Asked
) -> tuple[Relation, Relation, int]:
    """One more group of every block: the lots, the records it formed from, and how many turns.

    Args:
        table: what is worked on.
        lots: the records of every block, and the groups of some of them.
        number: of the group.
        members: the records that the group before it formed from, where this one begins with the
            farthest from that one's first; None where with the farthest from the middle.
        size: how many records a group has at least.
        close: the t, and of which attribute; its distance is ordered or equal.
    """
    workspace, turn = table.workspace, 0
    inputs = {"lots": lots, "places": table.places}
    inputs |= {} if members is None else {"members": members}
    found = workspace.make(
        _EXCHANGING,
        f"micro_members_{number % 2}_0",
        "methods/microaggregation/seeded",
        inputs,
        axes=table.axes,
        size=size,
        again=members is not None,
    )
    while True:
        exchanges = _exchanges(table, found, close)
        if not workspace.rows(exchanges):
            break
        turn += 1
        found = workspace.make(
            _EXCHANGING,
            f"micro_members_{number % 2}_{1 + turn % 2}",
            "methods/microaggregation/exchanged",
            {"members": found, "exchanges": exchanges},
        )
    after = workspace.make(
        _EXCHANGING,
        f"micro_lots_{number % 2}",
        "methods/microaggregation/grouped",
        {"lots": lots, "members": found},
        number=number,
    )
    return after, found, turn


def _exchanges(table: Table, members: Relation, close: Asked) -> Relation:
    """The next swap of every block whose group is too far from the table, if any helps."""
    assert close.attribute is not None  # noqa: S101 - a t is always of an attribute
    workspace, attribute = table.workspace, close.attribute
    about: dict[str, Any] = {
        "attribute": attribute.alias,
        "ordered": attribute.distance == "ordered",
    }

    def made(name: str, template: str, **inputs: Relation) -> Relation:
        of = f"methods/microaggregation/{template}"
        return workspace.make(_EXCHANGING, f"micro_{name}", of, inputs, **about)

    shares = made("inside", "inside", members=members)
    formed = table.formed(_EXCHANGING, "micro_formed", shares)
    shortfalls = short_of(table, _EXCHANGING, formed, [close], "micro_shortfalls")
    near = made("far", "far", shortfalls=shortfalls)
    changes = made("changes", "changes", formed=formed, near=near, positions=attribute.positions)
    return made("exchanges", "exchanges", members=members, cells=table.cells, changes=changes)


def swapped(table: Table, shares: Relation, close: Asked, size: int) -> tuple[Relation, int]:
    """The groups after no swap helps any more, or after 2 * size rounds; and how many these were.

    A group that is within t stays so, and none that is not comes farther from the table.

    Args:
        table: what is worked on.
        shares: how many records of each cell each group has.
        close: the t, and of which attribute; its distance is ordered or equal.
        size: how many records a group has at least.
    """
    assert close.attribute is not None  # noqa: S101 - a t is always of an attribute
    workspace, attribute = table.workspace, close.attribute
    about = {"attribute": attribute.alias, "ordered": attribute.distance == "ordered"}
    for turn in range(1, _ROUNDS * size + 1):
        centroids = table.centroids(_SWAPPING, "micro_centroids", shares)
        formed = table.formed(_SWAPPING, "micro_formed", shares)
        shortfalls = short_of(table, _SWAPPING, formed, [close], "micro_shortfalls")
        near = near_classes(table, _SWAPPING, shortfalls, centroids)
        changes = workspace.make(
            _SWAPPING,
            "micro_changes",
            "methods/microaggregation/changes",
            {"formed": formed, "near": near, "positions": attribute.positions},
            **about,
        )
        swaps = workspace.make(
            _SWAPPING,
            "micro_swaps",
            "methods/microaggregation/swaps",
            {
                "near": near,
                "shares": shares,
                "cells": table.cells,
                "places": table.places,
                "centroids": centroids,
                "changes": changes,
                "measured": close.relation,
            },
            axes=table.axes,
            bound=close.bound,
            **about,
        )
        if not workspace.rows(swaps):
            return shares, turn - 1
        shares = workspace.make(
            _SWAPPING,
            f"micro_swapped_{turn % 2}",
            "methods/microaggregation/swapped",
            {"shares": shares, "swaps": swaps},
        )
    return shares, _ROUNDS * size


# Of the search, forming groups takes about so much.
_SHARE = 0.8
_CUTTING, _FORMING = "cutting the table into blocks", "forming groups of neighbours"


class Groups:
    """Forms the groups of every block.

    Args:
        table: what is worked on.
        coded: the records with their codes.
        block: how many records a block has at most.
        size: how many records a group has at least.
        gamma: how many times the distance to its nearest other a record may be from a group that
            it joins; none where groups have no more than size.
        close: the t for which a group swaps members with records in none yet; none where it does
            not.
    """

    def __init__(
        self,
        table: Table,
        coded: Relation,
        block: int,
        size: int,
        gamma: Fraction | None,
        close: Asked | None = None,
    ) -> None:
        self._table, self._workspace, self._coded = table, table.workspace, coded
        self._block, self._size, self._gamma = max(block, size), size, gamma
        self._close = close
        self.swaps = 0  # turns of these

    def formed(self, order: SensitiveAttribute | None) -> tuple[Relation, int]:
        """How many records of each cell every group has, and in how many rounds it came to that.

        Args:
            order: the attribute from whose range a group takes a record of every part; none where
                the quasi-identifiers alone decide.
        """
        workspace, binned = self._workspace, order is not None
        lots = self._lots(order)
        params = {"size": self._size, "binned": binned}
        found = workspace.one("methods/microaggregation/most_groups", {"lots": lots}, **params)
        most = int(found["groups"])
        one_each = self._gamma or self._close
        rounds = most if one_each else (most + 1) // 2
        members: Relation | None = None
        for turn in range(rounds):
            workspace.reached(turn / rounds * _SHARE)
            if self._close is not None:
                last = members if turn % 2 else None
                lots, members, swaps = grouped(
                    self._table, lots, turn, last, self._size, self._close
                )
                self.swaps += swaps
                continue
            template, how = self._round(turn, binned)
            lots = workspace.make(
                _FORMING,
                f"micro_lots_{turn % 2}",
                template,
                {"lots": lots, "places": self._table.places},
                axes=self._table.axes,
                size=self._size,
                **how,
            )
        shares = workspace.make(
            _FORMING,
            "micro_shares_0",
            "methods/microaggregation/shares",
            {"lots": lots},
            records=self._table.records,
        )
        return shares, rounds

    def _round(self, turn: int, binned: bool) -> tuple[str, Mapping[str, Any]]:
        """The template of a round, and its parameters without the size of groups."""
        if self._gamma:
            return "methods/microaggregation/varied", {"gamma": self._gamma, "number": turn}
        return "methods/microaggregation/round", {"binned": binned, "first": 2 * turn}

    def _lots(self, order: SensitiveAttribute | None) -> Relation:
        """The records of every block and part, none of them in a group yet."""
        workspace, table = self._workspace, self._table
        inputs = {"coded": self._coded, "cells": table.cells, "places": table.places}
        leading: tuple[Sql, ...] = ()
        curved = order is not None or table.records > self._block
        if curved:
            curve = curve_through(
                {scale.alias: scale.codes for scale in table.scales}, table.records
            )
            columns = (Sql("cell_id"), *(scale.alias for scale in table.scales))
            curve_places = work("micro_curve_places")
            for step in along_curve(table.cells, curve_places, table.attributes, columns, curve):
                workspace.create(step)
            inputs["curve_places"], leading = curve_places, curve.leading
        if order is not None:
            inputs["positions"] = order.positions
        return workspace.make(
            _CUTTING,
            "micro_lots",
            "methods/microaggregation/lots",
            inputs,
            coordinates=table.coordinates,
            records=table.records,
            size=self._size,
            most=self._block,
            curved=curved,
            leading=leading,
            binned=None if order is None else order.alias,
        )


def group_size(records: int, t: Fraction) -> int:
    """How many records a group has that takes one of each of as many equal parts of a range.

    Soria-Comas et al. (2015), algorithm 3: where all values differ, such a group is t-close.

    Args:
        records: how many there are, at least 1.
        t: the threshold.
    """
    return -(-records // (2 * (records - 1) * t + 1))


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
    for model in models:
        table.workspace.create(model.step(sizes, values))
    return table.workspace.make(
        title,
        name,
        "methods/microaggregation/shortfalls",
        {f"model_{number}": model.relation for number, model in numbered},
        models=[as_parameter(number, model) for number, model in numbered],
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
    longest = max(scale.units for scale in table.scales)
    return {
        "keys": [{"turn": turn, "shift": turn * longest // _ORDERS} for turn in range(_ORDERS)],
        "width": -(-2 * longest // 2**bits) or 1,
        "digits": [
            {"axis": axis, "unit": 2**bit, "weight": 2 ** (bit * len(axes) + len(axes) - number)}
            for bit in reversed(range(bits))
            for number, axis in enumerate(axes, 1)
        ],
        "reach": _REACH,
        "strides": [number for number in range(-_REACH, _REACH + 1) if number],
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
