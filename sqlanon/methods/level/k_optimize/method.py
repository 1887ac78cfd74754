"""k-Optimize: the distinct tuples are searched, and every record gets the class of its tuple."""

from __future__ import annotations

from dataclasses import replace

from sqlanon.forms import form_of
from sqlanon.methods.level.forming import COVERED, TUPLES, grouping_on_tuples
from sqlanon.methods.level.k_optimize.search import Splitting
from sqlanon.methods.level.k_optimize.settings import KOptimizeSettings
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.on_cells import CELLS
from sqlanon.plan import Step
from sqlanon.sql.names import Sql


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
            cells=CELLS,
            tuples=TUPLES,
            attributes=task.quasi_identifiers,
            axes=tuple(axes),
            models=task.models,
            allowance=task.allowance,
            k=task.k,
            settings=self.settings,
            strata=() if task.clusters is None else task.clusters.strata,
        )
        covering = Step(
            "what the cells of every class cover",
            COVERED,
            "methods/k_optimize/covered",
            {"tuple_classes": TUPLES},
            {"attributes": ends},
        )
        grouping = grouping_on_tuples(task, (*laid, search), [covering])
        return replace(grouping, covered=COVERED)
