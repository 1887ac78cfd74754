"""Clusters of records of which much the same is known: where a search for classes starts.

Amiri et al. (2023), §4, step 1: hierarchical clustering of the background distributions, complete
linkage, cut off at J. It is done on the distinct distributions, so that what is compared is pairs
of these and not of records. Any class within a cluster meets the model. A cluster that fails
another model as a single class cannot be parted into classes that all meet it (lemma 2, and its
converse). So it is suppressed if the spec allows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.clauses.background.declared import BACKGROUND
from sqlanon.clauses.background.profiles import BackgroundAttribute
from sqlanon.errors import InfeasibleError
from sqlanon.measure import Asked
from sqlanon.methods import Clusters
from sqlanon.methods.lattice.judging import counted_classes, held_classes
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, SearchOnCells, Step, work
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_TITLE = "gathering records of which much the same is known"


@dataclass(frozen=True)
class Alike(Clusters):
    """Clusters of alike background.

    Attributes:
        models: everything that every class must meet.
        suppresses: whether records may be left out.
        columns: the codes of what is known of a record.
    """

    called = "clusters of alike background"
    remedy = "ask for a greater j"

    models: tuple[Asked, ...]
    suppresses: bool
    columns: tuple[Sql, ...]

    def search(self, cells: Relation, whole: bool) -> Zones:
        """The search that leaves them."""
        return Zones(cells, self.models, self.suppresses, whole)

    def profiles(self, parts: Relation, cells: Relation) -> Step:
        """The step that finds what is known of the members of every class."""
        return Step(
            "what is known of the members of every class",
            work("class_profiles"),
            "clauses/background/class_profiles",
            {"parts": parts, "zones": self.relation, "cells": cells},
            {"columns": self.columns},
        )


@dataclass(frozen=True)
class Clustered:
    """A background and the cluster of each of its profiles."""

    alias: Sql
    clusters: Relation


@dataclass(frozen=True)
class Zones(SearchOnCells):
    """The search for clusters.

    Attributes:
        cells: the cells of the table.
        models: everything that every class must meet.
        suppresses: whether records may be left out.
        whole: whether a cluster must meet the models as one class. A search that can leave out
            some of a cluster's records, and not all, takes every cluster.
    """

    cells: Relation
    models: tuple[Asked, ...]
    suppresses: bool
    whole: bool = True

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return _TITLE

    @property
    def output(self) -> Relation:
        """The relation it leaves: the clusters that are kept, as classes of cells."""
        return Clusters.relation

    def run(self, session: Runner) -> None:
        """Cluster, by steps of its own; the session's notes say what came of it.

        Raises:
            InfeasibleError: if a cluster violates a model and no record may be left out, or all do.
        """
        workspace = Workspace(session)
        clustered = [self._clusters(workspace, one) for one in clusters_asked(self.models)]
        asked = [one for one in self.models if one.bound is not None]
        attributes = {one.attribute.alias: one.attribute for one in asked if one.attribute}
        cells = workspace.make(
            _TITLE,
            "zone_cells",
            "clauses/background/zoned",
            {"cells": self.cells} | {f"clusters_{one.alias}": one.clusters for one in clustered},
            columns=tuple(attributes),
            clustered=clustered,
        )
        inputs = {"chosen_cells": cells}
        if self.whole:
            inputs["zone_classes"] = self._kept(workspace, session, cells, asked)
        template = "clauses/background/zones" if self.whole else "clauses/background/all_zones"
        session.create(Step(_TITLE, self.output, template, inputs))
        workspace.clear()

    def _kept(
        self, workspace: Workspace, session: Runner, cells: Relation, asked: Sequence[Asked]
    ) -> Relation:
        """Which clusters meet the models as one class each."""
        positions = {one.attribute.alias: one.attribute.positions for one in asked if one.attribute}
        classes, values = counted_classes(workspace, _TITLE, "zone", cells, positions)
        held = held_classes(workspace, asked, classes, values)
        session.create(
            Step(
                _TITLE,
                Clusters.left_out,
                "clauses/background/zone_classes",
                {"classes": classes, "held": held},
            )
        )
        found = workspace.one("clauses/background/zone_sums", {"zone_classes": Clusters.left_out})
        if not found["kept"] or (found["failing"] and not self.suppresses):
            raise InfeasibleError(
                self._short(found["kept"], found["failing"], found["failing_records"])
            )
        session.notes.append(
            ("search_zones", f"{found['kept']} clusters kept, {found['failing']} suppressed")
        )
        return Clusters.left_out

    def _clusters(self, workspace: Workspace, asked: Asked) -> Clustered:
        """The cluster of every profile: joined while any two may be."""
        one = asked.attribute
        assert isinstance(one, BackgroundAttribute)  # noqa: S101 - the model is of such alone
        links = workspace.make(
            _TITLE,
            f"links_{one.alias}_0",
            "clauses/background/links",
            {"divergences": one.divergences},
            bound=asked.bound,
        )
        clusters = workspace.make(
            _TITLE,
            f"clusters_{one.alias}_0",
            "clauses/background/single",
            {"positions": one.positions},
        )
        turn = 0
        while workspace.rows(links):
            turn += 1
            joins = workspace.make(
                _TITLE, f"joins_{one.alias}", "clauses/background/joins", {"links": links}
            )
            made = {"clusters": clusters, "joins": joins}
            clusters = workspace.make(
                _TITLE, f"clusters_{one.alias}_{turn % 2}", "clauses/background/clusters", made
            )
            links = workspace.make(
                _TITLE,
                f"links_{one.alias}_{turn % 2}",
                "clauses/background/joined_links",
                {"links": links, "joins": joins},
            )
        return Clustered(one.alias, clusters)

    def _short(self, kept: int, failing: int, records: int) -> str:
        """Why there are no classes."""
        message = (
            f"{failing:,} of {kept + failing:,} clusters of alike background, with {records:,} "
            "records, are smaller than k or fail another model as a whole, and so would each of "
            "their classes: ask for a greater j or for less of the others"
        )
        if self.suppresses or not kept:
            return message
        return f"{message}, or allow records to be suppressed (suppression: {{records: 0.05}})"


def clusters_asked(models: Sequence[Asked]) -> list[Asked]:
    """The models that clusters are made for: alike background, where it is asked for."""
    return [one for one in models if one.model is BACKGROUND and one.bound is not None]
