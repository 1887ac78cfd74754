"""Clusters of records of which much the same is known: where a search for classes starts.

Amiri et al. (2023), §4, step 1: hierarchical clustering of the background distributions, complete
linkage, cut off at J. It is done on the distinct distributions, so that what is compared is pairs
of these and not of records. Any class within a cluster meets the model. A cluster that fails
another model as a single class cannot be parted into classes that all meet it (lemma 2, and its
converse). So it is suppressed if the spec allows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlanon.clauses.background.declared import BACKGROUND
from sqlanon.clauses.background.profiles import BackgroundAttribute
from sqlanon.measure.asked import Asked
from sqlanon.methods.method import Clusters, Stratum
from sqlanon.methods.workspace import Workspace
from sqlanon.methods.zones import Clustered, Zones
from sqlanon.plan import Step, work
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
        return [self._clusters(workspace, one) for one in clusters_asked(self.models)]

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
                self.title,
                f"clusters_{one.alias}_{turn % 2}",
                "clauses/background/clusters",
                made,
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
    return [one for one in models if one.model is BACKGROUND and one.bound is not None]
