"""Split-or-Deal, and the deal tree: a search on weighted cells for classes that lose least.

sqlanon, Carve and Split-or-Deal. Classes are carved along the generalization lattice and cut
further by a tree; or the tree cuts the table alone. The better way is refined: neighbouring classes
are pooled, and cut again where that loses less. The search works on cells, records alike in every
attribute that decides, and sees counts only.

Every class meets every model. The table as one class is at distance 0 of itself; a carved class and
the remainder are tested exactly; and of every cut both sides are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.common.fields import Truth, Whole
from sqlanon.errors import Problem
from sqlanon.methods.cut.constraints import constraint_of, make_cut_constraints, untested
from sqlanon.methods.cut.cutting import CutSearch
from sqlanon.methods.cut.effort import EFFORTS, EffortName
from sqlanon.methods.cut.scales import (
    Block,
    Objective,
    Table,
    make_losses,
    make_scales,
    split_cells,
)
from sqlanon.methods.cut.split_or_deal.attempts import Attempts
from sqlanon.methods.cut.split_or_deal.tree import Exchange, Refining, Tree
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.outliers import outliers_of
from sqlanon.methods.strata import in_each_stratum
from sqlanon.methods.workspace import (
    CELLS,
    PARTS,
    Workspace,
    grouping_on_cells,
    scales_of,
    zones_of,
)
from sqlanon.plan import Runner, Step
from sqlanon.spec import MethodSettings, Spec
from sqlanon.sql.names import Relation


@dataclass(frozen=True)
class SplitOrDeal(CutSearch):
    """The search for classes.

    Attributes:
        refine: how often at most neighbouring classes are pooled and cut again; None if as the
            effort says.
        seed: of the order in which a carved class takes its records.
        regions: in about how many regions carving is tried, as well as in the table as one.
        dealt_only: whether classes come from dealt cuts alone, with the bounds of Stack & Deal and
            as many classes; nothing but k is then seen to.
        effort: how much is tried.
        objective: what the loss counts.
        zones: the classes that are cut, in place of the table as one; none is made of two of them.
        clustered: whether these are clusters, which are not carved.
        transferable: whether classes are parted by cuts between values alone, so that the class of
            a record follows from its quasi-identifiers.
    """

    refine: int | None
    seed: int
    regions: int | None = None
    dealt_only: bool = False
    effort: EffortName = "normal"
    objective: Objective = "ncp"
    zones: Relation | None = None
    clustered: bool = False
    transferable: bool = False

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        if self.dealt_only:
            return "dealing the records out by their quasi-identifiers"
        return "searching for the classes that lose least"

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say what was tried and chosen."""
        workspace = Workspace(session)
        records = workspace.one("cells/record_count", {"cells": self.cells})["records"]
        constraints = make_cut_constraints(workspace, self.sensitive, records)
        if self.dealt_only:
            blocks = [Block(constraint.alias) for constraint in self.sensitive]
        else:
            blocks = [Block(constraint.alias, constraint.block_bins) for constraint in constraints]
        scales = make_scales(
            workspace, self.cells, records, self.quasi, not constraints, self.objective
        )
        cells = split_cells(workspace, self.cells, scales, blocks)
        dealing = self.dealt_only or (bool(constraints) and not self.transferable)
        losses = make_losses(workspace, scales, self.objective)
        table = Table(
            cells=cells,
            records=records,
            scales=scales,
            constraints=constraints,
            k=self.k,
            dealing=dealing,
            losses=losses,
            small=workspace.few(cells),
        )
        whole = self.zones or workspace.make(
            "starting from one class", "search_whole", "methods/cut/whole_table", {"cells": cells}
        )
        effort = EFFORTS[self.effort]
        if self.transferable:
            effort = replace(effort, whole_values=True, exchanges=0)
        tree = Tree(workspace, table, effort)
        attempts = Attempts(
            tree,
            workspace=workspace,
            table=table,
            whole=whole,
            effort=effort,
            seed=self.seed,
            regions=self.regions,
            undivided=self.zones is None,
        )
        if self.dealt_only:
            found, notes = attempts.dealt(), attempts.notes
        else:
            carves = not self.clustered and not self.transferable
            best = attempts.best(carves and all(constraint.carves for constraint in constraints))
            refining = Refining(tree, workspace, table, effort, self.zones)
            asked = 0 if self.transferable else self.refine
            refined, after = refining.refined(best.found, best.carved, asked)
            exchange = Exchange(tree, workspace, table, effort, self.zones)
            found, exchanged = exchange.exchanged(refined)
            notes = [
                *attempts.notes,
                ("search_refined", json.dumps(after)),
                ("search_exchanged", json.dumps(exchanged)),
            ]
        session.create(
            Step("numbering the classes", self.parts, "methods/cut/parts", {"found": found})
        )
        session.notes += notes
        workspace.clear()


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

    transferable: Truth = Field(
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


class SplitOrDealMethod(Method[SplitOrDealSettings]):
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
    search = SplitOrDeal(
        cells=CELLS,
        parts=PARTS,
        quasi=scales,
        sensitive=tuple(constraint_of(attribute, task.models) for attribute in task.own),
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
