"""UHRA: cells are clustered, classes grown and refined, and their records handed out."""

from __future__ import annotations

from dataclasses import replace

from sqlanon.methods.grow.uhra.search import OUTCOME, Utility
from sqlanon.methods.grow.uhra.settings import UhraSettings
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.on_cells import grouping_on_cells, scales_of


class Uhra(Method[UhraSettings]):
    """Clusters by what is known beforehand, then t-k-Utility within each."""

    Settings = UhraSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of clusters, to a class for every record."""
        scales, steps = scales_of(task)
        assert task.clusters is not None  # noqa: S101 - a spec without is refused
        if self.settings.scope == "table":
            task = replace(task, clusters=task.clusters.over_table())
            assert task.clusters is not None  # noqa: S101 - it was just made
        search = Utility.of(
            task,
            scales,
            suppresses=bool(task.allowance),
            clusters=task.clusters,
            settings=self.settings,
        )
        made = grouping_on_cells(task, search.coordinates, steps, search, whole=False)
        return replace(made, suppressed=OUTCOME) if made.suppressed else made
