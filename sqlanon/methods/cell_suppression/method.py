"""Cell suppression: a search on the distinct tuples, then a class for every record."""

from __future__ import annotations

from sqlanon.methods.cell_suppression.search import CellSearch
from sqlanon.methods.cell_suppression.settings import CellSuppressionSettings, costs
from sqlanon.methods.lattice.forming import sensitive_of
from sqlanon.methods.method import ASSIGNED, Grouping, Method, Task
from sqlanon.plan import Search, Step, work

_CELLS, _TUPLES = work("cells"), work("tuple_classes")
_COVERED, _COUNTED = work("covered"), work("suppressed_cells")


class CellSuppression(Method[CellSuppressionSettings]):
    """Every record shows its values but for some cells, which are suppressed."""

    Settings = CellSuppressionSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from the tuples, by way of a search, to the classes and what they show."""
        columns = task.quasi_codes
        price = costs(
            self.settings.importance, {one.name: one.weight for one in task.quasi_identifiers}
        )
        search = CellSearch(
            cells=_CELLS,
            tuples=_TUPLES,
            columns=tuple((one.name, one.alias, price[one.name]) for one in task.quasi_identifiers),
            models=task.models,
            k=task.k,
            suppression=task.suppression,
            subsets=task.subsets,
        )
        named = [{"name": one.name, "alias": one.alias} for one in task.quasi_identifiers]
        steps: list[Step | Search] = [
            Step(
                "gathering equal records in cells",
                _CELLS,
                "cells/cells",
                {"coded": task.coded},
                {"columns": (*columns, *sensitive_of(task.models))},
            ),
            search,
            Step(
                "the class of every record",
                ASSIGNED,
                "methods/lattice/assigned",
                {"coded": task.coded, "tuple_classes": _TUPLES},
                {"columns": task.released, "coordinates": columns},
            ),
            Step(
                "what the cells of every class cover",
                _COVERED,
                "methods/lattice/covered",
                {"tuple_classes": _TUPLES},
                {"columns": columns},
            ),
            Step(
                "counting the cells that are suppressed",
                _COUNTED,
                "methods/cell_suppression/suppressed_cells",
                {"tuple_classes": _TUPLES},
                {"columns": named},
            ),
        ]
        suppressed = _TUPLES if task.suppression else None
        return Grouping(tuple(steps), ASSIGNED, suppressed, _COVERED, _COUNTED)
