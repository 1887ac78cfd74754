"""Judging nodes of the lattice: the tuples are rolled up, and their classes held to the models.

The classes of many nodes are measured at once, by the templates that the gate measures with. The
records are not read again; the tuples are rolled up to what several nodes have in common first.

A projection asks whether groups by some of the attributes are large enough. Such a group depends on
the levels of its attributes alone, and is never smaller at higher ones: it is counted once for each
choice of these. LeFevre et al. (2005), §3. Where records may be suppressed a group loses those of
the classes that are; the classes that are kept are the most that can be.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlanon.measure.asked import Asked, held_step
from sqlanon.measure.cover import Projected
from sqlanon.methods.level.nodes import MOST_ID, Lattice, Node
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import work
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.sql.names import Relation, Sql

_TITLE = "judging what is known of some columns"


class Projections:
    """The demands on groups by some of the attributes, and what was found of them.

    Args:
        workspace: makes the relations.
        lattice: the nodes.
        placed: the tuples with their groups at every level.
        names: the attributes' names, in the order of the lattice.
        asked: what is asked.
    """

    def __init__(
        self,
        workspace: Workspace,
        lattice: Lattice,
        placed: Relation,
        names: Sequence[str],
        asked: Sequence[Projected],
    ) -> None:
        self._workspace, self._lattice, self._placed = workspace, lattice, placed
        self._asked = asked
        self._members = [
            [index for index, name in enumerate(names) if name in projection.columns]
            for projection in asked
        ]
        self._failing = dict[tuple[int, Node], int]()

    def __bool__(self) -> bool:
        return bool(self._asked)

    def failing(self, node: Node) -> int:
        """How many records lie in groups that are too small, at most; 0 where there are none."""
        return max(self._failing_of(number, node) for number in range(len(self._asked)))

    def _failing_of(self, number: int, node: Node) -> int:
        known = number, tuple(node[index] for index in self._members[number])
        if known not in self._failing:
            found = self._workspace.one(
                "methods/level/projected_sums",
                {"placed": self._placed},
                parts=self._parts(node, self._members[number]),
                least=self._asked[number].k,
            )
            self._failing[known] = int(found["failing"])
        return self._failing[known]

    def kept(
        self, node: Node, held: Relation | None, least: int, first: int
    ) -> tuple[Relation, Relation]:
        """The classes that meet all else, and those of them that can be kept: ``holds`` is 1.

        Every round leaves out classes of groups that are too small by then, until none is.

        Args:
            node: the node.
            held: which classes meet what is asked of each alone; None where that is the size.
            least: the least class size.
            first: the number of the first class.
        """
        projections = self.parameters(node)
        opened = self._workspace.make(
            _TITLE,
            "lattice_projected_open",
            "methods/level/projected_open",
            {"placed": self._placed} | ({} if held is None else {"held": held}),
            parts=self._parts(node, range(len(node))),
            projections=projections,
            least=least,
            first=first,
        )
        kept, turn = opened, 0
        while True:
            before, turn = kept, 1 - turn
            name, inputs = f"lattice_projected_kept_{turn}", {"projected_open": before}
            kept = self._workspace.make(
                _TITLE, name, "methods/level/projected_kept", inputs, projections=projections
            )
            # Groups by one set of attributes have no class in common.
            if len(projections) == 1 or self._workspace.rows(kept) == self._workspace.rows(before):
                return opened, kept

    def parameters(self, node: Node, numbers: Sequence[int] = ()) -> list[dict[str, Any]]:
        """The demands, as templates read them.

        Args:
            node: the node.
            numbers: the place of each among all that is asked for, where that matters.
        """
        return [
            {
                "number": number + 1,
                "k": projection.k,
                "parts": self._parts(node, self._members[number]),
                "model": numbers[number] if numbers else 0,
            }
            for number, projection in enumerate(self._asked)
        ]

    def _parts(self, node: Node, numbers: Sequence[int]) -> list[dict[str, Any]]:
        return [
            {"alias": self._lattice.dimensions[index].alias, "level": node[index]}
            for index in numbers
        ]


TITLE = "judging nodes of the lattice"


@dataclass(frozen=True)
class Judgement:
    """The judgement of a node.

    Attributes:
        kept: how many records lie in classes that meet every model.
        failing: how many do not; they would be suppressed.
        loss: the loss with these suppressed, each as if it lost all, in units.
    """

    kept: int
    failing: int
    loss: int


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """The conditions that every class of a search over levels must meet.

    Attributes:
        models: the models that it must meet.
        k: the least class size.
        most: how many records may lie in classes that fail.
    """

    models: Sequence[Asked]
    k: int
    most: int = 0

    @cached_property
    def measured(self) -> list[Asked]:
        """The models that a class's size does not decide."""
        asked = [model for model in self.models if model.bound is not None]
        return [model for model in asked if model.model is not K_ANONYMITY]

    @cached_property
    def least(self) -> int:
        """The least size of a class that can meet them."""
        asked = [model for model in self.models if model.bound is not None]
        return max([self.k, *(model.demand.least_size for model in asked)])

    @cached_property
    def parted(self) -> bool:
        """Whether a class that fails is in classes that fail, however it is parted."""
        return {model.model.monotone for model in self.models if model.bound is not None} <= {
            "parted"
        }

    @cached_property
    def inherited(self) -> bool:
        """Whether what fails still fails once its classes are parted further."""
        kinds = {model.model.monotone for model in self.models if model.bound is not None}
        return self.parted or (not self.most and None not in kinds)


