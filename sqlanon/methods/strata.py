"""Strata: records that agree in the values, or groups of values, of columns with fixed levels.

No class has records of two strata. Every cell of such a column therefore shows one value, or values
of one group at the column's level, in every form.

A search forms classes within zones, clusters of cells. Or the classes of one stratum after the
other are formed, each as if it were the table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from sqlanon.clauses import allowing
from sqlanon.domains.attribute import QuasiAttribute, follows
from sqlanon.errors import InfeasibleError, SqlanonError, as_key
from sqlanon.measure.asked import Asked
from sqlanon.methods.level.judging import counted_classes, held_classes
from sqlanon.methods.method import ASSIGNED, Clusters, Grouping, Stratum, Task
from sqlanon.methods.workspace import Workspace, sensitive_asked
from sqlanon.plan import (
    FOUND,
    Check,
    Found,
    Materialization,
    Runner,
    Search,
    SearchBase,
    SearchOnCells,
    Step,
    fault,
    filled,
    infeasible,
    work,
)
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.model import Demand
from sqlanon.spec import Spec
from sqlanon.spec.levels import stratified
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

    A cluster that fails a model as a single class cannot be parted into classes that all meet it,
    if the model is monotone; of any other nobody looks for parts. So it is left out if records may
    be, and else nothing is released.

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
        strata = [self._groups(workspace, stratum) for stratum in self.strata]
        clustered = [*strata, *self.clustered(workspace)]
        found = [model for model in self.models if model.bound is not None]
        asked = found or [Asked(Demand(K_ANONYMITY, 1))]  # every record is a class
        attributes = {model.attribute.alias: model.attribute for model in asked if model.attribute}
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

    def _groups(self, workspace: Workspace, stratum: Stratum) -> Clustered:
        """The group of every value at the stratum's level."""
        inputs, params = {"domain": stratum.domain}, {"level": stratum.level}
        name = f"strata_{stratum.alias}"
        return Clustered(
            stratum.alias, workspace.make(self.title, name, "zones/strata", inputs, **params)
        )

    def _kept(
        self, workspace: Workspace, session: Runner, cells: Relation, asked: Sequence[Asked]
    ) -> Relation:
        """Which clusters meet the models as one class each."""
        positions = {
            model.attribute.alias: model.attribute.positions for model in asked if model.attribute
        }
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
        others = [model for model in self.models if not follows(model.attribute)]
        # A part may hold a model that is not monotone where the whole fails it.
        proves = all(model.model.monotone for model in others if model.bound is not None)
        parts = ", so that they have no classes that all hold" if proves else ""
        return (
            f"{FOUND.failing} of {FOUND.clusters} {self.called}, with {FOUND.records} records, are "
            f"smaller than k or fail another model as a whole{parts}: {self.cure}"
        )


def _failing(where: str, message: str, found: Found) -> SqlanonError:
    """The refusal of clusters that fail: where all do, leaving them out leaves nobody."""
    if found[0]["failing"] == found[0]["clusters"]:
        message = message.removesuffix(_SUPPRESSING)
    return infeasible(where, message, found)


@dataclass(frozen=True)
class Strata(Clusters):
    """Strata as the clusters that a search starts from.

    Attributes:
        models: everything that every class must meet.
        strata: the columns.
        suppresses: whether records may be left out.
    """

    called = "strata"

    models: tuple[Asked, ...]
    strata: tuple[Stratum, ...]
    suppresses: bool = False

    def asking(self, models: tuple[Asked, ...]) -> Strata:
        """The same for other records."""
        return replace(self, models=models)

    @property
    def remedy(self) -> str:
        """The change after which more records would be in a stratum."""
        for stratum in self.strata:
            if stratum.coarser is not None:
                return (
                    f"take a higher level (levels: {{{as_key(stratum.name)}: {stratum.coarser}}})"
                )
        return f"leave {self.strata[0].name!r} out of levels"

    def search(self, cells: Relation, whole: bool) -> Zones:
        """The search that leaves them."""
        names = " and ".join(stratum.name for stratum in self.strata)
        return Zones(
            cells=cells,
            # A part may meet a model of what follows from quasi-identifiers where the whole fails.
            models=tuple(model for model in self.models if not follows(model.attribute)),
            suppresses=self.suppresses,
            strata=self.strata,
            called=f"{self.called} of {names}",
            cure=f"{self.remedy} or ask for less",
            whole=whole,
        )

    def profiles(self, parts: Relation, cells: Relation) -> Step | None:
        """Nothing is known of the members beforehand."""
        return None


def strata_of(spec: Spec, attributes: Sequence[QuasiAttribute]) -> tuple[Stratum, ...]:
    """The columns whose values classes are not to mix."""
    names = stratified(spec)
    return tuple(
        Stratum(
            attribute.alias,
            attribute.name,
            attribute.domain,
            attribute.levels[1],
            _coarser(attribute),
        )
        for attribute in attributes
        if attribute.name in names
        and attribute.bounds is not None
        and (not attribute.height or attribute.bounds[1] < attribute.height)
    )


