"""Zones: clusters of cells, within which a search forms its classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.clauses import allowing
from sqlanon.errors import InfeasibleError, SqlanonError
from sqlanon.measure.asked import Asked
from sqlanon.methods.level.judging import counted_classes, held_classes
from sqlanon.methods.method import Clusters, Stratum
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Check, Found, Runner, SearchOnCells, Step, filled, infeasible
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.model import Demand
from sqlanon.sql.names import Relation, Sql

_SUPPRESSING = f", or allow records to be suppressed ({allowing()})"


@dataclass(frozen=True)
class Clustered:
    """A column and the cluster of each of its codes."""

    alias: Sql
    clusters: Relation


@dataclass(frozen=True, kw_only=True)
class Zones(SearchOnCells):
    """The search for clusters: cells that agree in the clusters of some columns.

    A cluster that fails a model as a single class cannot be parted into classes that all meet it.
    So it is left out if records may be, and else nothing is released.

    Attributes:
        cells: the cells of the table.
        models: everything that a cluster must meet as one class.
        suppresses: whether records may be left out.
        strata: the columns of which a cluster has one group of values.
        called: what the clusters are called, for people.
        cure: the changes after which they would not fail.
        whole: whether a cluster must meet the models as one class. A search that can leave out
            some of a cluster's records, and not all, takes every cluster.
    """

    cells: Relation
    models: tuple[Asked, ...]
    suppresses: bool
    strata: tuple[Stratum, ...]
    called: str
    cure: str
    whole: bool = True

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return f"gathering records in {self.called}"

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
        strata = [self._groups(workspace, one) for one in self.strata]
        clustered = [*strata, *self.clustered(workspace)]
        found = [one for one in self.models if one.bound is not None]
        asked = found or [Asked(Demand(K_ANONYMITY, 1))]  # every record is a class
        attributes = {one.attribute.alias: one.attribute for one in asked if one.attribute}
        cells = workspace.make(
            self.title,
            "zone_cells",
            "zones/zoned",
            {"cells": self.cells} | {f"clusters_{one.alias}": one.clusters for one in clustered},
            columns=tuple(attributes),
            clustered=clustered,
        )
        inputs = {"chosen_cells": cells}
        if self.whole:
            inputs["zone_classes"] = self._kept(workspace, session, cells, asked)
        template = "zones/zones" if self.whole else "zones/all_zones"
        session.create(Step(self.title, self.output, template, inputs))
        workspace.clear()

    def clustered(self, workspace: Workspace) -> list[Clustered]:
        """The clusters of further columns: those of a clause."""
        return []

    def _groups(self, workspace: Workspace, one: Stratum) -> Clustered:
        """The group of every value at the stratum's level."""
        inputs, params = {"domain": one.domain}, {"level": one.level}
        name = f"strata_{one.alias}"
        return Clustered(
            one.alias, workspace.make(self.title, name, "zones/strata", inputs, **params)
        )

    def _kept(
        self, workspace: Workspace, session: Runner, cells: Relation, asked: Sequence[Asked]
    ) -> Relation:
        """Which clusters meet the models as one class each."""
        positions = {one.attribute.alias: one.attribute.positions for one in asked if one.attribute}
        classes, values = counted_classes(workspace, self.title, "zone", cells, positions)
        held = held_classes(workspace, asked, classes, values)
        inputs = {"classes": classes, "held": held}
        session.create(Step(self.title, Clusters.left_out, "zones/zone_classes", inputs))
        if not self.suppresses:
            session.carry_out(self._none_fails())  # a script may find further clusters
        found = workspace.one("zones/zone_sums", {"zone_classes": Clusters.left_out})
        if not found["kept"]:
            counts = {"clusters": found["failing"], "records": found["failing_records"]}
            raise InfeasibleError(filled(self._short(), [{**found, **counts}]))
        session.notes.append(
            ("search_zones", f"{found['kept']} clusters kept, {found['failing']} suppressed")
        )
        return Clusters.left_out

    def _none_fails(self) -> Check:
        """No cluster fails a model, where none may be left out."""
        return Check(
            f"all {self.called} can be released",
            "zones/check_zones",
            {"zone_classes": Clusters.left_out},
            {},
            "",
            self._short() + _SUPPRESSING,
            _failing,
        )

    def _short(self) -> str:
        """The reason for no classes."""
        return (
            f"{{failing}} of {{clusters}} {self.called}, with {{records}} records, are smaller "
            "than k or fail another model as a whole, and so would each of their classes: "
            f"{self.cure}"
        )


def _failing(where: str, message: str, found: Found) -> SqlanonError:
    """The refusal of clusters that fail: where all do, leaving them out leaves nobody."""
    if found[0]["failing"] == found[0]["clusters"]:
        message = message.removesuffix(_SUPPRESSING)
    return infeasible(where, message, found)
