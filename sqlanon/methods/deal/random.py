"""Random partitions: the baseline that other methods are compared with.

Gowda (2023), §3.6 and §5.5, draws partitions of the same sizes to compare Stack & Deal with them.
A partition is uniform among all with floor(n / k) classes whose sizes differ by one at most, as far
as the seeded numbers are random; another seed draws another one.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from sqlanon.methods.method import ASSIGNED, Grouping, Method, Task
from sqlanon.plan import Materialization, Step, work
from sqlanon.spec import MethodSettings
from sqlanon.sql.names import Sql

_SHUFFLED = work("shuffled")
_NUMBER = Sql("number")


class RandomSettings(MethodSettings):
    """Random partitions of Stack & Deal's sizes, to compare with. Gowda (2023), §3.6."""

    by_name: ClassVar[bool] = True
    searches: ClassVar[bool] = False

    name: Literal["random"] = "random"

    @property
    def blind(self) -> bool:
        """Whether classes are dealt without a look at the quasi-identifiers: they are."""
        return True


class Random(Method[RandomSettings]):
    """Deals the records, in an order that the seed draws, to floor(n / k) classes."""

    Settings = RandomSettings
    refuses = False

    def group(self, task: Task) -> Grouping:
        """The steps from the records to a class for each of them; no value decides it."""
        codes = (*task.quasi_codes, *task.sensitive_codes)
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
        dealing = Step(
            "dealing the records into classes",
            ASSIGNED,
            "methods/random/assigned",
            {"shuffled": _SHUFFLED},
            {"columns": task.released, "codes": codes, "k": task.k},
            Materialization.WORK_VIEW,
        )
        return Grouping((shuffling, dealing))
