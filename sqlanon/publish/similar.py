"""Suppressing what follows where records of a group are alike. Kiruthika and Raseen, §8.3.

Their algorithm takes the records in pairs from a queue: ``pairs``. By ``similar`` it is a rule of
the group, so that no order decides: what is alike in the leading quasi-identifiers has the next one
suppressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.domains.domain import nothing_starred
from sqlanon.plan import Check, Step, work
from sqlanon.publish.publication import Grouped
from sqlanon.sql.names import Sql

SUPPRESSED, CELLS = work("suppressed"), work("suppressed_cells")
PAIRS = "pairs"
_Some = TypeVar("_Some")


def alike(names: Sequence[_Some]) -> dict[_Some, Sequence[_Some]]:
    """For each quasi-identifier that may be suppressed, in which ones records are then alike.

    From the third one on these are all before it. Of two, the next would be the sensitive
    attribute, which is never suppressed: then the second is, in records alike in both.
    """
    if len(names) == 2:
        return {names[1]: names}
    return {name: names[:place] for place, name in enumerate(names) if place > 1}


def neighbours(names: Sequence[_Some]) -> dict[_Some, list[tuple[_Some, _Some]]]:
    """For each quasi-identifier that may be suppressed, in which two a pair is then alike.

    The paper's loop suppresses what follows two neighbours in which the pair is alike. A suppressed
    cell is alike to another, so that all that follow are suppressed. Behind the last there is the
    sensitive attribute, and the last is suppressed in its place.
    """
    last = len(names) - 1
    every = list(pairwise(names))
    return {
        name: every[: max(place - 1, 0) + (place == last)]
        for place, name in enumerate(names)
        if place > 1 or place == last
    }


def suppressing(grouped: Grouped, rule: str) -> list[Step]:
    """The steps that suppress cells of the records before they are sliced, and count them."""
    quasi = [one.alias for one in grouped.quasi_identifiers]
    attributes = (*quasi, *(one.alias for one in grouped.sensitive))
    masked = [one for one in grouped.quasi_identifiers if one.masked]
    in_pairs = rule == PAIRS
    may_be = neighbours(quasi) if in_pairs else alike(quasi)
    step = Step(
        "suppressing what follows where records of a group are alike",
        SUPPRESSED,
        "publish/suppressed",
        {"assigned": grouped.assigned} | {f"domain_{one.alias}": one.domain for one in masked},
        {
            "attributes": attributes,
            "alike": {one: may_be.get(one, ()) for one in attributes},
            "masks": {
                one.alias: {"domain": one.domain, "node": Sql(f"node_{one.masked}")}
                for one in masked
            },
        },
    )
    if in_pairs:
        step = Step(
            "suppressing what follows where two records of a queue are alike",
            SUPPRESSED,
            "publish/suppressed_pairs",
            step.inputs,
            {**step.params, "told": (*attributes, Sql("turn")), "seed": grouped.seed},
        )
    columns = [
        {"name": one.name, "alias": one.alias}
        for one in grouped.quasi_identifiers
        if one.alias in may_be
    ]
    counting = Step(
        "counting the cells that are suppressed",
        CELLS,
        "publish/suppressed_cells",
        {"suppressed": SUPPRESSED},
        {"columns": columns},
    )
    return [step, counting]


def unambiguous(attribute: QuasiAttribute) -> Check:
    """That no value of a quasi-identifier is written like a suppressed one."""
    return nothing_starred(
        attribute.name,
        attribute.domain,
        "publish.suppress writes for a suppressed value",
        "leave suppress out",
    )