def _coarser(attribute: QuasiAttribute) -> str | None:
    """The bounds of a column with its highest level one higher, as a spec has them."""
    least, most = attribute.levels
    if most + 1 >= attribute.height:
        return None
    return str(most + 1) if attribute.of_one_level and least == most else f"[{least}, {most + 1}]"


def strata_held(strata: Sequence[Stratum], classes: Grouping) -> list[Check]:
    """The checks that no class covers values of two strata."""
    covering = classes.covered or classes.assigned
    return [
        Check(
            f"no class mixes values of {stratum.name}",
            "zones/check_strata",
            {"classes": covering, "domain": stratum.domain},
            {"attribute": stratum.alias, "level": stratum.level},
            f"levels.{stratum.name}",
            f"{FOUND.mixed} classes have values of several strata",
            fault,
        )
        for stratum in strata
    ]


# A search inside a stratum gathers cells of its own.
_STRATUM, _CELLS = work("stratum"), work("cells_of_strata")


@dataclass(frozen=True)
class EachStratum(SearchBase):
    """The search that forms the classes of one stratum after the other.

    Attributes:
        coded: the records of all of them.
        columns: of the records.
        by: the codes that the records of a cell share.
        released: the columns that go on to the release.
        steps: from the records of a stratum to a class for each.
    """

    title: ClassVar[str] = "forming the classes of every stratum"

    coded: Relation
    columns: tuple[Sql, ...]
    by: tuple[Sql, ...]
    released: tuple[Sql, ...]
    steps: tuple[Step | Check | Search, ...]

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return ASSIGNED

    def describe(self) -> str:
        """The settings that decide the outcome."""
        inside = [step.describe() if isinstance(step, Search) else step for step in self.steps]
        return repr((replace(self, steps=()), inside))

    def run(self, session: Runner) -> None:
        """Form the classes, by steps of the method's; its notes are a list with each stratum's."""
        workspace = Workspace(session)
        counted = workspace.one("zones/zone_sums", {"zone_classes": Clusters.left_out})
        strata, noted = int(counted["kept"]), len(session.notes)
        pieces = [self._classes(session, workspace, number, strata) for number in range(strata)]
        made = {f"piece_{number}": piece for number, piece in enumerate(pieces, 1)}
        params = {"pieces": pieces, "columns": (Sql("class_id"), *self.released)}
        session.create(Step(self.title, ASSIGNED, "loop/gathered", made, params))
        found: dict[str, list[str]] = defaultdict(list)
        for item, value in session.notes[noted:]:
            found[item].append(value)
        session.notes[noted:] = [(item, f"[{', '.join(of)}]") for item, of in found.items()]
        workspace.clear()

    def _classes(self, session: Runner, workspace: Workspace, number: int, strata: int) -> Relation:
        """The classes of one stratum."""
        workspace.reached(number / strata)
        workspace.make(
            "the records of a stratum",
            "stratum",
            "zones/stratum",
            {"coded": self.coded, "cells": _CELLS, "zones": Clusters.relation},
            columns=self.columns,
            by=self.by,
            number=number,
        )
        for step in self.steps:
            # A view would still read what the next stratum replaces.
            made = replace(step, how=Materialization.WORK_TABLE) if isinstance(step, Step) else step
            session.carry_out(made)
        return workspace.make(
            self.title,
            f"stratum_{number}",
            "zones/stratum_classes",
            {"assigned": ASSIGNED},
            columns=self.released,
            number=number,
            strata=strata,
        )


def in_each_stratum(task: Task, form: Callable[[Task], Grouping]) -> Grouping:
    """The steps from the records to a class for each, within strata where these are asked for.

    Args:
        task: what a method is given.
        form: the method's own steps, for the table or for the records of one stratum.
    """
    if task.clusters is None or not task.clusters.strata:
        return form(task)
    strata = Strata(task.models, task.clusters.strata, bool(task.allowance))
    by = (*task.quasi_codes, *sensitive_asked(task))
    columns = dict.fromkeys((*task.quasi_codes, *task.sensitive_codes, *task.released))
    cells = Step(
        "gathering equal records in cells",
        _CELLS,
        "cells/cells",
        {"coded": task.coded},
        {"columns": by},
    )
    search = EachStratum(
        coded=task.coded,
        columns=tuple(dict.fromkeys((*columns, *task.tie_breaks))),
        by=by,
        released=task.released,
        steps=form(replace(task, coded=_STRATUM, clusters=None)).steps,
    )
    suppressed = Clusters.left_out if task.allowance else None
    return Grouping((cells, strata.search(_CELLS, whole=True), search), suppressed=suppressed)