class Judge:
    """Judges nodes, and remembers what was found.

    Args:
        workspace: makes the relations.
        lattice: the nodes.
        placed: the tuples with their groups at every level.
        models: what every class must meet.
        units: the loss of a record of which all is lost.
        most_suppressed: how many records may be suppressed.
        k: the least class size.
        projections: what the groups by some of the attributes must be like.
        pairs: where the loss counts pairs of records that look alike, the records in all; else 0.
    """

    def __init__(
        self,
        workspace: Workspace,
        lattice: Lattice,
        placed: Relation,
        models: Sequence[Asked],
        units: int,
        most_suppressed: int,
        k: int,
        projections: Projections,
        pairs: int = 0,
    ) -> None:
        self._projections = projections
        self.lattice, self.found = lattice, dict[Node, Judgement]()
        #: By how much at least leaving out raises the loss of a node, and of all nodes below it.
        self.certain = dict[Node, int]()
        #: The nodes that are not satisfied, and no node below them is.
        self.ruled_out = set[Node]()
        self._workspace, self._placed, self._units = workspace, placed, units
        self._rows = workspace.rows(placed)
        self._most, self._pairs = most_suppressed, pairs
        self._asked = Conditions(models=models, k=k, most=most_suppressed)
        self._people = any(model.model.is_of_covered for model in self._asked.measured)

    def satisfied(self, node: Node) -> bool:
        """Whether a node that was judged satisfies the models within the limit."""
        found = self.found[node]
        return found.failing <= self._most and found.kept > 0

    def judge(self, nodes: Sequence[Node], most_loss: int | None = None) -> None:
        """Judge the nodes that were not judged before.

        Args:
            nodes: the nodes.
            most_loss: where given, a node that loses more need not be judged to the end.
        """
        new = [node for node in nodes if node not in self.found]
        if self._projections and not self._most:
            new = [node for node in new if self._projects(node)]
        for stretch in self.lattice.by_stretch(new):
            self._judge(stretch, most_loss)

    def _projects(self, node: Node) -> bool:
        """Whether all groups by some of the attributes are large enough; else it is judged."""
        failing = self._projections.failing(node)
        if failing:  # what such a group is made of is too small as well
            self.found[node] = Judgement(0, failing, self.lattice.loss(node))
            self.ruled_out.add(node)
        return not failing

    def _judge(self, nodes: Sequence[Node], most_loss: int | None) -> None:
        """Judge nodes of one stretch."""
        self._workspace.reached(len(self.found) / self.lattice.size)
        fixed = self.lattice.fixed
        free = [index for index in range(len(nodes[0])) if index not in fixed]
        size = math.prod(self.lattice.dimensions[index].sizes[0] for index in free)
        apart = bool(self._projections and self._most) or len(nodes) * self._rows * size >= MOST_ID
        if apart and len(nodes) > 1:
            for node in nodes:
                self._judge([node], most_loss)
            return
        if len(nodes) == 1:  # all that it is made of is rolled up
            free, size = [], 1
        rolled = self._rolled(nodes, free)
        numbered = [self._numbered(number, node, free) for number, node in enumerate(nodes)]
        ids = {"span": self._rows * size, "radix": size}
        classes = self._workspace.make(
            TITLE,
            "lattice_classes",
            "methods/level/node_classes",
            {"rolled": rolled},
            nodes=numbered,
            **ids,
        )
        left = []
        for row in self._sums({"node_classes": classes}, len(nodes)):
            # Classes that are too small; the classes they are made of are too small as well.
            node, spared = nodes[row["node"]], int(row["spared"])
            loss = self.lattice.loss(node) + spared
            # Pairs do not add up: what lies below may have fewer.
            self.certain[node] = 0 if self._pairs else spared
            if int(row["failing"]) > self._most:
                self.ruled_out.add(node)
            nothing_else = not self._asked.measured and not (self._projections and self._most)
            if int(row["failing"]) > self._most or nothing_else:
                self.found[node] = Judgement(int(row["kept"]), int(row["failing"]), loss)
            elif most_loss is None or loss <= most_loss:
                left.append(numbered[row["node"]])
        if left:
            held = None
            if self._asked.measured:
                held = self._held(rolled, classes, {"nodes": left, **ids})
            if self._projections and self._most:
                _, held = self._projections.kept(nodes[0], held, self._asked.least, first=0)
            assert held is not None  # noqa: S101 - more than the size is asked
            self._conclude(
                nodes, left, self._sums({"node_classes": classes, "held": held}, len(nodes))
            )

    def _sums(self, inputs: dict[str, Relation], nodes: int) -> list[dict[str, Any]]:
        params = {"least": self._asked.least, "units": self._units, "pairs": self._pairs}
        rows = self._workspace.several("methods/level/node_sums", inputs, nodes, **params)
        # In their own order, that the SQL which names them is the same every time.
        return sorted(rows, key=lambda row: int(row["node"]))

    def _conclude(
        self, nodes: Sequence[Node], left: Sequence[dict[str, Any]], sums: Sequence[dict[str, Any]]
    ) -> None:
        """Note what was found of the nodes whose classes were measured."""
        measured = {entry["node"] for entry in left}
        for row in sums:
            if row["node"] not in measured:
                continue
            node, spared = nodes[row["node"]], int(row["spared"])
            loss = self.lattice.loss(node) + spared
            self.found[node] = Judgement(int(row["kept"]), int(row["failing"]), loss)
            if self._asked.parted and not self._pairs:
                self.certain[node] = spared
            if self._asked.inherited and not self.satisfied(node):
                self.ruled_out.add(node)

    def _numbered(self, number: int, node: Node, free: Sequence[int]) -> dict[str, Any]:
        """A node and how its classes are numbered: a digit for each attribute that is free."""
        parts, radix = [], 1
        for index in free:
            one = self.lattice.dimensions[index]
            parts.append({"alias": one.alias, "level": node[index], "radix": radix})
            radix *= one.sizes[0]
        return {"node": number, "parts": parts}

    def _rolled(self, nodes: Sequence[Node], free: Sequence[int]) -> Relation:
        """The tuples at the levels that all of the nodes have in common."""
        numbered = list(enumerate(self.lattice.dimensions))
        return self._workspace.make(
            TITLE,
            "lattice_rolled",
            "methods/level/rolled",
            {"placed": self._placed},
            fixed=[
                {"alias": dimension.alias, "level": nodes[0][index]}
                for index, dimension in numbered
                if index not in free
            ],
            free=[dimension for index, dimension in numbered if index in free],
            sensitive=self.sensitive,
            people=self._people,
        )

    @property
    def sensitive(self) -> list[Sql]:
        """The sensitive attributes of which anything is asked."""
        return list(
            dict.fromkeys(
                model.attribute.alias for model in self._asked.measured if model.attribute
            )
        )

    def _held(self, rolled: Relation, classes: Relation, ids: dict[str, Any]) -> Relation:
        """Which classes meet each model, of those that are large enough."""
        large = self._workspace.make(
            TITLE,
            "lattice_large",
            "methods/level/large_classes",
            {"node_classes": classes},
            least=self._asked.least,
            nodes=ids["nodes"],
        )
        if self._people:
            large = self._workspace.make(
                TITLE,
                "lattice_covered",
                "methods/level/node_covered",
                {"rolled": rolled, "classes": large},
                **ids,
            )
        values = {}
        for model in self._asked.measured:
            if model.attribute is not None and model.attribute.alias not in values:
                alias = model.attribute.alias
                values[str(alias)] = self._workspace.make(
                    TITLE,
                    f"lattice_values_{alias}",
                    "methods/level/node_values",
                    {"rolled": rolled, "classes": large, "positions": model.attribute.positions},
                    attribute=alias,
                    **ids,
                )
        return held_classes(self._workspace, self._asked.measured, large, values)


