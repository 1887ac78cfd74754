"""The allotment of an earlier release: how many records of every cell go to which class.

Where a method deals records out, no class follows from a record's quasi-identifiers. An allotment
says of every combination of values which of its records, in a seeded order, went to which class.
Laid over its own source it makes the same classes; over another table some records lie beyond it.

Where a class counts persons, or other units of several records, one record stands for each, which a
seeded shuffle of its records chooses. The allotment deals these out, and all records of a unit
follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlanon.clauses import allowing
from sqlanon.clauses.recipe.declared import RECIPE
from sqlanon.clauses.recipe.taking_over import TakingOver, unchanged
from sqlanon.domains.attribute import Unit
from sqlanon.engines import Engine
from sqlanon.measure.asked import OF_RECORDS, Asked
from sqlanon.methods.level.forming import sensitive_of
from sqlanon.methods.method import ASSIGNED, Forming, Grouping, TakenOver, Task
from sqlanon.methods.workspace import Workspace, sensitive_asked
from sqlanon.plan import FOUND, Materialization, Plan, Runner, Search, Step, work
from sqlanon.publish.joining import following
from sqlanon.sql.names import Relation, Sql

#: The columns of an allotment before those of the values.
COUNTED = ("class_id", "first_turn", "records")
_RANGES, _ALLOTTED, _CLASSES = (
    work("allotted_ranges"),
    work("allotted"),
    work("allotted_classes"),
)
_STANDING, _DEALT_UNITS = work("standing_records"), work("dealt_units")
_DEALING = "giving every record the class that the recipe has for it"


def allotted(rows: int) -> str:
    """The data of a file with so many rows of an allotment, in a few words."""
    return (
        f"{rows:,} rows with values of records and the class that these went to: show it to "
        "nobody, and put it into no repository"
    )


@dataclass(frozen=True)
class Allotment:
    """The allotment that a run keeps of its release.

    Attributes:
        step: makes it.
        seed: of the order of the records of a combination.
        columns: by alias of a column that it has a value of, the column's name.
        before: the steps that it is made of, where it is of persons.
        publication: of the groups that classes are published as; empty where cells are.
        means: what the values of such groups mean, by the name of the quasi-identifier.
    """

    step: Step
    seed: int
    columns: Mapping[str, str]
    before: tuple[Step, ...] = ()
    publication: str = ""
    means: Mapping[str, str] = field(default_factory=dict)

    @property
    def facts(self) -> dict[str, Any]:
        """The facts of it that a later run must know."""
        known: dict[str, Any] = {"seed": self.seed, "columns": dict(self.columns)}
        known |= {"publication": self.publication} if self.publication else {}
        return known | ({"persons": True} if self.before else {})

    @property
    def names(self) -> tuple[str, ...]:
        """All of its columns, in order."""
        return (*COUNTED, *self.columns)


def allotment_of(task: Task, classes: Grouping, output: Relation, unit: Unit) -> Allotment:
    """The allotment to keep of the classes of a release.

    Args:
        task: what the method was given.
        classes: what it formed.
        output: the relation to make.
        unit: what a class counts.
    """
    asked, assigned, before = sensitive_asked(task), classes.assigned, tuple[Step, ...]()
    named = {attribute.alias: attribute for attribute in (*task.quasi_identifiers, *task.sensitive)}
    coordinates = (*task.quasi_codes, *asked)
    domains = {coordinate: named[coordinate].domain for coordinate in coordinates}
    order = _order(task, asked, unit)
    if classes.unit_classes is not None:
        assigned = _DEALT_UNITS
        before = (
            _standing(task, unit, domains, task.seed),
            Step(
                f"the class of every {unit.noun}",
                assigned,
                "clauses/recipe/dealt_units",
                {"standing": _STANDING, "unit_classes": classes.unit_classes},
                {"columns": (*coordinates, *unit.columns)},
            ),
        )
    step = Step(
        "keeping how many records of every cell went to which class",
        output,
        "clauses/recipe/allotment",
        {"assigned": assigned} | {f"domain_{domain}": at for domain, at in domains.items()},
        {
            "columns": (Sql("class_id"), *coordinates, *order["carried"]),
            "coordinates": coordinates,
            "domains": domains,
            "seed": task.seed,
            **order,
        },
        Materialization.TABLE,
    )
    columns = {str(coordinate): named[coordinate].name for coordinate in coordinates}
    return Allotment(step, task.seed, columns, before)


def _standing(task: Task, unit: Unit, domains: Mapping[Sql, Relation], seed: int) -> Step:
    """The step that takes one record of every unit, by whose values it is dealt out."""
    inputs = {f"domain_{alias}": at for alias, at in domains.items()}
    return Step(
        f"one record of each {unit.noun}, by which the recipe deals",
        _STANDING,
        "clauses/recipe/standing",
        {"coded": task.coded, "persons": unit.numbered, **inputs},
        {
            "coordinates": tuple(domains),
            "domains": domains,
            "person": unit.columns,
            "seed": seed,
        },
    )


def _order(task: Task, sensitive: Sequence[Sql], unit: Unit) -> dict[str, Any]:
    """The parameters of the order of a combination's records: by all else published of them.

    The records that stand for units are in the order of these.
    """
    if unit.number is not None:
        return {"carried": unit.columns, "apart": False}
    unasked = [code for code in task.sensitive_codes if code not in sensitive]
    return {"carried": (*task.insensitive, *unasked), "apart": bool(unasked)}


@dataclass(frozen=True)
class EarlierAllotment(Forming):
    """The allotment that an earlier release dealt out, taken over by a new release.

    Attributes:
        name: the release's name.
        earlier: its allotment, in the columns that it was kept in.
        columns: by name of a column of the source, the column of the allotment.
        seed: of the order of the records of a combination.
        unit: what a class counts.
        listed: how many of its rows a file gives, so that statements hold them; 0 where they stand
            in the database.
    """

    name: str
    earlier: Relation | Sql
    columns: Mapping[str, str]
    seed: int
    unit: Unit
    listed: int = 0

    @property
    def taken_over(self) -> TakenOver:
        """The release."""
        return TakenOver(self.name, RECIPE)

    @property
    def cure(self) -> str:
        """The remedy that may help where the classes that come of it violate a model."""
        return f"leaving records out here ({allowing()})"

    @property
    def holds(self) -> str:
        """The records' values that its steps hold, in a few words: those of a file."""
        return allotted(self.listed) if self.listed else ""

    @property
    def unsteady(self) -> str:
        """That it deals out the records of its time."""
        return "an allotment has no class for later records: take a recipe of levels or cells"

    def held(self, plan: Plan, engine: Engine) -> Plan:
        """The plan, which looks itself whether what it reads is what it is now."""
        if self.listed:
            return plan
        columns = [*COUNTED, *self.columns.values()]
        return unchanged(plan, engine, self.name, columns, self.earlier, now=self.earlier)

    def group(self, task: Task) -> Grouping:
        """The steps from the records to a class for each that the allotment has a class for.

        Args:
            task: what a method is given.
        """
        known = [
            attribute
            for attribute in (*task.quasi_identifiers, *task.sensitive)
            if attribute.name in self.columns
        ]
        domains = {attribute.alias: attribute.domain for attribute in known}
        sensitive = [attribute.alias for attribute in task.sensitive if attribute.alias in domains]
        reads = {f"domain_{alias}": at for alias, at in domains.items()}
        columns = tuple(dict.fromkeys((*task.released, *sensitive_of(task.models))))
        dealing = Dealing(
            name=self.name,
            columns=(*task.quasi_codes, *sensitive_of(task.models)),
            models=task.models,
            suppresses=task.allowance > 0,
            noun=self.unit.noun,
        )
        read, dealt = task.coded, _ALLOTTED
        standing, followed = list[Step](), list[Step]()
        if self.unit.number is not None:
            # The gate alone knows all values of units: what is left out here lacks units.
            of_size = tuple(model for model in task.models if model.key == OF_RECORDS)
            dealing = replace(
                dealing, columns=task.quasi_codes, models=of_size, judged=_DEALT_UNITS
            )
            standing = [_standing(task, self.unit, domains, self.seed)]
            follow = following(self.unit, task.coded, _DEALT_UNITS, columns)
            followed = [replace(follow, output=_ALLOTTED)]
            read, dealt = _STANDING, _DEALT_UNITS
            columns = (*domains, *self.unit.columns, *self.unit.numbers)
        steps: list[Step | Search] = [
            Step(
                f"reading what {self.name} dealt out",
                _RANGES,
                "clauses/recipe/allotted_ranges",
                {"earlier": self.earlier, **reads},
                {
                    "columns": [
                        {"name": Sql(self.columns[attribute.name]), "alias": attribute.alias}
                        for attribute in known
                    ],
                    "domains": domains,
                },
            ),
            *standing,
            Step(
                _DEALING,
                dealt,
                "clauses/recipe/allotted",
                {"coded": read, "ranges": _RANGES},
                {
                    "columns": columns,
                    "coordinates": tuple(domains),
                    "seed": self.seed,
                    **_order(task, sensitive, self.unit),
                },
            ),
            *followed,
            dealing,
            Step(
                "the class of every record",
                ASSIGNED,
                "clauses/recipe/dealt",
                {"allotted": _ALLOTTED, "allotted_classes": _CLASSES},
                {"columns": (*task.released, *self.unit.numbers)},
            ),
        ]
        return Grouping(tuple(steps), suppressed=_CLASSES if task.allowance else None)


