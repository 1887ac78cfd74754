"""Classes of persons: one record for each of them is given to the method, and the others follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlanon.domains import SensitiveAttribute
from sqlanon.joining import Merging
from sqlanon.measure import Asked, asked_models
from sqlanon.methods import Forming, Grouping, Method, Task
from sqlanon.methods.on_cells import LEFT_OUT
from sqlanon.plan import Check, Search, Step, work
from sqlanon.planning.outliers import KEPT_PERSONS, persons_kept
from sqlanon.privacy import Demand
from sqlanon.privacy.alpha import ALPHA
from sqlanon.privacy.l_diversity import DISTINCT_L
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
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_PROFILES, _UNPLACED = work("person_profiles"), work("unplaced")


@dataclass(frozen=True)
class ByPerson(Forming):
    """A method's classes of one record for each person; where they fail by all, they are joined.

    Attributes:
        method: the method.
        person: the columns that name a person.
        privacy: what is asked.
        leaves_outliers: whether outliers are left out, as far as records may be.
    """

    method: Method[Any]
    person: tuple[Sql, ...]
    privacy: Privacy
    leaves_outliers: bool = True

    def group(self, task: Task) -> Grouping:
        """The steps from one record for each person to a class for every record."""
        clusters = task.clusters
        # Where clusters are asked for, those that fail are left out, and nobody else.
        without = bool(task.suppression) and self.leaves_outliers and clusters is None
        leaving = persons_kept(task, self.person) if without else []
        codes = (*task.quasi_codes, *self.value_columns(task.sensitive), *task.person_codes)
        choosing, chosen = unit_steps(
            task.coded,
            self.person,
            codes,
            task.sensitive,
            task.seed,
            KEPT_PERSONS if without else PERSONS,
        )
        models = tuple(map(_of_units, asked_models(self.privacy, [*chosen, *task.following])))
        units = replace(
            task,
            records=UNIT_VALUES if chosen else UNITS,
            coded=UNITS,
            sensitive=chosen,
            insensitive=(NUMBER,),
            key=(),
            ties=(),
            models=models,
            # Outliers were left out.
            suppression=Fraction(0) if clusters is None else task.suppression,
            clusters=None if clusters is None else clusters.asking(models),
        )
        formed = self.method.group(units)
        forming = [one for one in formed.steps if one not in leaving]
        steps, classes = [*leaving, *choosing, *forming], formed.assigned
        if self.method.enforces and task.sensitive:
            merging = Merging(
                coded=task.coded,
                persons=PERSONS,
                assigned=formed.assigned,
                output=UNIT_CLASSES,
                person=self.person,
                quasi_identifiers=task.quasi_codes,
                sensitive=task.sensitive,
                models=task.models,
                profiles=formed.profiles,
                suppresses=bool(task.suppression),
            )
            steps, classes = [*steps, merging], merging.output
        followed = following_step(task.coded, classes, self.person, task.released)
        steps.append(followed)
        if without:
            return Grouping(tuple(steps), followed.output, LEFT_OUT, outliers=True)
        if formed.profiles is None:
            return Grouping(tuple(steps), followed.output)
        return self._in_clusters(task, formed, classes, steps, followed.output)

    def _in_clusters(
        self,
        task: Task,
        formed: Grouping,
        classes: Relation,
        steps: Sequence[Step | Check | Search],
        followed: Relation,
    ) -> Grouping:
        """The classes of persons with their clusters, and the persons in none of these."""
        assert formed.profiles is not None  # noqa: S101 - they are formed in clusters
        further = [
            Step(
                "the clusters of the classes of persons",
                _PROFILES,
                "persons/class_profiles",
                {"unit_classes": classes, "assigned": formed.assigned, "formed": formed.profiles},
                {"columns": task.person_codes},
            )
        ]
        if formed.suppressed is not None:
            assert task.clusters is not None  # noqa: S101 - as above
            further.append(
                Step(
                    "persons in no class of their cluster",
                    _UNPLACED,
                    "persons/unplaced",
                    {"coded": task.coded, "assigned": followed},
                    {"place": task.requirements.number(task.clusters.alike[0].key)},
                )
            )
        return Grouping(
            (*steps, *further),
            followed,
            None if formed.suppressed is None else _UNPLACED,
            profiles=_PROFILES,
        )

    def value_columns(self, sensitive: Sequence[SensitiveAttribute]) -> tuple[Sql, ...]:
        """The codes of a record's sensitive values, as the method reads them."""
        return self.method.value_columns(sensitive)


def _of_units(asked: Asked) -> Asked:
    """The demand on the records that stand for the persons of a class.

    Distinct l-diversity of persons bounds the share of a value: of the records as of the persons.
    """
    if asked.model is not DISTINCT_L or asked.bound is None:
        return asked
    return replace(asked, demand=Demand(ALPHA, Fraction(1, asked.demand.threshold)))
