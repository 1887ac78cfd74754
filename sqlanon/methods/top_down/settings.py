"""The settings of top-down specialization, as a spec declares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem
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
    tests_subsets: ClassVar[bool] = False

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
        for name, declared in spec.quasi_identifiers.items():
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
