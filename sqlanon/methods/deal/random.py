"""Random partitions: the baseline that other methods are compared with.

Gowda (2023), §3.6 and §5.5, draws partitions to compare Stack & Deal with them, in four groups that
have equal sizes, equal counts of each value, both or neither. Gowda (2021), §5, draws them with
counts that differ by 2 and by 3. Another seed draws another partition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.common.fields import Whole
from sqlanon.errors import Problem
from sqlanon.methods.method import ASSIGNED, Grouping, Method, Task
from sqlanon.methods.strata import in_each_stratum
from sqlanon.plan import Materialization, Step, work
from sqlanon.spec import MethodSettings, Spec
from sqlanon.sql.names import Sql

_SHUFFLED = work("shuffled")
_NUMBER = Sql("number")


class RandomSettings(MethodSettings):
    """Random partitions, to compare with. Gowda (2023), §3.6."""

    by_name: ClassVar[bool] = True
    searches: ClassVar[bool] = False
    strata: ClassVar[bool] = True

    name: Literal["random"] = "random"
    sizes: Literal["equal", "free"] = Field(
        default="equal",
        description="whether classes are as equal in size as those of Stack & Deal, or half as "
        "many, whose sizes are drawn",
    )
    counts: Whole | None = Field(
        default=None,
        ge=1,
        description="by how many records of a sensitive value (of a combination, for several "
        "attributes) two classes differ at most; by any number if none",
    )

    @property
    def blind(self) -> bool:
        """Whether classes are dealt without a look at the quasi-identifiers: they are."""
        return True

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Counts of sensitive values need some."""
        if self.counts is not None and not spec.sensitive:
            what = "no sensitive attribute is declared whose values are counted: leave it out"
            yield Problem("method.counts", what)


class Random(Method[RandomSettings]):
    """Deals the records, in an order that the seed draws; no model is looked at but k."""

    Settings = RandomSettings
    refuses = False

    def group(self, task: Task) -> Grouping:
        """The steps from the records to a class for each of them; no value decides it."""
        return in_each_stratum(task, self._grouped)

    def _grouped(self, task: Task) -> Grouping:
        """The same of the table, or of one stratum of it."""
        codes, counts = (*task.quasi_codes, *task.sensitive_codes), self.settings.counts
        shuffling = Step(
            "drawing a number for every record",
            _SHUFFLED,
            "methods/random/shuffled",
            {"coded": task.coded},
            {
                "columns": task.released,
                "codes": codes,
                "ties": task.tie_breaks,
                "drawn_by": (*codes, _NUMBER),
                "seed": task.seed,
            },
        )
        params = {"columns": task.released, "codes": codes, "k": task.k}
        params["free"] = self.settings.sizes == "free"
        if counts is not None:
            params |= {"sensitive": task.sensitive_codes, "counts": counts, "seed": task.seed}
        dealing = Step(
            "dealing the records into classes",
            ASSIGNED,
            "methods/random/assigned" if counts is None else "methods/random/dealt",
            {"shuffled": _SHUFFLED},
            params,
            Materialization.WORK_VIEW,
        )
        return Grouping((shuffling, dealing))
