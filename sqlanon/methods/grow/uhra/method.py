"""t-k-Utility: classes within clusters of alike records. Amiri et al. (2023), algorithm 2.

The cells of a cluster are put in order, nearest point next. Classes are cut from that order as soon
as they meet every model. The cells that are left at the end go to the first class that goes on
meeting them. Then records move to nearer classes. All clusters are worked on at once. Every class
that comes to be was measured first, by the templates that the gate measures with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.clauses import allowing
from sqlanon.errors import InfeasibleError
from sqlanon.fields import Whole
from sqlanon.methods.grow.placed import PlacedSearch, Table
from sqlanon.methods.grow.uhra.growing import Growing
from sqlanon.methods.grow.uhra.refining import refined
from sqlanon.methods.method import Clusters, Grouping, Method, Task
from sqlanon.methods.on_cells import grouping_on_cells, scales_of
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, Step, work
from sqlanon.spec import MethodSettings
from sqlanon.sql.names import Relation

_LEFT = "finding a class for what is left"
# So many records of the same sensitive values are tried with every class at once.
_TOGETHER = 24

OUTCOME = work("outcome")
_FORMED = "finding a class for what is left"


class UhraSettings(MethodSettings):
    """Clusters of records, classes grown in them and refined. Amiri et al. (2023)."""

    reads_records: ClassVar[bool] = True
    suppresses: ClassVar[bool] = True
    clusters: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    needs: ClassVar[Mapping[str, str]] = {
        "clusters": "uhra starts from clusters of records: {clusters}, or take mondrian or "
        "split_or_deal"
    }

    name: Literal["uhra"] = "uhra"
    order: Literal["nearest", "curve"] = Field(
        default="nearest",
        description="in which order classes grow: nearest, from every point to the nearest that is "
        "left; or curve, along a Hilbert curve",
    )
    scope: Literal["clusters", "table"] = Field(
        default="clusters",
        description="where classes grow: clusters, in each by itself; or table, over all records, "
        "of which those are passed over with which no class can begin",
    )
    block: Whole = Field(
        default=2000,
        ge=2,
        le=10_000,
        description="how many combinations of quasi-identifiers of a cluster are compared two by "
        "two at most; a cluster with more is cut into blocks along a curve",
    )
    rounds: Whole = Field(
        default=1000,
        ge=0,
        le=10_000,
        description="how many times records are moved to nearer classes at most",
    )


@dataclass(frozen=True)
class Utility(PlacedSearch):
    """The search for classes within clusters.

    Attributes:
        suppresses: whether records may be left out.
        clusters: the clusters.
        settings: what the spec says of the method.
    """

    suppresses: bool
    clusters: Clusters = field(repr=False)
    settings: UhraSettings

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        where = "the table" if self._over_table else self.clusters.called
        return f"growing classes in {where}"

    @property
    def _over_table(self) -> bool:
        return self.settings.scope == "table"

    def run(self, session: Runner) -> None:
        """Grow and refine, by steps of its own; the session's notes say in how many rounds.

        Raises:
            InfeasibleError: if records are left that no class takes, and none may be left out.
        """
        workspace = Workspace(session)
        alike = self.clusters.alike if self._over_table else ()
        table = self.table(workspace, self.clusters.relation, alike)
        growing = Growing(table, self.settings.order, self.settings.block, self._over_table)
        seats = growing.seats(self.coded)
        shares = settled(table, growing.grown(seats), seats)
        shares, rounds = refined(table, shares, self.settings.rounds)
        formed = table.formed(_FORMED, "uhra_formed", shares)
        classes, held = table.judged(_FORMED, formed, table.asked)
        inputs = {"classes": classes, "held": held}
        session.create(Step("what became of the clusters", OUTCOME, "methods/uhra/outcome", inputs))
        found = workspace.one("methods/uhra/left_sums", {"outcome": OUTCOME})
        if not found["kept"] or (found["failing"] and not self.suppresses):
            raise InfeasibleError(
                f"{found['failing_records']:,} records of {found['failing']:,} "
                f"{self.clusters.called} are left, which no class of their cluster takes: "
                f"{self.clusters.remedy} or for less of the others, or allow records to be "
                f"suppressed ({allowing()})"
            )
        made = {"shares": shares, "outcome": OUTCOME}
        session.create(Step(self.title, self.parts, "methods/uhra/parts", made))
        session.notes.append(("search_rounds", str(rounds)))
        workspace.clear()


def settled(table: Table, grown: Relation, seats: Relation) -> Relation:
    """How many records of each cell each class has, with what was left.

    Cells that no class takes are in classes of negative numbers, one of every cluster.

    Args:
        table: what is worked on.
        grown: the classes that were grown, and the cells that have none.
        seats: the records in their order, of which only the count is read.
    """
    workspace, turn = table.workspace, 0
    shares = workspace.make(_LEFT, "uhra_shares_0", "methods/uhra/shares", {"grown": grown})
    left = workspace.make(_LEFT, "uhra_left_0", "methods/uhra/left_cells", {"grown": grown})
    lengths = workspace.make(
        _LEFT, "uhra_lengths", "methods/uhra/lengths", {"seats": seats}, most=_TOGETHER
    )
    params = {"sensitive": table.sensitive}
    while workspace.rows(left):
        turn += 1
        read = {"left_cells": left, "places": table.places}
        runs = workspace.make(_LEFT, "uhra_left_runs", "methods/uhra/left_runs", read, **params)
        tried = {"left_runs": runs, "shares": shares, "lengths": lengths}
        joining = workspace.make(
            _LEFT,
            "uhra_joining",
            "methods/uhra/joining",
            {**tried, "places": table.places},
            most=_TOGETHER,
            **params,
        )
        _, held = table.judged(_LEFT, joining, table.tested)
        moves = workspace.make(
            _LEFT,
            "uhra_moves",
            "methods/uhra/joined",
            {**tried, "left_cells": left, "held": held},
            most=_TOGETHER,
        )
        made = {"shares": shares, "moves": moves}
        shares = workspace.make(
            _LEFT, f"uhra_shares_{turn % 2}", "methods/uhra/moved", made, leaving=False
        )
        left = workspace.make(
            _LEFT,
            f"uhra_left_{turn % 2}",
            "methods/uhra/still_left",
            {"left_cells": left, "moves": moves},
        )
    return shares


class Uhra(Method[UhraSettings]):
    """Clusters by what is known beforehand, then t-k-Utility within each."""

    Settings = UhraSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of clusters, to a class for every record."""
        scales, steps = scales_of(task)
        assert task.clusters is not None  # noqa: S101 - a spec without is refused
        if self.settings.scope == "table":
            task = replace(task, clusters=task.clusters.over_table())
            assert task.clusters is not None  # noqa: S101 - it was just made
        search = Utility.of(
            task,
            scales,
            suppresses=bool(task.allowance),
            clusters=task.clusters,
            settings=self.settings,
        )
        made = grouping_on_cells(task, search.coordinates, steps, search, whole=False)
        return replace(made, suppressed=OUTCOME) if made.suppressed else made
