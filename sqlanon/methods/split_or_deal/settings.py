"""The settings of Split-or-Deal, and of the deal tree, as a spec declares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem
from sqlanon.fields import Whole
from sqlanon.methods.split_or_deal.effort import EffortName
from sqlanon.methods.split_or_deal.scales import Objective
from sqlanon.methods.untested import untested
from sqlanon.spec import MethodSettings, Spec


class SplitOrDealSettings(MethodSettings):
    """Carve, then Split-or-Deal: the least information loss at a given k, l and t."""

    cuts: ClassVar[bool] = True
    clusters: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    leaves_outliers: ClassVar[bool] = True

    name: Literal["split_or_deal"] = "split_or_deal"
    effort: EffortName | None = Field(
        default=None,
        description="how much is tried: quick to compare several k and t, best to lose a little "
        "less and take longer; by default normal, and quick in a sweep",
    )
    refine: Whole | None = Field(
        default=None,
        ge=0,
        le=100,
        description="how many times neighbouring classes are pooled and split again, at most; by "
        "default 6 times, but once where few classes were carved; 0 with effort: quick, 12 with "
        "effort: best",
    )
    regions: Whole | None = Field(
        default=None,
        ge=2,
        description="in about how many regions of the table carving is tried as well",
    )

    transferable: bool = Field(
        default=False,
        description="whether classes are parted by cuts between values alone, so that they do not "
        "overlap and a later release can take their cells over as a recipe; records are then dealt "
        "out nowhere, which loses more",
    )
    objective: Objective = Field(
        default="ncp",
        description="the figure that the search keeps small: ncp, the share of the domain that is "
        "published; or queries, the error of a reader's COUNT query",
    )

    @property
    def efforts(self) -> EffortName:
        """How much is tried."""
        return "normal" if self.effort is None else self.effort

    def in_sweep(self) -> SplitOrDealSettings:
        """Quick, unless an effort is declared: a sweep compares."""
        return self if self.effort else self.model_copy(update={"effort": "quick"})

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """A model that cuts are not tested by would be found not to hold after the search."""
        yield from untested(spec, self.name)
        for name in ("refine", "regions"):
            if self.transferable and getattr(self, name):
                what = "cells that overlap come of it: leave it out, or leave transferable out"
                yield Problem(f"method.{name}", what)


class DealTreeSettings(MethodSettings):
    """Stack & Deal's counts, dealt by cuts along the quasi-identifiers."""

    name: Literal["deal_tree"] = "deal_tree"
