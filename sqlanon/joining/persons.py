"""Merging classes of persons until all of the persons' values meet what is asked.

A method looks at one record of each person. Where persons have several values a class may fall
short by all of them together, and joins its neighbours then. Classes share no person, so joining
them adds up their pairs of person and value: their distance to the table falls, and the whole
table is at distance 0.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.domains import SensitiveAttribute
from sqlanon.joining.neighbours import Neighbours
from sqlanon.measure import Asked, PersonCounts, person_counts
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, SearchBase, Step, work
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class Merging(SearchBase):
    """The search for classes that need to be joined.

    Attributes:
        coded: the records with integer codes.
        persons: the numbers of the persons.
        assigned: the persons with their classes, as a method formed them.
        output: the relation to make: the class of every person.
        person: the columns that name a person.
        quasi_identifiers: the quasi-identifiers.
        sensitive: the sensitive attributes, with the frequencies of all persons' values.
        models: what is asked.
        profiles: where every class lies in a cluster, which one: classes of two are not joined.
        suppresses: whether a cluster that is one class by then, and still fails, is left out.
    """

    coded: Relation
    persons: Relation
    assigned: Relation
    output: Relation
    person: tuple[Sql, ...]
    quasi_identifiers: tuple[Sql, ...]
    sensitive: tuple[SensitiveAttribute, ...]
    models: tuple[Asked, ...]
    profiles: Relation | None = None
    suppresses: bool = False

    @property
    def title(self) -> str:
        """The name of the search, for people."""
        return "joining classes that violate a model by all of their persons' values"

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say how many classes were joined."""
        workspace = Workspace(session)
        asked = [
            one for one in self.models if one.attribute in self.sensitive and one.bound is not None
        ]
        attributes = [one for one in self.sensitive if any(m.attribute == one for m in asked)]
        pairs = {str(one.alias): self._pairs(workspace, one) for one in attributes}
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
        session.notes.append(("classes_joined", json.dumps([one["total"] for one in found])))
        inputs = {"assigned": self.assigned, "group_classes": groups}
        if found and clusters is not None and self.suppresses:
            inputs["group_states"] = work("merge_states")
        session.create(Step(self.title, self.output, "persons/unit_classes", inputs))
        workspace.clear()

    def _pairs(self, workspace: Workspace, attribute: SensitiveAttribute) -> Relation:
        return workspace.make(
            self.title,
            f"merge_coded_{attribute.alias}",
            "persons/coded_pairs",
            {"coded": self.coded, "persons": self.persons},
            attribute=attribute.alias,
            person=self.person,
        )

    def _counted(
        self,
        workspace: Workspace,
        groups: Relation,
        pairs: dict[str, Relation],
        attributes: Sequence[SensitiveAttribute],
    ) -> tuple[Relation, dict[str, Relation], dict[str, PersonCounts]]:
        """How many persons every group has, with each value, and what stands for them."""
        grouped = {"assigned": self.assigned, "group_classes": groups}
        sizes = workspace.make(self.title, "merge_sizes", "groups/sizes", grouped)
        values: dict[str, Relation] = {}
        counts: dict[str, PersonCounts] = {}
        for one in attributes:
            alias = str(one.alias)
            values[alias] = workspace.make(
                self.title,
                f"merge_values_{alias}",
                "groups/person_values",
                {**grouped, "coded_pairs": pairs[alias], "positions": one.positions},
            )
            counts[alias], steps = person_counts(one, sizes, values[alias], "merge")
            for step in steps:
                workspace.create(replace(step, title=self.title))
        return sizes, values, counts
