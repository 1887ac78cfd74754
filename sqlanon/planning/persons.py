"""Classes of persons: one record for each of them is given to the method, and the others follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.domains import SensitiveAttribute
from sqlanon.joining import Merging
from sqlanon.measure import asked_models
from sqlanon.methods import Forming, Grouping, Method, Task
from sqlanon.source.persons import (
    NUMBER,
    PERSONS,
    UNIT_CLASSES,
    UNIT_VALUES,
    UNITS,
    following_step,
    unit_steps,
)
from sqlanon.spec import Privacy
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class ByPerson(Forming):
    """A method's classes of one record for each person; where they fail by all, they are joined.

    Attributes:
        method: the method.
        person: the columns that name a person.
        privacy: what is asked.
    """

    method: Method[Any]
    person: tuple[Sql, ...]
    privacy: Privacy

    def group(self, task: Task) -> Grouping:
        """The steps from one record for each person to a class for every record."""
        codes = (*task.quasi_codes, *self.value_columns(task.sensitive))
        choosing, chosen = unit_steps(task.coded, self.person, codes, task.sensitive, task.seed)
        units = replace(
            task,
            records=UNIT_VALUES if chosen else UNITS,
            coded=UNITS,
            sensitive=chosen,
            insensitive=(NUMBER,),
            key=(),
            ties=(),
            models=tuple(asked_models(self.privacy, chosen)),
        )
        formed = self.method.group(units)
        steps, classes = [*choosing, *formed.steps], formed.assigned
        if self.method.enforces and task.sensitive:
            merging = Merging(
                task.coded,
                PERSONS,
                formed.assigned,
                UNIT_CLASSES,
                self.person,
                task.quasi_codes,
                task.sensitive,
                task.models,
            )
            steps, classes = [*steps, merging], merging.output
        following = following_step(task.coded, classes, self.person, task.released)
        return Grouping((*steps, following), following.output)

    def value_columns(self, sensitive: Sequence[SensitiveAttribute]) -> tuple[Sql, ...]:
        """The codes of a record's sensitive values, as the method reads them."""
        return self.method.value_columns(sensitive)
