"""Microaggregation: groups of cells, and their records handed out to the classes."""

from __future__ import annotations

from sqlanon.methods.grow.microaggregation.search import Microaggregated
from sqlanon.methods.grow.microaggregation.settings import MicroaggregationSettings
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.on_cells import grouping_on_cells, scales_of, zones_of
from sqlanon.methods.outliers import outliers_of


class Microaggregation(Method[MicroaggregationSettings]):
    """Groups of k neighbours by MDAV, joined with their nearest until every model holds."""

    Settings = MicroaggregationSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of groups, to a class for every record."""
        scales, steps = scales_of(task)
        search = Microaggregated.of(task, scales, zones=zones_of(task), settings=self.settings)
        outliers = outliers_of(task, scales, search.coordinates)
        return grouping_on_cells(task, search.coordinates, steps, search, outliers=outliers)
