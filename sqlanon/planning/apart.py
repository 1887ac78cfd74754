"""Classes of two clusters that show the same are one to a reader: they are kept apart.

A method that starts from clusters of alike background makes every class within one of them. Two
classes of different clusters may publish the same cells nevertheless; of what is known of the
members of both, some may lie too far apart. So of such classes all but one join a neighbour in
their own cluster, where they meet everything as before and show more, until no class shows what
one of another cluster shows. Of clusters that are one class by then and still show the same, all
but one are left out, if records may be.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from sqlanon.domains import QuasiAttribute
from sqlanon.methods import Grouping, Task
from sqlanon.methods.neighbours import Neighbours
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, Step, work
from sqlanon.planning.showing import grouped, shown
from sqlanon.privacy.background import BACKGROUND
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_RECODED, _STATES = work("apart_recoded"), "apart_states"


def clusters_apart(task: Task, formed: Grouping) -> Grouping:
    """The same classes, joined where those of two clusters would show the same."""
    if formed.clusters is None:
        return formed
    bounded = [one.model for one in task.models if one.bound is not None]
    apart = Apart(
        formed.assigned,
        work("apart_assigned"),
        formed.clusters,
        formed.suppressed,
        task.quasi_identifiers,
        task.released,
        bounded.index(BACKGROUND) + 1,
    )
    return replace(
        formed,
        steps=(*formed.steps, apart),
        assigned=apart.output,
        suppressed=apart.left_out,
    )


@dataclass(frozen=True)
class Apart:
    """The search for classes of several clusters that show the same.

    Attributes:
        assigned: the records with their classes, as a method formed them.
        output: the relation to make: the same with the classes that come of it.
        clusters: the cluster of every class.
        suppressed: where records may be left out, those that were.
        quasi_identifiers: the quasi-identifiers.
        columns: the columns that go on from here.
        place: of the background among the models that are asked for, from 1.
    """

    assigned: Relation
    output: Relation
    clusters: Relation
    suppressed: Relation | None
    quasi_identifiers: tuple[QuasiAttribute, ...]
    columns: tuple[Sql, ...]
    place: int

    @property
    def title(self) -> str:
        """What is searched for, for people."""
        return "keeping clusters of alike background apart"

    @property
    def left_out(self) -> Relation | None:
        """Where records may be left out, those that are in the end."""
        return work("apart_suppressed") if self.suppressed else None

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return repr(self)

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say how many classes failed in turn."""
        workspace = Workspace(session)
        neighbours = Neighbours(workspace, self.title, "apart")

        def judged(groups: Relation, turn: int) -> tuple[Relation, Relation]:
            made = grouped(self.title, work("apart_grouped"), self.assigned, groups, self.columns)
            published = shown(workspace, made, _RECODED, self.quasi_identifiers)
            read = {"class_clusters": self.clusters, "recoded": _RECODED}
            united = workspace.make(
                self.title,
                f"apart_united_{turn}",
                "background/united",
                {"group_classes": groups, **read},
                published=published,
            )
            read |= {"group_classes": united}
            sizes = workspace.make(
                self.title,
                "apart_sizes",
                "persons/groups",
                {"assigned": self.assigned, "group_classes": united},
            )
            states = workspace.make(
                self.title,
                _STATES,
                "background/alike_groups",
                {**read, "sizes": sizes},
                published=published,
            )
            return united, states

        codes = [one.alias for one in self.quasi_identifiers]
        first = workspace.make(
            self.title,
            "apart_groups",
            "background/clustered_groups",
            {
                "group_classes": neighbours.placed(self.assigned, codes),
                "class_clusters": self.clusters,
            },
        )
        groups, found = neighbours.joined(first, judged)
        session.notes.append(("classes_alike", json.dumps([one["failing"] for one in found])))
        if self.suppressed is not None:
            groups = self._kept(workspace, session, groups)
        session.create(grouped(self.title, self.output, self.assigned, groups, self.columns))
        workspace.clear()

    def _kept(self, workspace: Workspace, session: Runner, groups: Relation) -> Relation:
        """The groups without those that are stuck, which count as left out."""
        assert self.suppressed is not None  # noqa: S101 - else none may be left out
        assert self.left_out is not None  # noqa: S101 - as above
        states = {"group_states": work(_STATES)}
        session.create(
            Step(
                self.title,
                self.left_out,
                "background/left_out",
                {"suppressed": self.suppressed, **states},
                {"place": self.place},
            )
        )
        inputs = {"group_classes": groups, **states}
        return workspace.make(self.title, "apart_kept", "background/kept_groups", inputs)
