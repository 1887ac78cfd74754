"""Persons in a plan: they are numbered, and the method forms classes of them.

The method is given one record for each person, and the others follow. An outlier is left out with
all records, or with none. Persons are alike who have as many records of every combination of
quasi-identifiers, and stay or go together. A person's cost is what the group of k persons loses
with all of the person's records, less what it loses without them. Quasi-identifiers alone decide
which persons are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute, Unit
from sqlanon.draft import Draft, Stages
from sqlanon.measure.asked import Asked, asked_models, unit_counts
from sqlanon.methods import method_of
from sqlanon.methods.method import Forming, Grouping, Method, Task
from sqlanon.methods.outliers import TITLE, OutlierSearch, least_kept
from sqlanon.methods.workspace import LEFT_OUT, Workspace, scales_of
from sqlanon.plan import FOUND, Check, Runner, Search, Step, infeasible, work
from sqlanon.privacy.alpha import ALPHA
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.privacy.model import Demand
from sqlanon.publish import joining
from sqlanon.source.source import RECORD_UNIT, RECORDS
from sqlanon.spec import Column, Privacy
from sqlanon.spec.clauses import goes_on
from sqlanon.sql.names import Relation, Sql

KEPT_PERSONS = work("kept_persons")
_TUPLES, _OUTLIERS = work("person_tuples"), work("outlying_persons")
_CELLS, _ALIKE, _ALIKE_CELLS = work("person_cells"), work("person_alike"), work("alike_cells")

_PROFILES, _UNPLACED = work("person_profiles"), work("unplaced")


@dataclass(frozen=True)
class ByPerson(Forming):
    """A method's classes of one record for each person; where they fail by all, they are joined.

    Attributes:
        method: the method.
        unit: the persons.
        privacy: what is asked.
        leaves_outliers: whether outliers are left out, as far as records may be.
    """

    method: Method[Any]
    unit: Unit
    privacy: Privacy
    leaves_outliers: bool = True

    def group(self, task: Task) -> Grouping:
        """The steps from one record for each person to a class for every record."""
        # Where classes are made in clusters, those that fail are left out, and nobody else.
        clusters = task.clusters if self.method.settings.clusters else None
        without = bool(task.allowance) and self.leaves_outliers and clusters is None
        leaving = persons_kept(task, self.unit) if without else []
        codes = (*task.quasi_codes, *self.value_columns(task.sensitive), *task.unit_codes)
        among = replace(self.unit, numbered=KEPT_PERSONS) if without else self.unit
        choosing, sensitive = joining.chosen(among, task.coded, codes, task.sensitive, task.seed)
        models = tuple(map(_of_units, asked_models(self.privacy, [*sensitive, *task.following])))
        # Outliers were left out.
        allowance = Fraction(0) if clusters is None else task.allowance
        wanted = replace(task, clusters=clusters, allowance=allowance)
        standing = (joining.UNITS, joining.UNIT_VALUES)
        formed = self.method.group(
            joining.among_units(wanted, self.unit, standing, sensitive, models)
        )
        forming = [step for step in formed.steps if step not in leaving]
        steps, classes = [*leaving, *choosing, *forming], formed.assigned
        if self.method.enforces and task.sensitive:
            merging = joining.Merging(
                coded=task.coded,
                assigned=formed.assigned,
                output=joining.UNIT_CLASSES,
                unit=self.unit,
                quasi_identifiers=task.quasi_codes,
                sensitive=task.sensitive,
                models=task.models,
                profiles=formed.profiles,
                suppresses=bool(task.allowance),
            )
            steps, classes = [*steps, merging], merging.output
        followed = joining.following(self.unit, task.coded, classes, task.released)
        steps.append(followed)
        made = Grouping(tuple(steps), followed.output, unit_classes=classes)
        if without:
            return replace(made, suppressed=LEFT_OUT, outliers=True)
        return made if formed.profiles is None else self._in_clusters(task, formed, made)

    def _in_clusters(self, task: Task, formed: Grouping, made: Grouping) -> Grouping:
        """The classes of persons with their clusters, and the persons in none of these."""
        assert formed.profiles is not None  # noqa: S101 - they are formed in clusters
        further = [
            Step(
                "the clusters of the classes of persons",
                _PROFILES,
                "clauses/person/class_profiles",
                {
                    "unit_classes": made.unit_classes,
                    "assigned": formed.assigned,
                    "formed": formed.profiles,
                },
                {"columns": task.unit_codes},
            )
        ]
        if formed.suppressed is not None:
            assert task.clusters is not None  # noqa: S101 - as above
            further.append(
                Step(
                    "persons in no class of their cluster",
                    _UNPLACED,
                    "clauses/person/unplaced",
                    {"coded": task.coded, "assigned": made.assigned},
                    {"number": task.requirements.number(task.clusters.alike[0].key)},
                )
            )
        suppressed = None if formed.suppressed is None else _UNPLACED
        steps = (*made.steps, *further)
        return replace(made, steps=steps, suppressed=suppressed, profiles=_PROFILES)

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
            model
            for model in self.models
            if model.attribute in self.sensitive and model.bound is not None
        ]
        if not asked:
            return False
        values, counts = {}, {}
        for attribute in self.sensitive:
            alias = str(attribute.alias)
            values[alias] = workspace.make(
                TITLE,
                f"outlier_values_{alias}",
                "outliers/kept_values",
                {
                    "alike_values": self.alike_values[attribute.alias],
                    "outliers": outliers,
                    "positions": attribute.positions,
                },
            )
            counts[alias], steps = unit_counts(attribute, "person", kept, values[alias], "outlier")
            for step in steps:
                workspace.create(step)
        states = joining.Neighbours(workspace, TITLE, "outlier").states(asked, kept, values, counts)
        return bool(workspace.one("groups/failing", {"group_states": states})["failing"])


def persons_kept(task: Task, unit: Unit) -> list[Step | Search]:
    """The steps to the persons who are not left out, in a relation like that of all persons."""
    scales, laid = scales_of(task)
    coded = {"coded": task.coded, "persons": unit.numbered}
    values = {
        attribute.alias: work("alike_values_", attribute.alias) for attribute in task.sensitive
    }
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
            "clauses/person/person_cells",
            {**coded, "cells": _TUPLES},
            {"person": unit.columns, "columns": task.quasi_codes},
        ),
        Step(
            "which persons are alike",
            _ALIKE,
            "clauses/person/person_alike",
            {"person_cells": _CELLS},
        ),
        Step(
            "the combinations of persons alike",
            _ALIKE_CELLS,
            "clauses/person/alike_cells",
            {"person_cells": _CELLS, "person_alike": _ALIKE},
        ),
        *(
            Step(
                f"values of {attribute.name} of persons alike",
                values[attribute.alias],
                "clauses/person/alike_values",
                {**coded, "person_alike": _ALIKE},
                {"attribute": attribute.alias, "person": unit.columns},
            )
            for attribute in task.sensitive
        ),
        OutlyingPersons(
            tuples=_TUPLES,
            alike_cells=_ALIKE_CELLS,
            alike_values=values,
            quasi=scales,
            sensitive=task.sensitive,
            models=task.models,
            k=task.k,
            least=least_kept(task),
            limit=task.allowance,
            within=task.within,
        ),
        Step(
            "the persons without the outliers",
            KEPT_PERSONS,
            "clauses/person/kept",
            {"persons": unit.numbered, "person_alike": _ALIKE, "outliers": _OUTLIERS},
            {"person": unit.columns},
        ),
    ]


_PERSONS, _SIZE = work("persons"), work("person_size")
_TOO_FEW = (
    "k-anonymity cannot be reached: k is {k}, the source has only "
    f"{FOUND.records} persons; lower k"
)


@dataclass(frozen=True)
class Persons(Unit):
    """Persons as what a class counts."""

    def values(self, column: Column, alias: str) -> Step:
        """The step that pairs the persons with their values of a column."""
        return Step(
            f"values of {column.name} of each person",
            work("pairs_", alias),
            "clauses/person/pairs",
            {"records": RECORDS},
            {"attribute": Sql(alias), "tie_breaker": column.tie_breaker, "person": self.columns},
        )

    def taken(self, columns: Sequence[Sql]) -> Step:
        """The step that takes one record of each person, where what they share is to count once."""
        return Step(
            "one record of each person, as it is",
            self.once,
            "clauses/person/one_record",
            {"records": RECORDS},
            {"columns": tuple(columns), "person": self.columns},
        )


def unit(draft: Draft) -> Unit:
    """Persons; or records, of which a person adds no more than a bound to what is published."""
    spec = draft.spec
    person = tuple(Sql(draft.short[name]) for name in spec.person)
    named = Check(
        "every record is about a person",
        "clauses/person/check_named",
        {"records": RECORDS},
        {"person": person},
        "person",
        f"{FOUND.records} records do not say whom they are about, so persons cannot be counted: "
        "fill the column, or leave these records out by a query",
    )
    if spec.counts:
        return replace(RECORD_UNIT, bounded=person, steps=(named,))
    numbering = Step(
        "numbering the persons",
        _PERSONS,
        "clauses/person/persons",
        {"records": RECORDS},
        {"person": person},
    )
    counting = Step("counting the persons", _SIZE, "source/record_count", {"records": _PERSONS})
    enough = Check(
        "there are enough persons",
        "source/check_enough_records",
        {"size": _SIZE},
        {"k": spec.privacy.k},
        "privacy.k",
        _TOO_FEW.format(k=spec.privacy.k),
        infeasible,
    )
    return Persons(
        noun="person",
        numbered=_PERSONS,
        size=_SIZE,
        once=work("one_record"),
        columns=person,
        number=Sql("x0"),
        steps=(named, numbering, counting, enough),
    )


def forming(draft: Draft) -> ByPerson | None:
    """The method's classes of persons; where classes go on, none leave but for lack of company."""
    if draft.unit.number is None:
        return None
    method = method_of(draft.spec.method)
    return ByPerson(method, draft.unit, draft.spec.privacy, not goes_on(draft.spec))


STAGES = Stages(unit=unit, forming=forming)
