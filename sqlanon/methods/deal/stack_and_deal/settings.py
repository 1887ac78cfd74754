"""The settings of Stack & Deal, as a spec declares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from sqlanon.errors import Problem
from sqlanon.fields import Whole
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.levels import stratified

DEFAULT_STRIPE = 2000
# The orders that only several sensitive attributes have, as a sentence begins.
_OF_SEVERAL = {"component": "a principal component is", "clusters": "clusters are"}


class StackAndDealSettings(MethodSettings):
    """Stack & Deal: blind to the quasi-identifiers, or among neighbours."""

    searches: ClassVar[bool] = False
    strata: ClassVar[bool] = True
    leaves_outliers: ClassVar[bool] = True

    name: Literal["stack_and_deal"] = "stack_and_deal"
    stack: Literal["frequency", "value", "snake", "component", "clusters"] | None = Field(
        default=None,
        description="by default value for an ordinal or hierarchical attribute, snake for "
        "several of them, frequency otherwise; of several, component is along their first "
        "principal component, and clusters puts similar combinations of values together",
    )
    ties: Literal["lower", "higher"] | None = Field(
        default=None,
        description="for stack: frequency, which of equally frequent values comes first; by "
        "default the higher one",
    )
    locality: Literal["none", "curve", "stripes"] = Field(
        default="none",
        description="whether classes are dealt from records that lie close: blind to the "
        "quasi-identifiers, along a curve through them, or in stripes of that curve",
    )
    stripe: Whole | None = Field(
        default=None,
        ge=1,
        description="for locality: stripes, the least number of records of one; 2000 by default",
    )

    @property
    def stripe_size(self) -> int | None:
        """The least number of records of a stripe; None where all are one stripe."""
        if self.locality != "stripes":
            return None
        return DEFAULT_STRIPE if self.stripe is None else self.stripe

    @property
    def blind(self) -> bool:
        """Whether classes are dealt without a look at the quasi-identifiers."""
        return self.locality == "none"

    @property
    def predicts(self) -> bool:
        """Whether no stripe is dealt by itself."""
        return self.locality != "stripes"

    @model_validator(mode="after")
    def _fits(self) -> StackAndDealSettings:
        if self.ties is not None and self.stack != "frequency":
            raise ValueError("ties belongs to stack: frequency")
        if self.stripe is not None and self.locality != "stripes":
            raise ValueError("stripe belongs to locality: stripes")
        return self

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Stripes smaller than a class, as each is dealt by itself; a component without orders."""
        if self.stack in _OF_SEVERAL:
            yield from _of_one(spec, _OF_SEVERAL[self.stack])
        if self.stack == "component":
            yield from _without_component(spec)
        if self.stripe_size is not None and self.stripe_size < max(spec.sizes):
            yield Problem("method.stripe", "a stripe must hold k records at least")
        # A release keeps its spec with every default, so the default cannot be refused here.
        if self.locality == "stripes" and stratified(spec):
            what = "each stratum is dealt along a curve of its own: leave it out, or say curve"
            yield Problem("method.locality", what)


def _of_one(spec: Spec, what: str) -> Iterator[Problem]:
    """An order that only several sensitive attributes have."""
    if len(spec.sensitive) < 2:
        yield Problem("method.stack", f"{what} of several sensitive attributes: say value")


def _without_component(spec: Spec) -> Iterator[Problem]:
    """The sensitive attributes that have no principal component."""
    for name, declared in spec.sensitive.items():
        if declared.distance not in (None, "ordered"):  # None: until the types are known
            yield Problem(
                f"sensitive.{name}.distance",
                "stack: component needs an order of the values, and this distance is "
                f"{declared.distance}: say distance: ordered, of text with its order, or take "
                "another stack",
            )
