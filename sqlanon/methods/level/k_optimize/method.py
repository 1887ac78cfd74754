"""k-Optimize: the distinct tuples are searched, and every record gets the class of its tuple.

The search finds the stretches of ordered values of every quasi-identifier: single-dimensional
global recoding after Bayardo and Agrawal (2005). Where no record may be left out, every class must
meet every model. Where some may be, the records of classes that do not are suppressed, as long as
they are not too many; each costs as if it were like all others, or lost all.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.clauses import allowing
from sqlanon.common.fields import Whole
from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.errors import InfeasibleError, Problem
from sqlanon.forms import form_of
from sqlanon.measure.asked import Asked
from sqlanon.methods.level import forming
from sqlanon.methods.level.forming import SearchForTuples
from sqlanon.methods.level.k_optimize.enumeration import Enumeration, Found
from sqlanon.methods.level.k_optimize.splits import Dimension, Judge, Space, Splits, numbers_fit
from sqlanon.methods.level.nodes import Objective
from sqlanon.methods.method import Grouping, Method, Stratum, Task
from sqlanon.methods.workspace import CELLS, Workspace
from sqlanon.plan import Runner, Step
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.levels import published_as
from sqlanon.spec.publication import FORM_RULES
from sqlanon.sql.names import Relation, Sql

_LAYING = "laying out the splits"
_LEVEL = 1  # by which the groups that were chosen are known


@dataclass(frozen=True)
class Splitting(SearchForTuples):
    """The search for a set of splits.

    Attributes:
        attributes: the quasi-identifiers.
        axes: where the values of those that are published as intervals lie, by alias.
        models: what every class must meet.
        allowance: the greatest share of the records that may be suppressed.
        k: the least class size.
        settings: what the spec says of the method.
        strata: the columns of whose values, or groups of values, a class has one.
    """

    title: ClassVar[str] = "searching for the splits of every quasi-identifier"

    attributes: tuple[QuasiAttribute, ...]
    axes: tuple[Relation | None, ...]
    models: tuple[Asked, ...]
    allowance: Fraction
    k: int
    settings: KOptimizeSettings
    strata: tuple[Stratum, ...] = ()

    @property
    def objective(self) -> Objective:
        """The objective that the search keeps least."""
        return Objective(self.settings.objective)

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say what was chosen among how many.

        Raises:
            InfeasibleError: if no set of splits that was judged satisfies the models, or classes
                are too many to be numbered.
        """
        workspace = Workspace(session)
        records = int(workspace.one("cells/record_count", {"cells": self.cells})["records"])
        space, units = self._space(workspace, records)
        tuples = workspace.make(
            _LAYING,
            "split_tuples",
            "methods/k_optimize/tuples",
            {"cells": self.cells}
            | {f"bins_{dimension.alias}": dimension.bins for dimension in space.dimensions},
            attributes=space.dimensions,
            sensitive=forming.sensitive_of(self.models),
        )
        most = math.floor(records * self.allowance)
        pairs = not self.objective.by_record
        whole = records if pairs else units
        judge = Judge(
            workspace,
            space,
            tuples,
            models=self.models,
            k=self.k,
            most=most,
            whole=whole,
            pairs=pairs,
        )
        ends = None if self.settings.seconds is None else time.monotonic() + self.settings.seconds
        found = Enumeration(
            space,
            judge,
            self.settings.nodes,
            lambda: ends is not None and time.monotonic() >= ends,
            workspace.reached,
        ).run()
        if found.splits is None:
            raise InfeasibleError(self._nothing(found, most))
        session.notes += self._notes(space, found, found.splits, records)
        self._form(session, workspace, space, found.splits)
        workspace.clear()

    def _space(self, workspace: Workspace, records: int) -> tuple[Space, int]:
        """The splits, and the loss of a record of which all is lost."""
        weights = self.objective.units(self.attributes)
        laid = [
            Dimension(
                attribute.alias,
                workspace.make(
                    _LAYING,
                    f"split_bins_{attribute.alias}",
                    "methods/k_optimize/bins",
                    {"cells": self.cells},
                    column=attribute.alias,
                    bins=self.settings.splits + 1,
                    share=records // (self.settings.splits + 1) + 1,
                ),
                0,
                {},
            )
            for attribute in self.attributes
        ]
        laid = [self._in_strata(workspace, dimension) for dimension in laid]
        bins = {f"bins_{dimension.alias}": dimension.bins for dimension in laid}
        rows = workspace.several("methods/k_optimize/bin_counts", bins, len(laid), attributes=laid)
        sizes = {int(row["number"]): int(row["bins"]) for row in rows}
        if not numbers_fit(list(sizes.values())):
            raise InfeasibleError(
                f"{len(laid)} quasi-identifiers with up to {self.settings.splits} splits each make "
                "more classes than can be numbered: take fewer, such as method: {name: "
                f"k_optimize, splits: {self.settings.splits // 2 or 1}}}"
            )
        sized = [replace(dimension, size=sizes[index]) for index, dimension in enumerate(laid)]
        if self.objective.by_record:
            sized = [
                replace(
                    dimension, losses=self._losses(workspace, dimension, attribute, axis, units)
                )
                for dimension, attribute, axis, units in zip(
                    sized, self.attributes, self.axes, weights, strict=True
                )
            ]
        return Space(tuple(sized)), sum(weights)

    def _in_strata(self, workspace: Workspace, dimension: Dimension) -> Dimension:
        """A column whose bins lie in one stratum each, which are never published together."""
        found = [each for each in self.strata if each.alias == dimension.alias]
        if not found:
            return dimension
        clusters = workspace.make(
            _LAYING,
            f"strata_{dimension.alias}",
            "zones/strata",
            {"domain": found[0].domain},
            level=found[0].level,
        )
        bins = workspace.make(
            _LAYING,
            f"strata_bins_{dimension.alias}",
            "methods/k_optimize/strata_bins",
            {"bins": dimension.bins, "clusters": clusters},
        )
        rows = workspace.several(
            "methods/k_optimize/strata_starts", {"bins": bins}, workspace.rows(bins)
        )
        return replace(dimension, bins=bins, fixed=tuple(int(row["start"]) for row in rows))

    def _losses(
        self,
        workspace: Workspace,
        dimension: Dimension,
        attribute: QuasiAttribute,
        axis: Relation | None,
        units: int,
    ) -> dict[tuple[int, int], int]:
        """The loss of publishing the bins from a first to a last, by these two."""
        rows = workspace.several(
            "methods/k_optimize/spans",
            {
                "bins": dimension.bins,
                **({"domain": attribute.domain} if axis is None else {"axis": axis}),
            },
            dimension.size * (dimension.size + 1) // 2,
            units=units,
            null_loses=not form_of(attribute).rule.tells_null,
        )
        return {(int(row["low"]), int(row["high"])): int(row["loss"]) for row in rows}

    def _form(self, session: Runner, workspace: Workspace, space: Space, splits: Splits) -> None:
        """The classes by the splits, and which of them are suppressed."""
        groups = [
            workspace.make(
                _LAYING,
                f"split_groups_{dimension.alias}",
                "methods/k_optimize/groups",
                {"bins": dimension.bins},
                groups=dimension.groups(space.starts(splits, index)),
            )
            for index, dimension in enumerate(space.dimensions)
        ]
        aliases = [attribute.alias for attribute in self.attributes]
        placed = workspace.make(
            _LAYING,
            "split_chosen",
            "methods/level/placed",
            {"cells": self.cells}
            | {
                f"groups_{alias}": relation for alias, relation in zip(aliases, groups, strict=True)
            },
            attributes=[
                {"alias": alias, "groups": relation, "levels_used": (_LEVEL,)}
                for alias, relation in zip(aliases, groups, strict=True)
            ],
            sensitive=forming.sensitive_of(self.models),
            people=False,
        )
        chosen = [(alias, _LEVEL) for alias in aliases]
        cells = forming.chosen_cells(workspace, placed, chosen, self.models, extents=True)
        inputs = forming.class_inputs(workspace, cells, self.models, self.allowance > 0)
        session.create(forming.tuples_step(self.title, self.tuples, inputs, aliases, extents=True))

    def _notes(
        self, space: Space, found: Found, splits: Splits, records: int
    ) -> list[tuple[str, str]]:
        """The entries of the run record on the search."""
        chosen = {
            name: f"{len(space.starts(splits, index))} of {space.dimensions[index].size - 1}"
            for index, name in enumerate(attribute.name for attribute in self.attributes)
        }
        judged = f"{found.judged:,} of 2^{len(space.splits)} sets of splits judged: "
        judged += "none is better" if found.complete else "stopped at a limit, the best so far"
        return [
            ("search_splits", json.dumps(chosen, ensure_ascii=False)),
            ("search_nodes", judged),
            (f"search_{self.objective.name}", self._value(found.judgement.cost, records)),
            ("search_bound", self._value(found.bound, records)),
        ]

    def _value(self, cost: int, records: int) -> str:
        return self.objective.value(cost, records, self.attributes)

    def _nothing(self, found: Found, most: int) -> str:
        limited = f" with at most {most:,} records suppressed" if self.allowance else ""
        message = (
            f"none of the sets of splits meets what is asked for{limited}: as one class, "
            f"{found.judgement.failing:,} records violate it; ask for less"
        )
        if not found.complete:
            message = (
                f"none of the {found.judged:,} sets of splits that were judged meets what is asked "
                f"for{limited}: ask for less, or raise nodes or seconds of the method"
            )
        if self.strata:
            named = repr(self.strata[0].name)
            message = message.replace("as one class", "in classes as large as strata may be", 1)
            message += f", leave {named} out of levels or raise its level"
        if self.allowance:
            return f"{message}, or allow more records to be suppressed"
        return (
            f"{message}, or, where classes are published as generalized, allow records to be "
            f"suppressed ({allowing()})"
        )


