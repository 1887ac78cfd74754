"""Top-down specialization, over the distinct tuples and not over the records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.errors import Problem, SpecError
from sqlanon.forms import form_of
from sqlanon.methods.level.forming import COVERED, TUPLES, covering, grouping_on_tuples
from sqlanon.methods.level.top_down.search import TopDownSearch
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.on_cells import CELLS
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.form import RULES
from sqlanon.spec.levels import stratified


class TopDownSettings(MethodSettings):
    """One cut through the hierarchy of every column. Fung, Wang and Yu (2005)."""

    counts_persons: ClassVar[bool] = False
    suppresses: ClassVar[bool] = True
    covers: ClassVar[bool] = True
    by_name: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    tests_projections: ClassVar[bool] = False

    name: Literal["top_down"] = "top_down"
    places: int = Field(
        default=15,
        ge=1,
        le=1000,
        description="in how many places an interval of a column without hierarchy may be cut "
        "in two at most, not counting NULL: equal shares of its records apart",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Every column is published as labels of its hierarchy or as intervals."""
        for name in stratified(spec):
            if spec.quasi_identifiers[name].hierarchy is None:
                what = f"{self.name} keeps groups of a hierarchy apart, and the column has none: "
                what += "give it one, or take mondrian or split_or_deal"
                yield Problem(f"levels.{name}", what)
        for name, declared in spec.leading.items():
            where = f"quasi_identifiers.{name}"
            form = RULES[declared.publish] if declared.publish else None
            on_cut = form is None or (form.shows == "label" and not form.one_level)
            if declared.hierarchy is not None and not on_cut:
                what = "labels of its hierarchy, on one cut: leave publish out, or say publish: lca"
                yield Problem(where, f"{self.name} publishes the column as {what}")
            elif declared.hierarchy is None and declared.order is not None and form is None:
                what = "intervals of its order: say publish: interval or publish: bounds"
                yield Problem(where, f"{self.name} publishes the column as {what}")
            elif declared.hierarchy is None and form is not None and form.shows != "ends":
                what = "intervals: leave publish out, or give the column a hierarchy"
                yield Problem(where, f"{self.name} publishes a column without hierarchy as {what}")


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
            cells=CELLS,
            tuples=TUPLES,
            attributes=task.quasi_identifiers,
            scales=tuple(one for one, _ in scales),
            models=task.models,
            allowance=task.allowance,
            k=task.k,
            places=self.settings.places,
        )
        laid_out = (step for _, steps in scales for step in steps)
        grouping = grouping_on_tuples(task, (*laid_out, search), [covering(task)])
        return replace(grouping, covered=COVERED)


def _is_set(attribute: QuasiAttribute) -> bool:
    return form_of(attribute).listed


def _unordered(attribute: QuasiAttribute) -> Problem:
    what = "top_down needs a hierarchy of its values, or an order of them with publish: interval; "
    what += (
        'a hierarchy of a few words is {tree: {"*": [a, b]}}, of codes {prefix: [3, 0]}, or a file'
    )
    return Problem(f"quasi_identifiers.{attribute.name}", what)
