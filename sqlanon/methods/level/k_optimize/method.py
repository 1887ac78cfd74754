"""k-Optimize: the distinct tuples are searched, and every record gets the class of its tuple."""

from __future__ import annotations

from sqlanon.forms import form_of
from sqlanon.methods.level.forming import sensitive_of
from sqlanon.methods.level.k_optimize.search import Splitting
from sqlanon.methods.level.k_optimize.settings import KOptimizeSettings
from sqlanon.methods.method import ASSIGNED, Grouping, Method, Task
from sqlanon.plan import Search, Step, work
from sqlanon.sql.names import Sql

_CELLS, _TUPLES, _COVERED = work("cells"), work("tuple_classes"), work("covered")


class KOptimize(Method[KOptimizeSettings]):
    """Splits the ordered values of every quasi-identifier, the same for the whole table."""

    Settings = KOptimizeSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from the tuples, by way of a search, to the classes of one set of splits."""
        axes, laid = [], list[Step]()
        ends: list[dict[str, object]] = []
        for attribute in task.quasi_identifiers:
            form = form_of(attribute)
            ends.append(
                {"alias": attribute.alias, "ends": () if form.listed else (Sql("min"), Sql("max"))}
            )
            scale, steps = form.scale(attribute)
            axes.append(None if form.listed else scale.axis)
            laid += [] if form.listed else steps
        search = Splitting(
            cells=_CELLS,
            tuples=_TUPLES,
            attributes=task.quasi_identifiers,
            axes=tuple(axes),
            models=task.models,
            suppression=task.suppression,
            k=task.k,
            settings=self.settings,
        )
        steps = [
            Step(
                "gathering equal records in cells",
                _CELLS,
                "cells/cells",
                {"coded": task.coded},
                {"columns": (*task.quasi_codes, *sensitive_of(task.models))},
            ),
            *laid,
        ]
        formed: list[Step | Search] = [
            search,
            Step(
                "the class of every record",
                ASSIGNED,
                "cells/kept",
                {"coded": task.coded, "tuple_classes": _TUPLES},
                {"columns": task.released, "coordinates": task.quasi_codes},
            ),
            Step(
                "what the cells of every class cover",
                _COVERED,
                "methods/k_optimize/covered",
                {"tuple_classes": _TUPLES},
                {"attributes": ends},
            ),
        ]
        suppressed = _TUPLES if task.suppression else None
        return Grouping((*steps, *formed), suppressed=suppressed, covered=_COVERED)
