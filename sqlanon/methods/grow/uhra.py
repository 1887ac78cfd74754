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
from sqlanon.common.fields import Whole
from sqlanon.errors import InfeasibleError
from sqlanon.methods.deal.locality import along_curve, curve_through
from sqlanon.methods.grow.placed import PlacedSearch, Table
from sqlanon.methods.method import Clusters, Grouping, Method, Task
from sqlanon.methods.workspace import Workspace, grouping_on_cells, level_share, scales_of
from sqlanon.plan import Runner, Step, work
from sqlanon.spec import MethodSettings
from sqlanon.sql.names import Relation, Sql

_MOVING = "moving records to nearer classes"


def refined(table: Table, settled: Relation, rounds: int) -> tuple[Relation, int]:
    """The classes after records have moved to nearer ones, and in how many rounds.

    Args:
        table: what is worked on.
        settled: how many records of each cell each class has.
        rounds: how many rounds there are at most.
    """
    shares, turn = settled, 0
    while turn < rounds:
        table.workspace.reached(0.5 + level_share(turn + 1) / 2)
        turn += 1
        moves = _allowed(table, shares, _wished(table, shares))
        if not table.workspace.rows(moves):
            break
        shares = table.workspace.make(
            _MOVING,
            f"uhra_refined_{turn % 2}",
            "methods/uhra/moved",
            {"shares": shares, "moves": moves},
            leaving=True,
        )
    return shares, turn


def _wished(table: Table, shares: Relation) -> Relation:
    """For every cell of every class the nearest class that may take one record of it."""
    workspace = table.workspace
    read = {"shares": shares, "places": table.places}
    centroids = table.centroids(_MOVING, "uhra_centroids", shares)
    nearer = workspace.make(
        _MOVING,
        "uhra_nearer",
        "methods/uhra/nearer",
        {**read, "centroids": centroids},
        k=table.k,
        margin=_margin(table),
        axes=table.axes,
        sensitive=table.sensitive,
    )
    changed = workspace.make(
        _MOVING,
        "uhra_changed",
        "methods/uhra/changed",
        {"nearer": nearer, **read},
        sensitive=table.sensitive,
    )
    _, held = table.judged(_MOVING, changed, table.tested)
    return workspace.make(
        _MOVING,
        "uhra_moves_0",
        "methods/uhra/moves",
        {"nearer": nearer, "changed": changed, "held": held},
        sensitive=table.sensitive,
    )


def _allowed(table: Table, shares: Relation, wished: Relation) -> Relation:
    """The moves after which every class meets every model.

    Of those that touch a class that would not, an eighth of the records move, and in the end one,
    which was tested alone. So it ends, and the move by which most is gained is always left.
    """
    workspace, moves, turn = table.workspace, wished, 0
    while workspace.rows(moves):
        turn += 1
        after = workspace.make(
            _MOVING,
            "uhra_after_moves",
            "methods/uhra/after_moves",
            {"moves": moves, "shares": shares, "places": table.places},
            sensitive=table.sensitive,
        )
        classes, held = table.judged(_MOVING, after, table.tested)
        too_many = workspace.make(
            _MOVING,
            "uhra_too_many",
            "methods/uhra/too_many",
            {"moves": moves, "classes": classes, "held": held},
        )
        if not workspace.rows(too_many):
            break
        moves = workspace.make(
            _MOVING,
            f"uhra_moves_{turn % 2}",
            "methods/uhra/fewer_moves",
            {"moves": moves, "too_many": too_many},
        )
    return moves


def _margin(table: Table) -> int:
    """The most that rounding two classes' middles adds to a difference of squared distances."""
    return 2 * sum(scale.units + 1 for scale in table.scales)


_ORDERING, _GROWING = "putting the points of every cluster in order", "growing classes"


