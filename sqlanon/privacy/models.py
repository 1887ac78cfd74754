"""Privacy models as data: a template that measures every class, and a threshold to hold it to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from sqlanon.hierarchies import Attribute
from sqlanon.plan import Step, work
from sqlanon.spec import Privacy, Sensitive
from sqlanon.sql import Relation
from sqlanon.sql.names import exact


@dataclass(frozen=True)
class Model:
    """One privacy model for one attribute.

    Attributes:
        metric: its name in the metrics, such as ``t_closeness``.
        template: the family and name of the SQL that yields class_id, value and holds.
        attribute: the sensitive attribute, or None for the whole record.
        threshold: what is asked for; None if it is only measured.
        shown: the threshold as declared, for people.
        worst: whether the worst class is the one with the least or the greatest value.
        params: further parameters of the template.
    """

    metric: str
    template: str
    attribute: Attribute | None
    threshold: Fraction | None
    shown: str | None
    worst: Literal["least", "greatest"]
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def relation(self) -> Relation:
        """The work relation with a row for each class."""
        about = f"_{self.attribute.alias}" if self.attribute else ""
        return work("measured_", self.metric, about)

    @property
    def column(self) -> str:
        """The column of the classes relation that shows its value."""
        return f"{self.attribute.name}_{self.metric}" if self.attribute else self.metric

    def step(
        self,
        classes: Relation,
        class_values: Mapping[str, Relation],
        pairs: Mapping[str, Relation] | None = None,
    ) -> Step:
        """The step that measures it in every class.

        Args:
            classes: how many records every class has, or where persons are counted how many
                persons.
            class_values: for each sensitive attribute, how many of these have each value.
            pairs: where persons are counted, who may have several values: for each attribute,
                how many pairs of a person and a value every class has.
        """
        inputs: dict[str, Relation] = {"classes": classes}
        if pairs is not None and self.metric in ("entropy_l", "t_closeness"):
            assert self.attribute is not None  # noqa: S101 - both are of a sensitive attribute
            inputs["classes"] = pairs[self.attribute.alias]
        if self.attribute is not None:
            inputs["class_values"] = class_values[self.attribute.alias]
            if self.template.startswith("privacy/t_"):
                assert self.attribute.positions is not None  # noqa: S101 - sensitive ones have them
                inputs["positions"] = self.attribute.positions
        if self.metric == "recursive_l":
            del inputs["classes"]
        about = f" of {self.attribute.name}" if self.attribute else ""
        return Step(
            f"measuring {self.metric.replace('_', ' ')}{about}",
            self.relation,
            self.template,
            inputs,
            {"threshold": self.threshold, **self.params},
        )


def declared_models(privacy: Privacy, sensitive: Sequence[Attribute]) -> list[Model]:
    """Every model a spec asks for, and those that are measured whether asked for or not."""
    k = Fraction(privacy.k) if privacy.k > 1 else None  # every class has a record
    shown = None if k is None else exact(k)
    models = [
        Model("k_anonymity", "privacy/k_anonymity", None, k, shown, "least", {"k": privacy.k})
    ]
    for attribute in sensitive:
        models.extend(_of_attribute(privacy, attribute))
    return models


def _of_attribute(privacy: Privacy, attribute: Attribute) -> Iterator[Model]:
    declared = attribute.declared
    assert isinstance(declared, Sensitive)  # noqa: S101 - only sensitive attributes come here

    def model(
        metric: str,
        template: str,
        threshold: Fraction | None,
        worst: Literal["least", "greatest"],
        **params: Any,
    ) -> Model:
        shown = None if threshold is None else exact(threshold)
        return Model(metric, f"privacy/{template}", attribute, threshold, shown, worst, params)

    diversity = declared.l if declared.l is not None else privacy.l
    distinct = Fraction(diversity.distinct) if diversity and diversity.distinct else None
    yield model("distinct_l", "distinct_l", distinct, "least")
    yield model("entropy_l", "entropy_l", diversity.entropy if diversity else None, "least")
    if diversity and diversity.recursive:
        recursive = diversity.recursive
        yield Model(
            "recursive_l",
            "privacy/recursive_l",
            attribute,
            recursive.c,
            f"c = {exact(recursive.c)}, l = {recursive.l}",
            "greatest",
            {"l": recursive.l},
        )
    alpha = declared.alpha if declared.alpha is not None else privacy.alpha
    yield model("alpha", "alpha", alpha, "greatest")
    t = declared.t if declared.t is not None else privacy.t
    height = {"height": attribute.height} if declared.distance == "hierarchical" else {}
    yield model("t_closeness", f"t_{declared.distance}", t, "greatest", **height)
