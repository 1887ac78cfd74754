"""Classes that show the same are one to a reader: they are joined until every guard holds.

A method forms classes, and two of them may publish the same cells. With most
models the union of two classes meets what both meet; with guarded nodes it may not.
So the classes that a reader cannot tell apart are joined. Those that fail then join their
neighbours, until none fails or one class is left, which the gate judges.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.joining.neighbours import Neighbours, grouped, united
from sqlanon.measure.asked import Asked
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, SearchBase, work
from sqlanon.sql.names import Relation, Sql

_RECODED = work("guard_recoded")


@dataclass(frozen=True)
class Joining(SearchBase):
    """The search for classes that need to be joined.

    Attributes:
        assigned: the records with their classes, as a method formed them.
        output: the relation to make: the same with the classes that come of it.
        quasi_identifiers: the quasi-identifiers.
        columns: the columns that go on from here.
        models: what is asked of what is guarded.
        k: how many records a class has at least.
    """

    assigned: Relation
    output: Relation
    quasi_identifiers: tuple[QuasiAttribute, ...]
    columns: tuple[Sql, ...]
    models: tuple[Asked, ...]
    k: int

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return "joining classes that tell what persons guard"

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say how many classes failed in turn."""
        workspace = Workspace(session)
        neighbours = Neighbours(workspace, self.title, "guard")

        def judged(groups: Relation, turn: int) -> tuple[Relation, Relation]:
            groups = self._united(workspace, groups, turn)
            return groups, neighbours.states(self.models, *self._counted(workspace, groups))

        codes = [one.alias for one in self.quasi_identifiers]
        groups, found = neighbours.joined(neighbours.placed(self.assigned, codes), judged)
        failing = [one["failing"] for one in found]
        session.notes.append(("classes_failing_guards", json.dumps(failing)))
        session.create(grouped(self.title, self.output, self.assigned, groups, self.columns))
        workspace.clear()

    def _united(self, workspace: Workspace, groups: Relation, turn: int) -> Relation:
        """The groups, such that no two publish the same cells."""
        made = grouped(self.title, work("guard_grouped"), self.assigned, groups, self.columns)
        name = f"guard_united_{turn}"
        return united(workspace, name, made, _RECODED, self.quasi_identifiers, self.k)

    def _counted(
        self, workspace: Workspace, groups: Relation
    ) -> tuple[Relation, dict[str, Relation]]:
        """How many records every group has, and how many with each pair of value and node."""
        grouped = {"assigned": self.assigned, "group_classes": groups}
        sizes = workspace.make(self.title, "guard_sizes", "groups/sizes", grouped)
        attributes = [one.attribute.alias for one in self.models if one.attribute]
        values = {
            str(alias): workspace.make(
                self.title,
                f"guard_values_{alias}",
                "groups/record_values",
                grouped,
                attribute=alias,
            )
            for alias in attributes
        }
        return sizes, values
