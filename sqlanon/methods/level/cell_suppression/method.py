"""Cell suppression: a search on the distinct tuples, then a class for every record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem, nearest
from sqlanon.fields import Exact
from sqlanon.methods.level.cell_suppression.search import CellSearch
from sqlanon.methods.level.forming import COVERED, TUPLES, covering, grouping_on_tuples
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.on_cells import CELLS
from sqlanon.plan import Step, work
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.levels import stratified

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
            found = costs(self.importance, {name: one.weight for name, one in known.items()})
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
    scale = lcm(*(one.denominator for one in found.values()))
    whole = {name: int(one * scale) for name, one in found.items()}
    common = gcd(*whole.values()) or 1
    return {name: one // common for name, one in whole.items()}


_COUNTED = work("suppressed_cells")


class CellSuppression(Method[CellSuppressionSettings]):
    """Every record shows its values but for some cells, which are suppressed."""

    Settings = CellSuppressionSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from the tuples, by way of a search, to the classes and what they show."""
        price = costs(
            self.settings.importance, {one.name: one.weight for one in task.quasi_identifiers}
        )
        search = CellSearch(
            cells=CELLS,
            tuples=TUPLES,
            columns=tuple((one.name, one.alias, price[one.name]) for one in task.quasi_identifiers),
            models=task.models,
            k=task.k,
            allowance=task.allowance,
            projected=task.projected,
            strata=() if task.clusters is None else task.clusters.strata,
        )
        named = [{"name": one.name, "alias": one.alias} for one in task.quasi_identifiers]
        counting = Step(
            "counting the cells that are suppressed",
            _COUNTED,
            "methods/cell_suppression/suppressed_cells",
            {"tuple_classes": TUPLES},
            {"columns": named},
        )
        grouping = grouping_on_tuples(task, [search], [covering(task), counting])
        return replace(grouping, covered=COVERED, suppressed_cells=_COUNTED)
