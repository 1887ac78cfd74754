"""Stack & Deal: stack the records by sensitive value, deal them like cards.

Gowda (2021); Gowda (2023), §3 for one sensitive attribute and §5 for several, whose stack follows
the cells of the multiplicity matrix. With e = floor(n / k) classes, the sizes of any two classes
differ by at most one. So do their counts of any sensitive value (of any cell, for several).

The contents of the classes are known before a record is touched: for a number of classes e there
are at most s + 1 kinds of classes, s the blocks of the stack, and k decides nothing but e = floor(n
/ k).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.asked import Asked, Requirements, as_parameter
from sqlanon.methods.deal.locality import Curve, curve_through
from sqlanon.methods.deal.stack_and_deal.along import dealt_along, dealt_in_strata
from sqlanon.methods.deal.stack_and_deal.stack import (
    KEPT_STACK,
    SIZES,
    STACK,
    StackAndDealSettings,
    dealt_blindly,
    stack_order,
    stacked_columns,
    stacking,
    without_outliers,
)
from sqlanon.methods.method import Clusters, Grouping, Method, Prediction, Task
from sqlanon.methods.workspace import LEFT_OUT
from sqlanon.plan import Search, Step, work
from sqlanon.sql.names import Relation, Sql

_PROFILES = work("profiles")


class KindsOfClasses:
    """The kinds of classes that dealing the stack will give."""

    start, classes = STACK, work("classes")

    def values(self, attribute: SensitiveAttribute) -> Relation:
        """How many records of each kind of class have each value of an attribute."""
        return work("class_values_", attribute.alias)

    def steps(self, sensitive: Sequence[SensitiveAttribute], numbers: Sequence[int]) -> list[Step]:
        """The steps that find every kind of class for each number of classes."""
        return [
            Step(
                "counting the classes",
                SIZES,
                "methods/stack_and_deal/several_sizes",
                {"stack": STACK},
                {"classes": tuple(numbers)},
            ),
            Step(
                "kinds of classes",
                _PROFILES,
                "methods/stack_and_deal/profiles",
                {"stack": STACK, "sizes": SIZES},
                {"sensitive": stacked_columns(sensitive)},
            ),
            Step(
                "their sizes",
                self.classes,
                "methods/stack_and_deal/profile_classes",
                {"profiles": _PROFILES},
            ),
            *(
                Step(
                    f"their values of {attribute.name}",
                    self.values(attribute),
                    "methods/stack_and_deal/profile_values",
                    {"profiles": _PROFILES, "positions": attribute.positions},
                    {"attribute": attribute.alias},
                )
                for attribute in sensitive
            ),
        ]

    def worst(self, models: Sequence[Asked], held: Relation | None) -> Step:
        """The step that finds the worst kind for every number of classes and every model."""
        inputs: dict[str, Any] = {"classes": self.classes}
        numbered = Requirements(tuple(models))
        inputs |= {f"model_{number}": model.relation for number, model in numbered}
        if held is not None:
            inputs["held"] = held
        return Step(
            "what they reach",
            work("predicted"),
            "methods/stack_and_deal/predicted",
            inputs,
            {"models": [as_parameter(number, model) for number, model in numbered]},
        )


class StackAndDeal(Method[StackAndDealSettings]):
    """Deals classes of equal counts: blindly, along a curve, or in stripes of it."""

    Settings = StackAndDealSettings
    refuses = False

    def group(self, task: Task) -> Grouping:
        """The steps from the stack of sensitive values to a class for every record."""
        first: tuple[Step | Search, ...] = stacking(
            task, stack_order(self.settings, task.sensitive)
        )
        if task.clusters is not None and task.clusters.strata:
            in_strata = dealt_in_strata(task, self._curve(task))
            without = Clusters.left_out if task.allowance else None
            return Grouping((*first, *in_strata), suppressed=without)
        left_out = None
        if task.allowance:
            task, steps = without_outliers(task, stacked_columns(task.sensitive), STACK)
            first, left_out = (*first, *steps), LEFT_OUT
        dealt = self._dealt(task, STACK if left_out is None else KEPT_STACK)
        return Grouping((*first, *dealt), suppressed=left_out, outliers=left_out is not None)

    def _dealt(self, task: Task, stack: Relation) -> list[Step]:
        """The steps from the stack to the classes."""
        if self.settings.locality == "none":
            return dealt_blindly(task, stack)
        return dealt_along(task, self._curve(task), self.settings.stripe_size, stack)

    def _curve(self, task: Task) -> Curve:
        """The curve through the quasi-identifiers."""
        counts = task.count()
        return curve_through(counts.distinct, counts.records)

    def value_columns(self, sensitive: Sequence[SensitiveAttribute]) -> tuple[Sql, ...]:
        """The columns of the codes that name a block of the stack."""
        return stacked_columns(sensitive)

    def prediction(self) -> Prediction | None:
        """Its classes are known beforehand, but not where each stripe is dealt by itself."""
        return KindsOfClasses() if self.settings.predicts else None
