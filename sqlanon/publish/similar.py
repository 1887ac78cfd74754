"""Suppressing what follows where records of a group are alike. Kiruthika and Raseen, §8.3.

Their algorithm takes pairs of records, so that what it suppresses depends on the order. Here it is
a rule of the group: what is alike in the leading quasi-identifiers has the next one suppressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sqlanon.domains import QuasiAttribute, nothing_starred
from sqlanon.plan import Check, Step, work
from sqlanon.publish.publication import Grouped

SUPPRESSED, CELLS = work("suppressed"), work("suppressed_cells")
_Some = TypeVar("_Some")


def alike(names: Sequence[_Some]) -> dict[_Some, Sequence[_Some]]:
    """For each quasi-identifier that may be suppressed, in which ones records are then alike.

    From the third one on these are all before it. Of two, the next would be the sensitive
    attribute, which is never suppressed: then the second is, in records alike in both.
    """
    if len(names) == 2:
        return {names[1]: names}
    return {name: names[:place] for place, name in enumerate(names) if place > 1}


def suppression(grouped: Grouped) -> list[Step]:
    """The steps that suppress cells of the records before they are sliced, and count them."""
    quasi = [one.alias for one in grouped.quasi_identifiers]
    rule = alike(quasi)
    may_be = [one for one in grouped.quasi_identifiers if one.alias in rule]
    return [
        Step(
            "suppressing what follows where records of a group are alike",
            SUPPRESSED,
            "publish/suppressed",
            {"assigned": grouped.assigned},
            {
                "attributes": (*quasi, *(one.alias for one in grouped.sensitive)),
                "alike": {alias: rule.get(alias, ()) for alias in quasi}
                | {one.alias: () for one in grouped.sensitive},
            },
        ),
        Step(
            "counting the cells that are suppressed",
            CELLS,
            "publish/suppressed_cells",
            {"suppressed": SUPPRESSED},
            {"columns": [{"name": one.name, "alias": one.alias} for one in may_be]},
        ),
    ]


def unambiguous(attribute: QuasiAttribute) -> Check:
    """That no value of a quasi-identifier is written like a suppressed one."""
    return nothing_starred(
        attribute.name,
        attribute.domain,
        "publish.suppress writes for a suppressed value",
        "leave suppress out",
    )