@dataclass(frozen=True)
class Dealing(TakingOver):
    """Counting what went to the classes of an allotment; there is nothing to search.

    Attributes:
        name: the earlier release's name.
        columns: the codes that the models are measured of.
        models: what every class must meet.
        suppresses: whether records may be suppressed.
        judged: what the models are measured of: every record with its class, or every unit.
        noun: what a class counts.
    """

    name: str
    columns: tuple[Sql, ...]
    models: tuple[Asked, ...]
    suppresses: bool
    noun: str
    judged: Relation = _ALLOTTED

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return "counting the classes of the recipe"

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return _CLASSES

    def _place(self, session: Runner, workspace: Workspace) -> Relation:
        """The records of every class and combination of values, and the classes."""
        placed = judged = self._cells(workspace, "allotted_cells", _ALLOTTED)
        if self.judged != _ALLOTTED:
            judged = self._cells(workspace, "allotted_units", self.judged)
        held = self._held(
            session,
            workspace,
            judged,
            columns=self.columns,
            every=f"the recipe has a class for every {self.noun}",
            beyond=f"{FOUND.records} {self.noun}s are more than {self.name!r} dealt out, with "
            f"{FOUND.combinations} combinations of values",
        )
        inputs = {"placed": placed, **held}
        session.create(Step(self.title, _CLASSES, "recode/judged_classes", inputs))
        return placed

    def _cells(self, workspace: Workspace, name: str, allotted: Relation) -> Relation:
        """How many of them each class has, by their values."""
        inputs, template = {"allotted": allotted}, "clauses/recipe/allotted_cells"
        return workspace.make(self.title, name, template, inputs, columns=self.columns)
