"""Finding slices: the quasi-identifiers that have most to do with each other stay together.

Li, Li, Zhang and Molloy (2012) measure this by the mean-square contingency coefficient of every two
attributes and cluster the attributes by it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, takewhile
from typing import Any

from sqlanon.engines import Engine
from sqlanon.plan import Plan, Secret, Step, work
from sqlanon.planning.prepare import Prepared, build_plan
from sqlanon.publish.groups import as_inputs
from sqlanon.session import Listener, Session
from sqlanon.source.source import aliases
from sqlanon.spec import changed
from sqlanon.spec.slices import named_slices
from sqlanon.sql.names import Sql

# In so many cells, and one for NULL, the values of an attribute are put to be compared.
CELLS = 20
Pair = tuple[str, str]
_CODED, SLICE_CELLS = work("slice_coded"), work("slice_cells")


def with_found_slices(
    prepared: Prepared,
    engine: Engine,
    listener: Listener | None = None,
    keys: Mapping[Secret, str] | None = None,
) -> tuple[Prepared, list[tuple[str, str]]]:
    """The plan with the slices that are found, and what is to be recorded of them.

    Nothing changes where the spec names its slices or has none. To be called inside a transaction.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are too few records for a group.
        EngineError: if the database fails.
        InterruptedRunError: if the user interrupts.
    """
    spec = prepared.spec
    if spec.publish is None or spec.publish.widest is None:
        return prepared, []
    measured = _contingencies(prepared, Session(engine, listener, keys=keys))
    quasi, sensitive, widest = (
        list(spec.quasi_identifiers),
        tuple(spec.sensitive),
        spec.publish.widest,
    )
    if spec.publish.sensitive is None:
        slices = (*clustered(quasi, measured, widest), sensitive)
    else:
        slices = tuple(clustered(quasi, measured, widest, sensitive))
    fixed = spec.publish.model_copy(update=named_slices(slices))
    found = build_plan(changed(spec, publish=fixed), prepared.source_info, prepared.release)
    table = [{"columns": pair, "contingency": value} for pair, value in measured.items()]
    facts = [
        ("slices", json.dumps(slices, ensure_ascii=False)),
        ("slice_contingencies", json.dumps(table, ensure_ascii=False)),
    ]
    return found, facts


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
    place = {name: at for at, name in enumerate((*names, *sensitive))}
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
                sum(measured[(a, b) if place[a] < place[b] else (b, a)] for a in one for b in other)
                / (len(one) * len(other)),
                9,
            )
            for one, other in fitting
        }
        best = max(fitting, key=lambda pair: means[pair], default=None)
        if best is None or means[best] <= least:
            return slices
        joined = tuple(sorted((*best[0], *best[1]), key=lambda name: place[name]))
        slices = sorted(
            [joined, *(one for one in slices if one not in best)], key=lambda one: place[one[0]]
        )


def comparing(prepared: Prepared) -> tuple[Plan, dict[str, Any]]:
    """The plan that counts the attributes' cells, and the parameters to compare every two."""
    spec, coding = prepared.spec, prepared.coding
    assert coding is not None  # noqa: S101 - a plan that forms classes codes the records
    before = takewhile(lambda step: step is not coding, prepared.plan)
    short = aliases(spec)
    attributes = tuple(Sql(short[name]) for name in (*spec.quasi_identifiers, *spec.sensitive))
    plan = Plan((*before, *counting_cells(coding, attributes)))
    return plan, {"pairs": list(combinations(attributes, 2))}


def counting_cells(coding: Step, attributes: Sequence[Sql]) -> tuple[Step, Step]:
    """The steps that code the records, and count the cells of some attributes.

    Args:
        coding: the step of a plan that codes the records.
        attributes: the codes of those that are to be compared.
    """
    attributes, domains = tuple(attributes), coding.params["domains"]
    # A method may code some attributes in its own way, or not at all.
    params = {**coding.params, "attributes": attributes, "carried": ()}
    cells = Step(
        "counting cells of every attribute",
        SLICE_CELLS,
        "publish/slice_cells",
        {"coded": _CODED, **as_inputs(domains)},
        {
            "attributes": attributes,
            "domains": domains,
            "nodes": coding.params["nodes"],
            "cells": CELLS,
        },
    )
    return replace(coding, output=_CODED, params=params), cells


def _contingencies(prepared: Prepared, session: Session) -> dict[Pair, float]:
    """The mean-square contingency of every two attributes, by their names."""
    spec = prepared.spec
    pairs = list(combinations((*spec.quasi_identifiers, *spec.sensitive), 2))
    plan, asked = comparing(prepared)
    with session.watching():
        session.run(plan)
        inputs = {"slice_cells": SLICE_CELLS}
        rows = session.fetch("publish/contingencies", inputs, asked, len(pairs)).rows
        session.drop_work()
    return {pairs[int(number)]: float(value) for number, value in sorted(rows)}
