"""Cell suppression: a search on the distinct tuples, then a class for every record.

The search is greedy, from the cheapest choices of columns to all. Every tuple shows what it can.
Where too few records show the same, or a model does not hold, the tuples give up cells: choices of
columns are tried in the order of what they cost, and a tuple takes the first at which it makes a
class with others, or finds one. Tuples that find none in the end are left out, where that is
allowed, or joined by the classes that give up least for them. Requirements on some of the columns
are seen to in the same way, until all hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sqlanon.clauses import allowing
from sqlanon.common.fields import Exact
from sqlanon.errors import Problem, nearest
from sqlanon.measure.asked import Asked, Requirements
from sqlanon.measure.cover import Projected
from sqlanon.methods.level import forming
from sqlanon.methods.level.cell_suppression.rounds import Column, Requirement, Rounds
from sqlanon.methods.level.forming import SearchForTuples
from sqlanon.methods.level.judging import Conditions
from sqlanon.methods.method import Grouping, Method, Stratum, Task
from sqlanon.methods.workspace import CELLS, Workspace
from sqlanon.plan import Runner, Step, work
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.levels import stratified
from sqlanon.sql.names import Relation, Sql

_TITLE = "laying out the tuples"


@dataclass(frozen=True)
class CellSearch(SearchForTuples):
    """The search for the cells to suppress.

    Attributes:
        columns: the quasi-identifiers: name, alias and what a suppressed cell costs.
        models: what every class must meet.
        k: the least class size.
        allowance: the greatest share of the records that may be left out.
        projected: what is asked of the tuples of some of the quasi-identifiers.
        strata: the columns whose cells are kept.
    """

    title: ClassVar[str] = "searching for the cells to suppress"

    columns: tuple[tuple[str, Sql, int], ...]
    models: tuple[Asked, ...]
    k: int
    allowance: Fraction
    projected: tuple[Projected, ...] = ()
    strata: tuple[Stratum, ...] = ()

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say in how many rounds.

        Raises:
            InfeasibleError: if all records together do not meet the models.
        """
        workspace = Workspace(session)
        every = tuple(alias for _, alias, _ in self.columns)
        shown = workspace.make(
            _TITLE,
            "cells_shown",
            "methods/cell_suppression/shown",
            {"cells": self.cells},
            columns=every,
        )
        sensitive = forming.sensitive_of(self.models)
        values = None
        if sensitive:
            values = workspace.make(
                _TITLE,
                "cells_values",
                "methods/cell_suppression/tuple_values",
                {"cells": self.cells, "shown": shown},
                columns=every,
                sensitive=sensitive,
            )
        requirements = self._requirements(workspace, shown)
        records = int(workspace.one("cells/record_count", {"cells": self.cells})["records"])
        # The records that are left must be enough for every requirement.
        spare = max(0, records - max(requirement.least for requirement in requirements))
        most = min(math.floor(records * self.allowance), spare)
        rounds = Rounds(
            workspace,
            every=every,
            shown=shown,
            values=values,
            sensitive=sensitive,
            most=most,
            nothing=self._nothing,
        )
        met, turn = 0, 0
        while met < len(requirements):
            with workspace.part(0.8):
                changed = rounds.meet(requirements[turn % len(requirements)])
            met, turn = (1 if changed else met + 1), turn + 1
        session.notes += [
            ("search_rounds", f"{rounds.count:,}"),
            ("search_suppressed", f"{rounds.left_out:,} records"),
        ]
        columns = {"columns": every}
        made = {"shown": rounds.shown}
        session.create(
            Step(self.title, self.tuples, "methods/cell_suppression/tuple_classes", made, columns)
        )
        workspace.clear()

    @property
    def _nothing(self) -> str:
        """The advice where the models hold of no cells that may be suppressed."""
        cure = "ask for less, or find what can be had: sqlanon why tells it of a spec"
        but = ""
        if self.strata:
            named = " and ".join(repr(stratum.name) for stratum in self.strata)
            but = f" but those of {named}"
            cure = f"leave {self.strata[0].name!r} out of levels, allow records to be suppressed "
            cure += f"({allowing()}), or ask for less"
        return f"even with all cells suppressed{but} the models do not hold: {cure}"

    def _requirements(self, workspace: Workspace, shown: Relation) -> list[Requirement]:
        """The requirements on whole tuples, and on those of some of the columns."""
        aliases = tuple(alias for _, alias, _ in self.columns)
        varied = workspace.one("methods/cell_suppression/varied", {"shown": shown}, columns=aliases)
        numbered = Requirements.bounded((*self.models, *self.projected))
        asked = Conditions(models=self.models, k=self.k)
        kept = {stratum.alias for stratum in self.strata}

        def varying(names: Sequence[str]) -> tuple[Column, ...]:
            """The columns of values that differ; one at least."""
            some = [(alias, cost) for name, alias, cost in self.columns if name in names]
            found = [one for one in some if varied[one[0]]] or some[:1]
            return tuple(
                Column(alias, cost, 2**index, alias in kept)
                for index, (alias, cost) in enumerate(found)
            )

        whole = Requirement(
            varying([name for name, _, _ in self.columns]),
            asked.least,
            tuple(asked.measured),
            tuple(numbered.number(model.key) for model in asked.measured),
            numbered.of_size,
        )
        known = [
            Requirement(
                varying(projection.columns), projection.k, (), (), numbered.number(projection.key)
            )
            for projection in self.projected
        ]
        return [whole, *known]


