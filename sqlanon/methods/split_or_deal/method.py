"""Split-or-Deal, and the deal tree: a search on weighted cells for classes that lose least."""

from __future__ import annotations

from sqlanon.methods.cut_constraints import constraint_of
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.on_cells import CELLS, PARTS, grouping_on_cells, scales_of, zones_of
from sqlanon.methods.split_or_deal.effort import EffortName
from sqlanon.methods.split_or_deal.outliers import outliers_of
from sqlanon.methods.split_or_deal.scales import Objective
from sqlanon.methods.split_or_deal.search import SplitOrDeal as Searching
from sqlanon.methods.split_or_deal.settings import DealTreeSettings, SplitOrDealSettings


class SplitOrDeal(Method[SplitOrDealSettings]):
    """Searches for the classes that lose least among those that meet every model."""

    Settings = SplitOrDealSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of a search, to a class for every record."""
        settings = self.settings
        return _searched(
            task,
            settings.refine,
            settings.regions,
            effort=settings.efforts,
            objective=settings.objective,
            transferable=settings.transferable,
        )


class DealTree(Method[DealTreeSettings]):
    """Deals as many classes as Stack & Deal, with its bounds, by cuts of its own."""

    Settings = DealTreeSettings

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of dealt cuts, to a class for every record."""
        return _searched(task, dealt_only=True)


def _searched(
    task: Task,
    refine: int | None = 0,
    regions: int | None = None,
    dealt_only: bool = False,
    effort: EffortName = "normal",
    objective: Objective = "ncp",
    transferable: bool = False,
) -> Grouping:
    """The search, with the settings of a method."""
    scales, steps = scales_of(task)
    search = Searching(
        cells=CELLS,
        parts=PARTS,
        quasi=scales,
        sensitive=tuple(constraint_of(one, task.models) for one in task.own),
        k=task.k,
        refine=refine,
        seed=task.seed,
        regions=regions,
        dealt_only=dealt_only,
        effort=effort,
        objective=objective,
        zones=None if dealt_only else zones_of(task),
        clustered=task.clusters is not None,
        transferable=transferable,
    )
    coordinates = (*task.quasi_codes, *task.sensitive_codes, *task.hidden_codes)
    outliers = None if dealt_only else outliers_of(task, scales, coordinates)
    return grouping_on_cells(
        task, coordinates, steps, search, clustered=not dealt_only, outliers=outliers
    )