def counted_classes(
    workspace: Workspace,
    title: str,
    stem: str,
    cells: Relation,
    positions: Mapping[Sql, Relation],
    people: bool = False,
) -> tuple[Relation, dict[str, Relation]]:
    """The sizes of classes, and how many records of each have each value.

    Args:
        workspace: makes the relations.
        title: what is done, for people.
        stem: how their names begin.
        cells: the cells of every class, with the values of some attributes.
        positions: the values of each of these.
        people: whether the cells count the persons of another table, too.
    """
    inputs = {"chosen_cells": cells}
    template = "methods/level/chosen_covered" if people else "methods/level/chosen_classes"
    classes = workspace.make(title, f"{stem}_sizes", template, inputs)
    values = {
        str(alias): workspace.make(
            title,
            f"{stem}_values_{alias}",
            "methods/level/chosen_values",
            {**inputs, "positions": known},
            attribute=alias,
        )
        for alias, known in positions.items()
    }
    return classes, values


def held_classes(
    workspace: Workspace, models: Sequence[Asked], classes: Relation, values: dict[str, Relation]
) -> Relation:
    """Which classes meet each model, a model by its place.

    Args:
        workspace: makes the relations.
        models: what is asked, at least one.
        classes: the classes with their records.
        values: for each sensitive attribute, how many records of each class have each value.
    """
    for model in models:
        workspace.create(model.step(classes, values))
    holding = held_step(models, work("lattice_held"))
    assert holding is not None  # noqa: S101 - something is asked
    return workspace.create(holding)
