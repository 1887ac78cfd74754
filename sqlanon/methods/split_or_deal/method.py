"""Split-or-Deal, and the deal tree: a search on weighted cells for classes that lose least."""

from __future__ import annotations

from sqlanon.forms import form_of
from sqlanon.methods.method import ASSIGNED, Grouping, Method, Task
from sqlanon.methods.split_or_deal.effort import EffortName
from sqlanon.methods.split_or_deal.scales import Objective
from sqlanon.methods.split_or_deal.search import SplitOrDeal as Searching
from sqlanon.methods.split_or_deal.settings import DealTreeSettings, SplitOrDealSettings
from sqlanon.methods.tested import tested
from sqlanon.plan import Search, Step, work

_CELLS, _PARTS, _RANGES = work("cells"), work("parts"), work("ranges")


class SplitOrDeal(Method[SplitOrDealSettings]):
    """Searches for the classes that lose least among those that meet every model."""

    Settings = SplitOrDealSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of a search, to a class for every record."""
        settings = self.settings
        return _searched(
            task,
            settings.refinings,
            settings.regions,
            effort=settings.efforts,
            objective=settings.objective,
        )


class DealTree(Method[DealTreeSettings]):
    """Deals as many classes as Stack & Deal, with its bounds, by cuts of its own."""

    Settings = DealTreeSettings

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of dealt cuts, to a class for every record."""
        return _searched(task, dealt_only=True)


def _searched(
    task: Task,
    refine: int = 0,
    regions: int | None = None,
    dealt_only: bool = False,
    effort: EffortName = "normal",
    objective: Objective = "ncp",
) -> Grouping:
    """Search on weighted cells, then hand the records of every cell out to its classes."""
    coordinates = (*task.quasi_codes, *task.sensitive_codes)
    scales = [form_of(attribute).scale(attribute) for attribute in task.quasi_identifiers]
    search = Searching(
        _CELLS,
        _PARTS,
        tuple(one for one, _ in scales),
        tuple(tested(attribute, task.models) for attribute in task.sensitive),
        task.k,
        refine,
        task.seed,
        regions,
        dealt_only,
        effort,
        objective,
    )
    steps: list[Step | Search] = [
        Step(
            "gathering equal records in cells",
            _CELLS,
            "cells/cells",
            {"coded": task.coded},
            {"columns": coordinates},
        ),
        *(step for _, steps in scales for step in steps),
        search,
        Step("each class's share of the cells", _RANGES, "cells/ranges", {"parts": _PARTS}),
        Step(
            "handing the records out to the classes",
            ASSIGNED,
            "cells/assigned",
            {"coded": task.coded, "cells": _CELLS, "ranges": _RANGES},
            {
                "columns": task.released,
                "coordinates": coordinates,
                "carried": (*task.insensitive, *task.key),
                "seed": task.seed,
            },
        ),
    ]
    return Grouping(tuple(steps))