# All choices of so many columns are laid out: 65,536.
MOST_COLUMNS = 16
# Times the columns and the records of a large table it stays within 64 bits.
_MOST_COST = 10**6


class CellSuppressionSettings(MethodSettings):
    """Single cells are published as suppressed, and all others as they are."""

    counts_persons: ClassVar[bool] = False
    publishes: ClassVar[str | None] = "lca"
    stars: ClassVar[bool] = True
    suppresses: ClassVar[bool] = True
    strata: ClassVar[bool] = True

    name: Literal["cell_suppression"] = "cell_suppression"
    importance: dict[str, Annotated[Exact, Field(gt=0)]] = Field(
        default_factory=dict,
        description="the cost of a suppressed cell of a quasi-identifier, relative to those of "
        "others; by default its weight",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Every cell is a value or a star, and importance is of quasi-identifiers."""
        for name, declared in spec.quasi_identifiers.items():
            if declared.publish not in (None, self.publishes):
                what = "cell_suppression publishes every cell as its value or as *: leave publish "
                yield Problem(f"quasi_identifiers.{name}.publish", f"{what}out")
        yield from self._kept(spec)
        known = spec.leading
        unknown = [name for name in self.importance if name not in known]
        for name in unknown:
            what = f"it is no quasi-identifier; {nearest(name, known)}"
            yield Problem(f"method.importance.{name}", what)
        if len(known) > MOST_COLUMNS:
            what = f"cell_suppression tries choices of at most {MOST_COLUMNS} quasi-identifiers, "
            yield Problem("method", f"{what}and {len(known)} are declared: take another method")
        elif not unknown:
            found = costs(
                self.importance, {name: declaration.weight for name, declaration in known.items()}
            )
            if max(found.values(), default=0) > _MOST_COST:
                yield Problem(
                    "method.importance",
                    "the importance of the columns, with the weight of those that are not named, "
                    f"must be as whole numbers up to {_MOST_COST:,} to each other, such as 3 to 1",
                )

    def _kept(self, spec: Spec) -> Iterator[Problem]:
        """Columns of which no cell is suppressed: values, and not all of the columns."""
        kept = stratified(spec)
        for name in kept:
            if spec.levels[name][1]:
                what = "cell_suppression publishes every cell as its value or as *, and no group: "
                yield Problem(f"levels.{name}", f"{what}say 0, or take another method")
        if kept and set(spec.leading) <= {*kept}:
            what = "cell_suppression would have no cell to suppress: leave a column out"
            yield Problem("levels", what)


def costs(importance: Mapping[str, Fraction], weights: Mapping[str, Fraction]) -> dict[str, int]:
    """The cost of a suppressed cell of each column, in whole numbers.

    Args:
        importance: as declared.
        weights: the columns' shares in the information loss, for those without importance.
    """
    found = {name: importance.get(name, weight) for name, weight in weights.items()}
    scale = lcm(*(number.denominator for number in found.values()))
    whole = {name: int(value * scale) for name, value in found.items()}
    common = gcd(*whole.values()) or 1
    return {name: value // common for name, value in whole.items()}


_COUNTED = work("suppressed_cells")


class CellSuppression(Method[CellSuppressionSettings]):
    """Every record shows its values but for some cells, which are suppressed."""

    Settings = CellSuppressionSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from the tuples, by way of a search, to the classes and what they show."""
        price = costs(
            self.settings.importance,
            {attribute.name: attribute.weight for attribute in task.quasi_identifiers},
        )
        search = CellSearch(
            cells=CELLS,
            tuples=forming.TUPLES,
            columns=tuple(
                (attribute.name, attribute.alias, price[attribute.name])
                for attribute in task.quasi_identifiers
            ),
            models=task.models,
            k=task.k,
            allowance=task.allowance,
            projected=task.projected,
            strata=() if task.clusters is None else task.clusters.strata,
        )
        named = [
            {"name": attribute.name, "alias": attribute.alias}
            for attribute in task.quasi_identifiers
        ]
        counting = Step(
            "counting the cells that are suppressed",
            _COUNTED,
            "methods/cell_suppression/suppressed_cells",
            {"tuple_classes": forming.TUPLES},
            {"columns": named},
        )
        grouping = forming.grouping_on_tuples(task, [search], [forming.covering(task), counting])
        return replace(grouping, covered=forming.COVERED, suppressed_cells=_COUNTED)
