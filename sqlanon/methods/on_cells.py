"""Classes of cells: what methods share that search on cells and then hand their records out."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.domains.attribute import follows
from sqlanon.forms import form_of
from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.methods.method import ASSIGNED, Grouping, Task
from sqlanon.plan import Search, Step, work
from sqlanon.sql.names import Relation, Sql

CELLS, PARTS = work("cells"), work("parts")
# The cells without the outliers, and these, where records may be left out.
KEPT, LEFT_OUT = work("kept_cells"), work("left_out")
_RANGES = work("ranges")


def scales_of(task: Task) -> tuple[tuple[QuasiIdentifierScale, ...], list[Step]]:
    """The quasi-identifiers as a search reads them, and the steps that lay them out."""
    found = [form_of(attribute).scale(attribute) for attribute in task.quasi_identifiers]
    return tuple(one for one, _ in found), [step for _, steps in found for step in steps]


def sensitive_asked(task: Task) -> tuple[Sql, ...]:
    """The sensitive attributes of whose values in a class something is asked."""
    asked = (
        one.attribute.alias
        for one in task.models
        if one.attribute is not None and one.bound is not None and not follows(one.attribute)
    )
    return tuple(dict.fromkeys(asked))


def zones_of(task: Task) -> Relation | None:
    """The classes that a search starts from; None for the table as one.

    These are clusters where they are asked for, and the records without the outliers where records
    may be left out.
    """
    if task.clusters is not None:
        return task.clusters.relation
    return KEPT if task.allowance else None


def grouping_on_cells(
    task: Task,
    coordinates: Sequence[Sql],
    scales: Sequence[Step],
    search: Search,
    clustered: bool = True,
    whole: bool = True,
    outliers: Search | None = None,
) -> Grouping:
    """Search on weighted cells, then hand the records of every cell out to its classes.

    Args:
        task: what the method is given.
        coordinates: the codes that the records of a cell share.
        scales: the steps that lay the quasi-identifiers out.
        search: from the cells to how many records of each go to each class.
        clustered: whether it starts from clusters, where those are asked for.
        whole: whether it takes only clusters that meet the models as one class.
        outliers: the search for the outliers, where the other starts from the records without them.
    """
    clusters = task.clusters if clustered else None
    zones: list[Search] = [] if clusters is None else [clusters.search(CELLS, whole)]
    if outliers is not None:
        zones = [outliers]
    valued = (*task.sensitive_codes, *task.hidden_codes)
    coordinates = tuple(dict.fromkeys((*coordinates, *task.unit_codes)))
    known = [one for one in task.following_codes if one not in coordinates]
    unasked = [one for one in valued if one not in coordinates]
    steps: list[Step | Search] = [
        Step(
            "gathering equal records in cells",
            CELLS,
            "cells/cells",
            {"coded": task.coded},
            {"columns": (*coordinates, *known)},
        ),
        *scales,
        *zones,
        search,
        Step("each class's share of the cells", _RANGES, "cells/ranges", {"parts": PARTS}),
        Step(
            "handing the records out to the classes",
            ASSIGNED,
            "cells/assigned",
            {"coded": task.coded, "cells": CELLS, "ranges": _RANGES},
            {
                "columns": (*task.released, *task.unit_codes),
                "coordinates": coordinates,
                "carried": (*task.insensitive, *task.key, *unasked),
                "apart": bool(unasked),
                "seed": task.seed,
            },
        ),
    ]
    if outliers is not None:
        return Grouping(tuple(steps), suppressed=LEFT_OUT, outliers=True)
    if clusters is None:
        return Grouping(tuple(steps))
    profiles = clusters.profiles(PARTS, CELLS)
    suppressed = clusters.left_out if task.allowance else None
    if profiles is None:
        return Grouping(tuple(steps), suppressed=suppressed)
    return Grouping((*steps, profiles), suppressed=suppressed, profiles=profiles.output)
