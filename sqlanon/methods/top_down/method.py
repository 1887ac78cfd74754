"""Top-down specialization, over the distinct tuples and not over the records."""

from __future__ import annotations

from sqlanon.domains import QuasiAttribute
from sqlanon.errors import Problem, SpecError
from sqlanon.forms import form_of
from sqlanon.methods.lattice.forming import sensitive_of
from sqlanon.methods.method import ASSIGNED, Grouping, Method, Task
from sqlanon.methods.top_down.search import TopDownSearch
from sqlanon.methods.top_down.settings import TopDownSettings
from sqlanon.plan import Search, Step, work

_CELLS, _TUPLES, _COVERED = work("cells"), work("tuple_classes"), work("covered")


class TopDown(Method[TopDownSettings]):
    """Specializes the most general values, one at a time, while every model holds."""

    Settings = TopDownSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from the tuples, by way of a search, to the classes of one cut a column.

        Raises:
            SpecError: if the values of a column have neither a hierarchy nor an order.
        """
        problems = [_unordered(one) for one in task.quasi_identifiers if _is_set(one)]
        if problems:
            raise SpecError(problems)
        scales = [form_of(attribute).scale(attribute) for attribute in task.quasi_identifiers]
        search = TopDownSearch(
            cells=_CELLS,
            tuples=_TUPLES,
            attributes=task.quasi_identifiers,
            scales=tuple(one for one, _ in scales),
            models=task.models,
            suppression=task.suppression,
            k=task.k,
            places=self.settings.places,
        )
        steps: list[Step | Search] = [
            Step(
                "gathering equal records in cells",
                _CELLS,
                "cells/cells",
                {"coded": task.coded},
                {"columns": (*task.quasi_codes, *sensitive_of(task.models))},
            ),
            *(step for _, steps in scales for step in steps),
            search,
            Step(
                "the class of every record",
                ASSIGNED,
                "methods/lattice/assigned",
                {"coded": task.coded, "tuple_classes": _TUPLES},
                {"columns": task.released, "coordinates": task.quasi_codes},
            ),
            Step(
                "what the cells of every class cover",
                _COVERED,
                "methods/lattice/covered",
                {"tuple_classes": _TUPLES},
                {"columns": task.quasi_codes},
            ),
        ]
        suppressed = _TUPLES if task.suppression else None
        return Grouping(tuple(steps), suppressed=suppressed, covered=_COVERED)


def _is_set(attribute: QuasiAttribute) -> bool:
    return form_of(attribute).listed


def _unordered(attribute: QuasiAttribute) -> Problem:
    what = "top_down needs a hierarchy of its values, or an order of them with publish: interval; "
    what += (
        'a hierarchy of a few words is {tree: {"*": [a, b]}}, of codes {prefix: [3, 0]}, or a file'
    )
    return Problem(f"quasi_identifiers.{attribute.name}", what)
