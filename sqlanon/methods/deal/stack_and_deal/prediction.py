"""The contents of the classes of Stack & Deal, known before a record is touched.

For a number of classes e there are at most s + 1 kinds of classes, s the blocks of the stack, and
k decides nothing but e = floor(n / k).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.asked import Asked, Requirements, as_parameter
from sqlanon.methods.deal.stack_and_deal.stack import SIZES, STACK, stacked_columns
from sqlanon.plan import Step, work
from sqlanon.sql.names import Relation

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
        inputs |= {f"model_{place}": model.relation for place, model in numbered}
        if held is not None:
            inputs["held"] = held
        return Step(
            "what they reach",
            work("predicted"),
            "methods/stack_and_deal/predicted",
            inputs,
            {"models": [as_parameter(place, model) for place, model in numbered]},
        )
