"""The classes of one stratum after the other, each formed as if it were the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlanon.methods.method import ASSIGNED, Clusters, Grouping, Task
from sqlanon.methods.on_cells import sensitive_asked
from sqlanon.methods.strata import Strata
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Check, Materialization, Runner, Search, SearchBase, Step, work
from sqlanon.sql.names import Relation, Sql

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

    coded: Relation
    columns: tuple[Sql, ...]
    by: tuple[Sql, ...]
    released: tuple[Sql, ...]
    steps: tuple[Step | Check | Search, ...]

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return "forming the classes of every stratum"

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return ASSIGNED

    def describe(self) -> str:
        """The settings that decide the outcome."""
        inside = [one.describe() if isinstance(one, Search) else one for one in self.steps]
        return repr((replace(self, steps=()), inside))

    def run(self, session: Runner) -> None:
        """Form the classes, by steps of the method's; its notes are a list with each stratum's."""
        workspace = Workspace(session)
        counted = workspace.one("zones/zone_sums", {"zone_classes": Clusters.left_out})
        strata, noted = int(counted["kept"]), len(session.notes)
        pieces = [self._classes(session, workspace, number, strata) for number in range(strata)]
        made = {f"piece_{place}": piece for place, piece in enumerate(pieces, 1)}
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
