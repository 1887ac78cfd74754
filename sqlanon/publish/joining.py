"""Classes of units that have several records: one record stands for each, and the others follow.

A method looks at one record of each unit. Where units have several values a class may fall short by
all of them together, and joins its neighbours then. Classes share no unit, so joining them adds up
their pairs of unit and value: their distance to the table falls, and the whole table is at distance
0.

Groups that violate a model join their neighbours, in rounds, until none does. Before that it is
settled which cells groups of classes show to a reader.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute, SensitiveAttribute, Unit
from sqlanon.forms import published_columns
from sqlanon.forms.form import Enough
from sqlanon.measure.asked import Asked, UnitCounts, held_step, unit_counts
from sqlanon.methods.method import Task
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Materialization, Runner, SearchBase, Step, work
from sqlanon.publish.generalized import recoding_steps
from sqlanon.sql.names import Relation, Sql

# So many times neighbours join two and two; after that they do in ever longer stretches.
_NARROW_ROUNDS = 4
_BITS = 5


class Neighbours:
    """Groups of classes in an order in which neighbours are alike.

    Args:
        workspace: makes the relations.
        title: what is done, for people.
        stem: how their names begin.
    """

    def __init__(self, workspace: Workspace, title: str, stem: str) -> None:
        self._workspace, self._title, self._stem = workspace, title, stem

    def placed(self, assigned: Relation, quasi_identifiers: Sequence[Sql]) -> Relation:
        """A group of every class, in their order.

        Args:
            assigned: the records with their classes.
            quasi_identifiers: their codes.
        """
        return self._make(
            "groups_0",
            "groups/placed",
            {"assigned": assigned},
            quasi_identifiers=tuple(quasi_identifiers),
            cells=2**_BITS,
            bits=tuple(2**bit for bit in reversed(range(_BITS))),
        )

    def joined(
        self, groups: Relation, judged: Callable[[Relation, int], tuple[Relation, Relation]]
    ) -> tuple[Relation, list[dict[str, Any]]]:
        """The groups when none violates a model, or one is left.

        Args:
            groups: the groups, in their order.
            judged: of the groups of a round, and its number from 0, the groups that are judged and
                which of them violate a model.

        Returns:
            The groups, and of each round how many there were and how many failed.
        """
        found: list[dict[str, Any]] = []
        while True:
            turn = len(found)
            groups, states = judged(groups, turn)
            inputs = {"group_states": states}
            found.append(self._workspace.one("groups/failing", inputs))
            if not found[-1]["failing"] or found[-1]["total"] == 1:
                return groups, found
            groups = self._make(
                f"groups_{turn + 1}",
                "groups/merged",
                {"group_classes": groups, **inputs},
                reach=0 if turn < _NARROW_ROUNDS else 2 ** (turn - _NARROW_ROUNDS),
            )

    def states(
        self,
        models: Sequence[Asked],
        sizes: Relation,
        values: Mapping[str, Relation],
        units: Mapping[str, UnitCounts] | None = None,
    ) -> Relation:
        """Which groups violate a model.

        Args:
            models: what is asked; of one at least there is a bound.
            sizes: how many each group has.
            values: for each sensitive attribute, how many of these have each value.
            units: where others than records are counted, for each attribute what stands for them.
        """
        for model in models:
            self._workspace.create(model.step(sizes, values, units))
        holding = held_step(models, work(self._stem, "_held"))
        assert holding is not None  # noqa: S101 - something is asked
        held = self._workspace.create(holding)
        return self._make("states", "groups/states", {"held": held})

    def _make(
        self, name: str, template: str, inputs: Mapping[str, Relation], **params: Any
    ) -> Relation:
        return self._workspace.make(self._title, f"{self._stem}_{name}", template, inputs, **params)


def grouped(
    title: str, output: Relation, assigned: Relation, groups: Relation, columns: Sequence[Sql]
) -> Step:
    """The step that makes the groups the classes of the records.

    Args:
        title: what is done, for people.
        output: the relation to make.
        assigned: the records with their classes.
        groups: the group of every class.
        columns: the columns that go on from here.
    """
    inputs = {"assigned": assigned, "group_classes": groups}
    return Step(title, output, "groups/assigned", inputs, {"columns": tuple(columns)})


def united(
    workspace: Workspace,
    output: str,
    made: Step,
    recoded: Relation,
    quasi_identifiers: Sequence[QuasiAttribute],
    k: int,
    **clusters: Relation,
) -> Relation:
    """Make what every group publishes, and the groups such that no two publish the same.

    Args:
        workspace: makes the relations.
        output: the name of the groups to make.
        made: the step that makes the groups the classes of the records.
        recoded: the relation to make of what they publish.
        quasi_identifiers: the quasi-identifiers.
        k: how many records a class has at least.
        clusters: ``class_clusters``, where only groups of one cluster become one.
    """
    records = workspace.create(made)
    published = published_columns(quasi_identifiers)
    for step in recoding_steps(records, recoded, published, quasi_identifiers, Enough(k)):
        if isinstance(step, Step):
            workspace.create(step)
    inputs = {"group_classes": made.inputs["group_classes"], "recoded": recoded, **clusters}
    columns = shown(quasi_identifiers)
    return workspace.make(made.title, output, "groups/united", inputs, published=columns)


def shown(quasi_identifiers: Sequence[QuasiAttribute]) -> tuple[Sql, ...]:
    """The columns of what a group publishes."""
    return tuple(column.alias for column in published_columns(quasi_identifiers))


UNITS, UNIT_VALUES, UNIT_CLASSES = work("units"), work("unit_values"), work("unit_classes")


def chosen(
    unit: Unit,
    coded: Relation,
    coordinates: Sequence[Sql],
    sensitive: Sequence[SensitiveAttribute],
    seed: int,
) -> tuple[list[Step], tuple[SensitiveAttribute, ...]]:
    """The steps that choose one record to stand for each unit.

    Args:
        unit: the units that are to be published.
        coded: the records with integer codes.
        coordinates: the codes.
        sensitive: the sensitive attributes.
        seed: of the choice.

    Returns:
        The steps, and the sensitive attributes with the frequencies of what was chosen.
    """
    choosing = Step(
        f"one record for each {unit.noun}",
        UNITS,
        "units/units",
        {"coded": coded, "numbered": unit.numbered},
        {
            "coordinates": tuple(coordinates),
            "drawn_by": (*unit.numbers, *coordinates),
            "unit": unit.columns,
            "seed": seed,
        },
    )
    counting, counted = counted_among(UNITS, UNIT_VALUES, sensitive, "unit_positions_")
    return [choosing, *counting], counted


def counted_among(
    units: Relation, values: Relation, sensitive: Sequence[SensitiveAttribute], prefix: str
) -> tuple[list[Step], tuple[SensitiveAttribute, ...]]:
    """The steps that count the sensitive values among records that stand for units.

    Args:
        units: one record for each.
        values: the relation to make: their sensitive values.
        sensitive: the sensitive attributes.
        prefix: of the names of the relations of frequencies.
    """
    counted = tuple(
        replace(attribute, positions=work(prefix, attribute.alias)) for attribute in sensitive
    )
    steps = [
        Step(
            f"frequencies of {attribute.name} among them",
            own.positions,
            "units/unit_positions",
            {"positions": attribute.positions, "units": units},
            {
                "attribute": attribute.alias,
                "height": 0 if attribute.nodes is None else attribute.height,
            },
        )
        for attribute, own in zip(sensitive, counted, strict=True)
    ]
    if sensitive:
        domains = {str(attribute.alias): attribute.domain for attribute in sensitive}
        steps.append(
            Step(
                "their sensitive values",
                values,
                "units/unit_values",
                {"units": units} | {f"domain_{alias}": at for alias, at in domains.items()},
                {
                    "sensitive": tuple(attribute.alias for attribute in sensitive),
                    "domains": domains,
                },
                Materialization.WORK_VIEW,
            )
        )
    return steps, counted


def among_units(
    task: Task,
    unit: Unit,
    standing: tuple[Relation, Relation],
    sensitive: tuple[SensitiveAttribute, ...],
    models: tuple[Asked, ...],
) -> Task:
    """The task of a method that forms classes of one record for each unit.

    Args:
        task: that of all records.
        unit: the units.
        standing: the records that stand for them, and these with their sensitive values.
        sensitive: the sensitive attributes, with the frequencies among these records.
        models: what is asked of classes of them.
    """
    units, values = standing
    return replace(
        task,
        records=values if sensitive else units,
        coded=units,
        sensitive=sensitive,
        insensitive=unit.numbers,
        key=(),
        ties=(),
        models=models,
        clusters=None if task.clusters is None else task.clusters.asking(models),
    )


def following(unit: Unit, coded: Relation, classes: Relation, columns: Sequence[Sql]) -> Step:
    """The step by which all records of a unit go to its class."""
    return Step(
        f"all records follow their {unit.several}",
        work("followed"),
        "units/assigned",
        {"coded": coded, "numbered": unit.numbered, "unit_classes": classes},
        {"columns": tuple(columns), "unit": unit.columns},
    )


@dataclass(frozen=True)
class Merging(SearchBase):
    """The search for classes that need to be joined.

    Attributes:
        coded: the records with integer codes.
        unit: the units.
        assigned: the units with their classes, as a method formed them.
        output: the relation to make: the class of every unit.
        quasi_identifiers: the quasi-identifiers.
        sensitive: the sensitive attributes, with the frequencies of all units' values.
        models: what is asked.
        profiles: where every class lies in a cluster, which one: classes of two are not joined.
        suppresses: whether a cluster that is one class by then, and still fails, is left out.
    """

    coded: Relation
    unit: Unit
    assigned: Relation
    output: Relation
    quasi_identifiers: tuple[Sql, ...]
    sensitive: tuple[SensitiveAttribute, ...]
    models: tuple[Asked, ...]
    profiles: Relation | None = None
    suppresses: bool = False

    @property
    def title(self) -> str:
        """The name of the search, for people."""
        return f"joining classes that violate a model by all of their {self.unit.several}' values"

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say how many classes were joined."""
        workspace = Workspace(session)
        asked = [
            model
            for model in self.models
            if model.attribute in self.sensitive and model.bound is not None
        ]
        attributes = [
            attribute
            for attribute in self.sensitive
            if any(m.attribute == attribute for m in asked)
        ]
        pairs = {
            str(attribute.alias): self._pairs(workspace, attribute) for attribute in attributes
        }
        neighbours = Neighbours(workspace, self.title, "merge")
        groups = neighbours.placed(self.assigned, self.quasi_identifiers)
        found: list[dict[str, Any]] = []
        clusters: Relation | None = None
        if self.profiles is not None:
            read = {"class_profiles": self.profiles}
            clusters = workspace.make(self.title, "merge_clusters", "zones/class_clusters", read)
            placed = {"group_classes": groups, "class_clusters": clusters}
            groups = workspace.make(self.title, "merge_placed", "zones/clustered", placed)

        def judged(groups: Relation, turn: int) -> tuple[Relation, Relation]:
            counted = self._counted(workspace, groups, pairs, attributes)
            states = neighbours.states(asked, *counted)
            if clusters is None:
                return groups, states
            inside = {"group_classes": groups, "class_clusters": clusters, "group_states": states}
            template = "groups/clustered_states"
            return groups, workspace.make(self.title, "merge_inside", template, inside)

        if asked:
            groups, found = neighbours.joined(groups, judged)
        session.notes.append(("classes_joined", json.dumps([entry["total"] for entry in found])))
        inputs = {"assigned": self.assigned, "group_classes": groups}
        if found and clusters is not None and self.suppresses:
            inputs["group_states"] = work("merge_states")
        session.create(Step(self.title, self.output, "units/unit_classes", inputs))
        workspace.clear()

    def _pairs(self, workspace: Workspace, attribute: SensitiveAttribute) -> Relation:
        return workspace.make(
            self.title,
            f"merge_coded_{attribute.alias}",
            "units/coded_pairs",
            {"coded": self.coded, "numbered": self.unit.numbered},
            attribute=attribute.alias,
            unit=self.unit.columns,
        )

    def _counted(
        self,
        workspace: Workspace,
        groups: Relation,
        pairs: dict[str, Relation],
        attributes: Sequence[SensitiveAttribute],
    ) -> tuple[Relation, dict[str, Relation], dict[str, UnitCounts]]:
        """How many units every group has, with each value, and what stands for them."""
        grouped = {"assigned": self.assigned, "group_classes": groups}
        sizes = workspace.make(self.title, "merge_sizes", "groups/sizes", grouped)
        values: dict[str, Relation] = {}
        counts: dict[str, UnitCounts] = {}
        for attribute in attributes:
            alias = str(attribute.alias)
            values[alias] = workspace.make(
                self.title,
                f"merge_values_{alias}",
                "groups/person_values",
                {**grouped, "coded_pairs": pairs[alias], "positions": attribute.positions},
            )
            counts[alias], steps = unit_counts(
                attribute, self.unit.noun, sizes, values[alias], "merge"
            )
            for step in steps:
                workspace.create(replace(step, title=self.title))
        return sizes, values, counts
