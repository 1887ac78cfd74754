"""Split-or-Deal, and the deal tree: a search on weighted cells for classes that lose least."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem
from sqlanon.fields import Whole
from sqlanon.methods.cut.constraints import constraint_of, untested
from sqlanon.methods.cut.effort import EffortName
from sqlanon.methods.cut.scales import Objective
from sqlanon.methods.cut.split_or_deal.search import SplitOrDeal as Searching
from sqlanon.methods.each_stratum import in_each_stratum
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.on_cells import CELLS, PARTS, grouping_on_cells, scales_of, zones_of
from sqlanon.methods.outliers import outliers_of
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

    strata: ClassVar[bool] = True

    name: Literal["deal_tree"] = "deal_tree"


class SplitOrDeal(Method[SplitOrDealSettings]):
    """Searches for the classes that lose least among those that meet every model."""

    Settings = SplitOrDealSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of a search, to a class for every record."""
        settings = self.settings
        return _searched(
            task,
            settings.refine,
            settings.regions,
            effort=settings.efforts,
            objective=settings.objective,
            transferable=settings.transferable,
        )


class DealTree(Method[DealTreeSettings]):
    """Deals as many classes as Stack & Deal, with its bounds, by cuts of its own."""

    Settings = DealTreeSettings

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of dealt cuts, to a class for every record."""
        return in_each_stratum(task, partial(_searched, dealt_only=True))


def _searched(
    task: Task,
    refine: int | None = 0,
    regions: int | None = None,
    dealt_only: bool = False,
    effort: EffortName = "normal",
    objective: Objective = "ncp",
    transferable: bool = False,
) -> Grouping:
    """The search, with the settings of a method."""
    scales, steps = scales_of(task)
    search = Searching(
        cells=CELLS,
        parts=PARTS,
        quasi=scales,
        sensitive=tuple(constraint_of(one, task.models) for one in task.own),
        k=task.k,
        refine=refine,
        seed=task.seed,
        regions=regions,
        dealt_only=dealt_only,
        effort=effort,
        objective=objective,
        zones=None if dealt_only else zones_of(task),
        clustered=task.clusters is not None,
        transferable=transferable,
    )
    coordinates = (*task.quasi_codes, *task.sensitive_codes, *task.hidden_codes)
    outliers = None if dealt_only else outliers_of(task, scales, coordinates)
    return grouping_on_cells(
        task, coordinates, steps, search, clustered=not dealt_only, outliers=outliers
    )