class Growing:
    """Classes cut from the order of every block as soon as they meet every model.

    Args:
        table: what is worked on.
        order: how the points of a block are put in order: nearest or curve.
        block: how many points are compared two by two at most.
        passing: whether a record is passed over with which no class can begin; else all that
            follow it are left, too.
    """

    def __init__(self, table: Table, order: str, block: int, passing: bool) -> None:
        self._table, self._workspace = table, table.workspace
        self._order, self._block, self._passing = order, block, passing

    def seats(self, coded: Relation) -> Relation:
        """The records of every block in the order in which classes grow."""
        table = self._table
        return self._workspace.make(
            _ORDERING,
            "uhra_seats",
            "methods/uhra/seats",
            {"coded": coded, "cells": table.cells, "places": table.places, "walk": self._walk()},
            coordinates=table.coordinates,
            sensitive=table.sensitive,
        )

    def grown(self, seats: Relation) -> Relation:
        """The first classes: from every seat the shortest stretch that meets every model."""
        workspace, table = self._workspace, self._table
        pieces: list[Relation] = []
        opened, shortest, longest = seats, table.least, table.least
        while not pieces or workspace.rows(opened):
            workspace.reached(level_share(len(pieces) + 1) / 2)
            stretches = workspace.make(
                _GROWING,
                "uhra_stretches",
                "methods/uhra/stretches",
                {"open_seats": opened, "seats": seats},
                shortest=shortest,
                longest=longest,
                records=table.records,
                sensitive=table.sensitive,
            )
            _, held = table.judged(_GROWING, stretches, table.tested)
            ends = workspace.make(
                _GROWING,
                f"uhra_ends_{len(pieces)}",
                "methods/uhra/ends",
                {"stretches": stretches, "held": held},
            )
            pieces.append(ends)
            opened = workspace.make(
                _GROWING,
                f"uhra_open_{len(pieces) % 2}",
                "methods/uhra/open_seats",
                {"open_seats": opened, "ends": ends, "seats": seats}
                | ({"stretches": stretches, "held": held} if table.lasting else {}),
                longest=longest,
                lasting=table.lasting,
            )
            shortest, longest = longest + 1, 2 * longest
        ends = workspace.make(
            _GROWING,
            "uhra_ends",
            "methods/uhra/jumps",
            {f"ends_{index}": piece for index, piece in enumerate(pieces)},
            pieces=pieces,
        )
        return workspace.make(
            _GROWING,
            "uhra_grown",
            "methods/uhra/grown",
            {"seats": seats, "starts": self._starts(seats, ends), "ends": ends},
            records=table.records,
        )

    def _starts(self, seats: Relation, ends: Relation) -> Relation:
        """The seats at which classes begin, one at the end of the other."""
        workspace, jumps, turn = self._workspace, ends, 0
        if self._passing:
            made = {"ends": ends, "seats": seats}
            jumps = workspace.make(_GROWING, "uhra_passes", "methods/uhra/passes", made)
        starts = workspace.make(
            _GROWING, "uhra_starts_0", "methods/uhra/first_starts", {"seats": seats}
        )
        while workspace.rows(jumps):
            turn += 1
            starts = workspace.make(
                _GROWING,
                f"uhra_starts_{turn % 2}",
                "methods/uhra/starts",
                {"starts": starts, "jumps": jumps},
            )
            jumps = workspace.make(
                _GROWING, f"uhra_jumps_{turn % 2}", "methods/uhra/longer_jumps", {"jumps": jumps}
            )
        return starts

    def _walk(self) -> Relation:
        """The points of every block in the order in which classes grow."""
        workspace, table, places = self._workspace, self._table, self._table.places
        inputs = {"places": places}
        leading: tuple[Sql, ...] = ()
        curved = self._order == "curve" or workspace.rows(places) > self._block
        if curved:
            counts = {scale.alias: scale.codes for scale in table.scales}
            curve = curve_through(counts, table.records)
            columns = (Sql("cell_id"), *counts)
            curve_places = work("uhra_curve_places")
            for step in along_curve(table.cells, curve_places, table.attributes, columns, curve):
                workspace.create(step)
            inputs["curve_places"], leading = curve_places, curve.leading
        points = workspace.make(
            _ORDERING,
            "uhra_points",
            "methods/uhra/points",
            inputs,
            axes=table.axes,
            curved=curved,
            leading=leading,
            most=self._block,
            all_points=table.records,
        )
        if self._order == "curve":
            return points
        with workspace.windows_in_recursion("order: nearest", "{name: uhra, order: curve}"):
            return workspace.make(
                _ORDERING, "uhra_walk", "methods/uhra/walk", {"points": points}, axes=table.axes
            )


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
