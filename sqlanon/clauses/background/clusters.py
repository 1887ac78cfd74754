"""Clusters of records of which much the same is known: where a search for classes starts.

Amiri et al. (2023), §4, step 1: hierarchical clustering of the background distributions, complete
linkage, cut off at J. It is done on the distinct distributions, so that what is compared is pairs
of these and not of records. Any class within a cluster meets the model. A cluster that fails
another model as a single class cannot be parted into classes that all meet it (lemma 2, and its
converse). So it is suppressed if the spec allows it.

A method that starts from clusters of alike background makes every class within one of them. Two
classes of different clusters may publish the same cells nevertheless; of what is known of the
members of both, some may lie too far apart. So of such classes all but one join a neighbour in
their own cluster, whose members are alike, and show more, until no class that a reader sees fails.
Of clusters that are one class by then and still show the same, all but one are left out, if records
may be. Nothing changes where no class fails.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlanon.clauses.background.declared import BACKGROUND
from sqlanon.clauses.background.profiles import BackgroundAttribute
from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.measure.asked import Asked
from sqlanon.methods.level.forming import held_cells
from sqlanon.methods.method import Clusters, Grouping, Stratum, Task
from sqlanon.methods.strata import Clustered, Zones
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, SearchBase, Step, work
from sqlanon.publish.joining import Neighbours, grouped, shown, united
from sqlanon.sql.names import Relation, Sql


@dataclass(frozen=True)
class Alike(Clusters):
    """Clusters of alike background.

    Attributes:
        models: everything that every class must meet.
        suppresses: whether records may be left out.
        columns: the codes of what is known of a record.
        strata: the columns of which a cluster has one value, or one group of values.
        together: whether all backgrounds are in one, so that a search holds the model itself.
    """

    called = "clusters of alike background"

    models: tuple[Asked, ...]
    suppresses: bool
    columns: tuple[Sql, ...]
    strata: tuple[Stratum, ...] = ()
    together: bool = False

    @property
    def alike(self) -> tuple[Asked, ...]:
        """Alike background, where it is asked for."""
        return tuple(clusters_asked(self.models))

    def asking(self, models: tuple[Asked, ...]) -> Alike:
        """The same for other records."""
        return replace(self, models=models)

    def over_table(self) -> Alike:
        """The same with all backgrounds together; each class counts as a cluster of its own."""
        return replace(self, together=True)

    @property
    def remedy(self) -> str:
        """The change after which more records would be in a cluster."""
        return "ask for a greater j"

    def search(self, cells: Relation, whole: bool) -> AlikeZones:
        """The search that leaves them."""
        return AlikeZones(
            cells=cells,
            models=self.models,
            suppresses=self.suppresses,
            strata=self.strata,
            called=self.called,
            cure=f"{self.remedy} or for less of the others",
            whole=whole,
            together=self.together,
        )

    def profiles(self, parts: Relation, cells: Relation) -> Step:
        """The step that finds what is known of the members of every class."""
        return Step(
            "what is known of the members of every class",
            work("class_profiles"),
            "clauses/background/class_profiles",
            {"parts": parts, "zones": self.relation, "cells": cells},
            {"columns": self.columns, "own": self.together},
        )


@dataclass(frozen=True, kw_only=True)
class AlikeZones(Zones):
    """The search for clusters of alike background, each within a stratum where there are some.

    Attributes:
        together: whether all backgrounds are in one.
    """

    together: bool = False

    def clustered(self, workspace: Workspace) -> list[Clustered]:
        """The clusters of what is known of a record; of several attributes by each of these."""
        return [self._clusters(workspace, model) for model in clusters_asked(self.models)]

    def _clusters(self, workspace: Workspace, asked: Asked) -> Clustered:
        """The cluster of every profile: joined while any two may be."""
        one = asked.attribute
        assert isinstance(one, BackgroundAttribute)  # noqa: S101 - the model is of such alone
        if self.together:
            template, read = "clauses/background/together", {"positions": one.positions}
            name = f"clusters_{one.alias}_0"
            return Clustered(one.alias, workspace.make(self.title, name, template, read))
        links = workspace.make(
            self.title,
            f"links_{one.alias}_0",
            "clauses/background/links",
            {"divergences": one.divergences},
            bound=asked.bound,
        )
        clusters = workspace.make(
            self.title,
            f"clusters_{one.alias}_0",
            "clauses/background/single",
            {"positions": one.positions},
        )
        turn = 0
        while workspace.rows(links):
            turn += 1
            joins = workspace.make(
                self.title, f"joins_{one.alias}", "clauses/background/joins", {"links": links}
            )
            made = {"clusters": clusters, "joins": joins}
            clusters = workspace.make(
                self.title, f"clusters_{one.alias}_{turn % 2}", "clauses/background/clusters", made
            )
            links = workspace.make(
                self.title,
                f"links_{one.alias}_{turn % 2}",
                "clauses/background/joined_links",
                {"links": links, "joins": joins},
            )
        return Clustered(one.alias, clusters)


def clusters_asked(models: Sequence[Asked]) -> list[Asked]:
    """The models that clusters are made for: alike background, where it is asked for."""
    return [model for model in models if model.model is BACKGROUND and model.bound is not None]


LEFT_OUT = work("apart_suppressed")
_RECODED, _STATES = work("apart_recoded"), "apart_states"


def clusters_apart(task: Task, formed: Grouping) -> Grouping:
    """The same classes, joined where those of two clusters show the same and lie too far apart."""
    if formed.profiles is None:
        return formed
    asked = clusters_asked(task.models)
    apart = Apart(
        assigned=formed.assigned,
        output=work("apart_assigned"),
        profiles=formed.profiles,
        suppressed=formed.suppressed,
        quasi_identifiers=task.quasi_identifiers,
        columns=task.released,
        models=tuple(asked),
        number=task.requirements.number(asked[0].key),
        k=task.k,
    )
    suppressed = None if formed.suppressed is None else LEFT_OUT
    steps = (*formed.steps, apart)
    return replace(formed, steps=steps, assigned=apart.output, suppressed=suppressed)


@dataclass(frozen=True)
class Apart(SearchBase):
    """The search for classes of several clusters that show the same.

    Attributes:
        assigned: the records with their classes, as a method formed them.
        output: the relation to make: the same with the classes that come of it.
        profiles: what is known of the members of every class, and its cluster.
        suppressed: where records may be left out, those that were.
        quasi_identifiers: the quasi-identifiers.
        columns: the columns that go on from here.
        models: what is asked of what is known.
        number: the number of the first of these among the task's requirements.
        k: how many records a class has at least.
    """

    assigned: Relation
    output: Relation
    profiles: Relation
    suppressed: Relation | None
    quasi_identifiers: tuple[QuasiAttribute, ...]
    columns: tuple[Sql, ...]
    models: tuple[Asked, ...]
    number: int
    k: int

    @property
    def title(self) -> str:
        """The name of the search, for people."""
        return "keeping clusters of alike background apart"

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say how many classes failed in turn."""
        workspace = Workspace(session)
        neighbours = Neighbours(workspace, self.title, "apart")
        classes = {"class_profiles": self.profiles}
        clusters = workspace.make(self.title, "apart_clusters", "zones/class_clusters", classes)

        def judged(groups: Relation, turn: int) -> tuple[Relation, Relation]:
            groups = self._united(workspace, groups, clusters, turn)
            return groups, self._states(workspace, groups, clusters)

        codes = [attribute.alias for attribute in self.quasi_identifiers]
        first = workspace.make(
            self.title,
            "apart_groups",
            "zones/clustered",
            {"group_classes": neighbours.placed(self.assigned, codes), "class_clusters": clusters},
        )
        groups, found = neighbours.joined(first, judged)
        states = {"group_states": work(_STATES)}
        stuck = workspace.one("clauses/background/stuck", states)["stuck"]
        session.notes.append(("classes_alike", json.dumps([entry["failing"] for entry in found])))
        if self.suppressed is not None:
            left = {"suppressed": self.suppressed, **states}
            number = {"number": self.number}
            session.create(Step(self.title, LEFT_OUT, "clauses/background/left_out", left, number))
        if not stuck and len(found) == 1:
            groups = clusters  # as they were
        elif stuck and self.suppressed is not None:
            groups = workspace.make(
                self.title,
                "apart_kept",
                "clauses/background/kept",
                {"group_classes": groups, **states},
            )
        session.create(grouped(self.title, self.output, self.assigned, groups, self.columns))
        workspace.clear()

    def _united(
        self, workspace: Workspace, groups: Relation, clusters: Relation, turn: int
    ) -> Relation:
        """The groups, such that no two of a cluster publish the same cells."""
        made = grouped(self.title, work("apart_grouped"), self.assigned, groups, self.columns)
        name, codes = f"apart_united_{turn}", self.quasi_identifiers
        return united(workspace, name, made, _RECODED, codes, self.k, class_clusters=clusters)

    def _states(self, workspace: Workspace, groups: Relation, clusters: Relation) -> Relation:
        """Which groups fail, as those that show the same are one class to a reader."""
        sizes = workspace.make(
            self.title,
            "apart_sizes",
            "groups/sizes",
            {"assigned": self.assigned, "group_classes": groups},
        )
        shown_groups = workspace.make(
            self.title,
            "apart_shown",
            "clauses/background/shown",
            {
                "group_classes": groups,
                "class_clusters": clusters,
                "recoded": _RECODED,
                "sizes": sizes,
            },
            published=shown(self.quasi_identifiers),
        )
        cells = workspace.make(
            self.title,
            "apart_cells",
            "clauses/background/shown_cells",
            {
                "class_profiles": self.profiles,
                "group_classes": groups,
                "shown_groups": shown_groups,
            },
            columns=tuple(model.attribute.alias for model in self.models if model.attribute),
        )
        held = held_cells(workspace, cells, self.models)
        return workspace.make(
            self.title,
            _STATES,
            "clauses/background/alike",
            {"shown_groups": shown_groups, "held": held},
        )