class KOptimizeSettings(MethodSettings):
    """The best stretches of ordered values, the same for all records. Bayardo & Agrawal (2005)."""

    counts_persons: ClassVar[bool] = False
    publishes: ClassVar[str | None] = "set"
    suppresses: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    covers: ClassVar[bool] = True
    tests_projections: ClassVar[bool] = False

    name: Literal["k_optimize"] = "k_optimize"
    objective: Literal["discernibility", "gcp"] = Field(
        default="discernibility",
        description="the metric that is kept as good as it can be: discernibility, how many "
        "records look alike, each suppressed one like all; or gcp, the share of the domain that "
        "is published",
    )
    splits: Whole = Field(
        default=16,
        ge=1,
        le=1000,
        description="at how many places the values of a column may be split at most; where it has "
        "more values than that, between bins with about as many records each",
    )
    nodes: Whole = Field(
        default=3_000,
        ge=1,
        le=10_000_000,
        description="how many sets of splits are judged at most; then the best so far is taken, "
        "and the run's record tells how much better any other could be",
    )
    seconds: Whole | None = Field(
        default=None,
        ge=1,
        description="for how many seconds sets of splits are judged at most; with it two runs on "
        "the same table may differ. No limit if none",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Every column shows stretches of values."""
        for name in spec.leading:
            form = published_as(spec, name)
            if form is not None and FORM_RULES[form].shows not in ("ends", "members"):
                yield Problem(
                    f"quasi_identifiers.{name}.publish",
                    f"k_optimize publishes stretches of ordered values, which {form} does not "
                    "show: leave publish out, or say publish: set or, of numbers and dates "
                    "without a hierarchy, interval or bounds",
                )


class KOptimize(Method[KOptimizeSettings]):
    """Splits the ordered values of every quasi-identifier, the same for the whole table."""

    Settings = KOptimizeSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from the tuples, by way of a search, to the classes of one set of splits."""
        axes, laid = [], list[Step]()
        ends: list[dict[str, object]] = []
        for attribute in task.quasi_identifiers:
            form = form_of(attribute)
            ends.append(
                {"alias": attribute.alias, "ends": () if form.listed else (Sql("min"), Sql("max"))}
            )
            scale, steps = form.scale(attribute)
            axes.append(None if form.listed else scale.axis)
            laid += [] if form.listed else steps
        search = Splitting(
            cells=CELLS,
            tuples=forming.TUPLES,
            attributes=task.quasi_identifiers,
            axes=tuple(axes),
            models=task.models,
            allowance=task.allowance,
            k=task.k,
            settings=self.settings,
            strata=() if task.clusters is None else task.clusters.strata,
        )
        covering = Step(
            "what the cells of every class cover",
            forming.COVERED,
            "methods/k_optimize/covered",
            {"tuple_classes": forming.TUPLES},
            {"attributes": ends},
        )
        grouping = forming.grouping_on_tuples(task, (*laid, search), [covering])
        return replace(grouping, covered=forming.COVERED)
