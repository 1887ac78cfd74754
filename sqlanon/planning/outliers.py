"""Outliers where persons are counted: a person is left out with all records, or with none.

Persons are alike who have as many records of every combination of quasi-identifiers, and stay or go
together. A person's cost is what the group of k persons loses with all of the person's records,
less what it loses without them. Quasi-identifiers alone decide which persons are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlanon.domains import SensitiveAttribute
from sqlanon.joining.neighbours import Neighbours
from sqlanon.measure import person_counts
from sqlanon.methods import Task
from sqlanon.methods.on_cells import scales_of
from sqlanon.methods.outliers import TITLE, OutlierSearch
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, Search, Step, work
from sqlanon.source.persons import PERSONS
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

KEPT_PERSONS = work("kept_persons")
_TUPLES, _OUTLIERS = work("person_tuples"), work("outlying_persons")
_CELLS, _ALIKE, _ALIKE_CELLS = work("person_cells"), work("person_alike"), work("alike_cells")


@dataclass(frozen=True, kw_only=True)
class OutlyingPersons(OutlierSearch):
    """The search for persons to leave out.

    Attributes:
        tuples: the combinations of quasi-identifiers: cell_id, q1, …, records.
        alike_cells: of persons alike, how many they are and which combinations they have.
        alike_values: for each sensitive attribute, how many of them have each value.
        sensitive: the sensitive attributes.
    """

    tuples: Relation
    alike_cells: Relation
    alike_values: Mapping[Sql, Relation]
    sensitive: tuple[SensitiveAttribute, ...]

    @property
    def output(self) -> Relation:
        """The relation it leaves: the persons alike who are left out."""
        return _OUTLIERS

    def run(self, session: Runner) -> None:
        """Find them, by steps of its own; the session's notes say how many persons they are."""
        workspace = Workspace(session)
        outliers, _ = self.leave_out(session, workspace, self.tuples, self.alike_cells)
        session.create(Step(TITLE, _OUTLIERS, "outliers/outlying", {"outliers": outliers}))
        workspace.clear()

    def kept(
        self, workspace: Workspace, tuples: Relation, alike: Relation, outliers: Relation
    ) -> Relation:
        """How many all other persons are."""
        inputs = {"alike": alike, "outliers": outliers}
        return workspace.make(TITLE, "outlier_people", "outliers/kept_people", inputs)

    def fails(self, workspace: Workspace, kept: Relation, outliers: Relation) -> bool:
        """Whether the persons who are kept violate a model as one class, by all of their values."""
        asked = [
            one for one in self.models if one.attribute in self.sensitive and one.bound is not None
        ]
        if not asked:
            return False
        values, counts = {}, {}
        for one in self.sensitive:
            alias = str(one.alias)
            values[alias] = workspace.make(
                TITLE,
                f"outlier_values_{alias}",
                "outliers/kept_values",
                {
                    "alike_values": self.alike_values[one.alias],
                    "outliers": outliers,
                    "positions": one.positions,
                },
            )
            counts[alias], steps = person_counts(one, kept, values[alias], "outlier")
            for step in steps:
                workspace.create(step)
        states = Neighbours(workspace, TITLE, "outlier").states(asked, kept, values, counts)
        return bool(workspace.one("groups/failing", {"group_states": states})["failing"])


def persons_kept(task: Task, person: Sequence[Sql]) -> list[Step | Search]:
    """The steps to the persons who are not left out, in a relation like that of all persons.

    Args:
        task: what the method is given.
        person: the columns that name a person.
    """
    scales, laid = scales_of(task)
    coded = {"coded": task.coded, "persons": PERSONS}
    values = {one.alias: work("alike_values_", one.alias) for one in task.sensitive}
    return [
        Step(
            "combining the quasi-identifiers",
            _TUPLES,
            "cells/cells",
            {"coded": task.coded},
            {"columns": task.quasi_codes},
        ),
        *laid,
        Step(
            "the combinations of each person",
            _CELLS,
            "persons/person_cells",
            {**coded, "cells": _TUPLES},
            {"person": tuple(person), "columns": task.quasi_codes},
        ),
        Step(
            "which persons are alike",
            _ALIKE,
            "persons/person_alike",
            {"person_cells": _CELLS},
        ),
        Step(
            "the combinations of persons alike",
            _ALIKE_CELLS,
            "persons/alike_cells",
            {"person_cells": _CELLS, "person_alike": _ALIKE},
        ),
        *(
            Step(
                f"values of {one.name} of persons alike",
                values[one.alias],
                "persons/alike_values",
                {**coded, "person_alike": _ALIKE},
                {"attribute": one.alias, "person": tuple(person)},
            )
            for one in task.sensitive
        ),
        OutlyingPersons(
            tuples=_TUPLES,
            alike_cells=_ALIKE_CELLS,
            alike_values=values,
            quasi=scales,
            sensitive=task.sensitive,
            models=task.models,
            k=task.k,
            limit=task.suppression,
            within=task.within,
        ),
        Step(
            "the persons without the outliers",
            KEPT_PERSONS,
            "persons/kept",
            {"persons": PERSONS, "person_alike": _ALIKE, "outliers": _OUTLIERS},
            {"person": tuple(person)},
        ),
    ]
