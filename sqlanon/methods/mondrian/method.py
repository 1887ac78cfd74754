"""Mondrian: cells are cut, and their records handed out to the classes."""

from __future__ import annotations

from sqlanon.methods.cut_constraints import constraint_of
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.mondrian.partition import Partition
from sqlanon.methods.mondrian.settings import MondrianSettings
from sqlanon.methods.on_cells import CELLS, PARTS, grouping_on_cells, scales_of, zones_of
from sqlanon.methods.split_or_deal.outliers import outliers_of


class Mondrian(Method[MondrianSettings]):
    """Cuts every class at the median of its widest quasi-identifier, while a cut is allowed."""

    Settings = MondrianSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of cuts, to a class for every record."""
        scales, steps = scales_of(task)
        sensitive = [
            constraint_of(one, task.models, task.together.get(one.alias, ())) for one in task.own
        ]
        # Where nothing is asked of an attribute, no class depends on it: not even where records
        # alike in all else are parted.
        asked = tuple(one for one in sensitive if one.asked)
        partition = Partition(
            cells=CELLS,
            parts=PARTS,
            quasi=scales,
            sensitive=asked,
            k=task.k,
            strict=self.settings.partitioning == "strict",
            zones=zones_of(task),
        )
        coordinates = (*task.quasi_codes, *(one.alias for one in asked))
        outliers = outliers_of(task, scales, coordinates)
        return grouping_on_cells(task, coordinates, steps, partition, outliers=outliers)
