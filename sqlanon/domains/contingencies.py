"""Contingencies: how much attributes have to do with each other, and what goes together by that.

Li, Li, Zhang and Molloy (2012) measure this by the mean-square contingency coefficient of every two
attributes and cluster the attributes by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from sqlanon.plan import Plan, Step, work
from sqlanon.session import Session
from sqlanon.sql.names import Sql

# In so many cells, and one for NULL, the values of an attribute are put to be compared.
CELLS = 20
Pair = tuple[str, str]
_CODED, ATTRIBUTE_CELLS = work("attributes_coded"), work("attribute_cells")


def contingencies(coding: Step, names: Mapping[str, Sql], session: Session) -> dict[Pair, float]:
    """The mean-square contingency of every two attributes, by their names.

    Args:
        coding: the step of a plan that codes the records, once all before it is carried out.
        names: the alias of each attribute.
        session: where it is carried out.
    """
    pairs = list(combinations(names, 2))
    session.run(Plan(counting_cells(coding, tuple(names.values()))))
    asked = {"pairs": list(combinations(names.values(), 2))}
    inputs = {"attribute_cells": ATTRIBUTE_CELLS}
    rows = session.fetch("domains/contingencies", inputs, asked, len(pairs)).rows
    return {pairs[int(number)]: float(value) for number, value in sorted(rows)}


def counting_cells(coding: Step, attributes: Sequence[Sql]) -> tuple[Step, Step]:
    """The steps that code the records, and count the cells of some attributes."""
    attributes, domains = tuple(attributes), coding.params["domains"]
    # A method may code some attributes in its own way, or not at all.
    params = {**coding.params, "attributes": attributes, "carried": ()}
    cells = Step(
        "counting cells of every attribute",
        ATTRIBUTE_CELLS,
        "domains/attribute_cells",
        {"coded": _CODED} | {f"domain_{alias}": relation for alias, relation in domains.items()},
        {
            "attributes": attributes,
            "domains": domains,
            "nodes": coding.params["nodes"],
            "cells": CELLS,
        },
    )
    return replace(coding, output=_CODED, params=params), cells


def clustered(
    names: Sequence[str],
    measured: Mapping[Pair, float],
    widest: int,
    sensitive: tuple[str, ...] = (),
    least: float = 0,
) -> list[tuple[str, ...]]:
    """Put together what has most to do with each other, two slices at a time.

    The two whose attributes have the greatest contingency on average become one, as long as that is
    above the least and they are not too wide together; of equals those named first.

    Args:
        names: the attributes, each at first alone.
        measured: the contingency of every two, in their order in ``names`` and ``sensitive``.
        widest: the most attributes of a slice; sensitive ones do not count.
        sensitive: attributes that are together from the first, if any take part. Two slices stay
            then, as a slice of all attributes would be the table.
        least: what the contingency of two slices exceeds on average.

    Returns:
        The slices, and the attributes in each, in the order of ``names``.
    """
    order = {name: at for at, name in enumerate((*names, *sensitive))}
    slices: list[tuple[str, ...]] = [(name,) for name in names]
    slices += [sensitive] if sensitive else []
    while True:
        fitting = [
            (one, other)
            for one, other in combinations(slices, 2)
            if len({*one, *other}.difference(sensitive)) <= widest
            and (len(slices) > 2 or not sensitive)
        ]
        # The greatest mean, rounded as what it is made of; max takes the first of equals.
        means = {
            (one, other): round(
                sum(measured[(a, b) if order[a] < order[b] else (b, a)] for a in one for b in other)
                / (len(one) * len(other)),
                9,
            )
            for one, other in fitting
        }
        best = max(fitting, key=lambda pair: means[pair], default=None)
        if best is None or means[best] <= least:
            return slices
        joined = tuple(sorted((*best[0], *best[1]), key=lambda name: order[name]))
        slices = sorted(
            [joined, *(entry for entry in slices if entry not in best)],
            key=lambda one: order[one[0]],
        )
