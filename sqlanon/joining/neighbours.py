"""Joining groups that violate a model with their neighbours, in rounds, until none does.

Also the cells that groups of classes show to a reader, before it is settled which classes join.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.forms import published_columns
from sqlanon.forms.form import Enough
from sqlanon.measure.asked import Asked, UnitCounts, held_step
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Step, work
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
    return tuple(one.alias for one in published_columns(quasi_identifiers))
