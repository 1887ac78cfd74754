"""Stack & Deal: stack the records by sensitive value, deal them like cards.

Gowda (2021); Gowda (2023), §3 for one sensitive attribute and §5 for several, whose stack follows
the cells of the multiplicity matrix. With e = floor(n / k) classes, the sizes of any two classes
differ by at most one. So do their counts of any sensitive value (of any cell, for several).
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.methods.deal.locality import Curve, curve_through
from sqlanon.methods.deal.stack_and_deal.along import dealt_along, dealt_in_strata
from sqlanon.methods.deal.stack_and_deal.prediction import KindsOfClasses
from sqlanon.methods.deal.stack_and_deal.settings import StackAndDealSettings
from sqlanon.methods.deal.stack_and_deal.stack import (
    STACK,
    dealt_blindly,
    stack_order,
    stacked_columns,
    stacking,
)
from sqlanon.methods.deal.stack_and_deal.without import KEPT_STACK, without_outliers
from sqlanon.methods.method import Clusters, Grouping, Method, Prediction, Task
from sqlanon.methods.on_cells import LEFT_OUT
from sqlanon.plan import Search, Step
from sqlanon.sql.names import Relation, Sql


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
