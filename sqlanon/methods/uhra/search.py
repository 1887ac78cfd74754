"""t-k-Utility: classes within clusters of alike background. Amiri et al. (2023), algorithm 2.

The cells of a cluster are put in order, nearest point next; classes are cut from that order as soon
as they meet every model; what is left at the end goes to the first class that goes on meeting them;
then records move to nearer classes. All clusters are worked on at once. Every class that comes to
be was measured first, by the templates that the gate measures with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.domains import QuasiAttribute
from sqlanon.errors import EngineError, InfeasibleError
from sqlanon.forms import QuasiIdentifierScale
from sqlanon.measure import Asked
from sqlanon.methods.lattice.judging import held_classes
from sqlanon.methods.locality import along_curve, curve_through
from sqlanon.methods.split_or_deal.scales import Scale, make_scales
from sqlanon.methods.uhra.settings import UhraSettings
from sqlanon.methods.workspace import Workspace, level_share
from sqlanon.methods.zones import ZONES
from sqlanon.plan import Runner, Step, work
from sqlanon.privacy import Demand
from sqlanon.privacy.background import BACKGROUND
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

OUTCOME = work("outcome")
_ORDERING, _GROWING = "putting the points of every cluster in order", "growing classes"
_LEFT, _MOVING = "finding a class for what is left", "moving records to nearer classes"


@dataclass(frozen=True)
class Utility:
    """The search for classes within clusters.

    Attributes:
        cells: a row for each combination of codes in the data: cell_id, q1, …, s1, …, records.
        parts: the relation to make: how many records of each cell go to each class, as cell_id,
            class_id (from 0, without gaps) and records.
        coded: the records with their codes.
        coordinates: the codes that the records of a cell share.
        quasi: the quasi-identifiers, as they are priced.
        attributes: the same, as they are declared.
        sensitive: the sensitive attributes of which something is asked.
        models: everything that every class must meet.
        k: the least class size.
        suppresses: whether records may be left out.
        settings: what the spec says of the method.
    """

    cells: Relation
    parts: Relation
    coded: Relation
    coordinates: tuple[Sql, ...]
    quasi: tuple[QuasiIdentifierScale, ...]
    attributes: tuple[QuasiAttribute, ...]
    sensitive: tuple[Sql, ...]
    models: tuple[Asked, ...]
    k: int
    suppresses: bool
    settings: UhraSettings

    @property
    def title(self) -> str:
        """What is done, for people."""
        return "growing classes in clusters of alike background"

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.parts

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return repr(self)

    def run(self, session: Runner) -> None:
        """Grow and refine, by steps of its own; the session's notes say in how many rounds.

        Raises:
            InfeasibleError: if records are left that no class takes, and none may be left out.
        """
        workspace = Workspace(session)
        records = int(workspace.one("split_or_deal/size", {"cells": self.cells})["records"])
        scales = make_scales(workspace, self.cells, records, self.quasi, whole_groups=True)
        growing = _Growing(self, workspace, records, scales)
        shares, rounds = growing.classes()
        classes, held = growing.formed(shares)
        inputs = {"classes": classes, "held": held}
        session.create(Step("what became of the clusters", OUTCOME, "uhra/outcome", inputs))
        found = workspace.one("uhra/left_sums", {"outcome": OUTCOME})
        if not found["kept"] or (found["failing"] and not self.suppresses):
            raise InfeasibleError(
                f"{found['failing_records']:,} records of {found['failing']:,} clusters of alike "
                "background are left, which no class of their cluster takes: ask for a greater j "
                "or for less of the others, or allow records to be suppressed (suppression: "
                "{records: 0.05})"
            )
        made = {"shares": shares, "outcome": OUTCOME}
        session.create(Step(self.title, self.parts, "uhra/parts", made))
        session.notes.append(("search_rounds", str(rounds)))
        workspace.clear()


class _Growing:
    """The classes of all clusters at once.

    Args:
        utility: what is searched for.
        workspace: makes the relations.
        records: how many records the table has.
        scales: the quasi-identifiers.
    """

    def __init__(
        self, utility: Utility, workspace: Workspace, records: int, scales: Sequence[Scale]
    ) -> None:
        self._utility, self._workspace, self._records = utility, workspace, records
        self._scales, self._axes = scales, tuple(range(1, len(scales) + 1))
        asked = [one for one in utility.models if one.bound is not None]
        # A part of a cluster is as alike as the cluster.
        self._asked = asked
        self._tested = [one for one in asked if one.model is not BACKGROUND]
        if not self._tested:  # any record is a class then
            self._tested = [Asked(Demand(K_ANONYMITY, utility.k))]
        self._positions = {
            one.attribute.alias: one.attribute.positions for one in asked if one.attribute
        }
        self._least = max([utility.k, *(one.demand.least_size for one in self._tested)])

    def classes(self) -> tuple[Relation, int]:
        """How many records of each cell each class has, and in how many rounds they were moved."""
        workspace, sensitive = self._workspace, self._utility.sensitive
        places = workspace.make(
            _ORDERING,
            "uhra_places",
            "uhra/places",
            {"cells": self._utility.cells, "zones": ZONES}
            | {f"scale_{one.alias}": one.relation for one in self._scales},
            scales=self._scales,
            measured=[one.alias for one in self._utility.quasi if one.height is None],
            sensitive=sensitive,
        )
        seats = workspace.make(
            _ORDERING,
            "uhra_seats",
            "uhra/seats",
            {
                "coded": self._utility.coded,
                "cells": self._utility.cells,
                "places": places,
                "walk": self._walk(places),
            },
            coordinates=self._utility.coordinates,
            sensitive=sensitive,
        )
        grown = self._grown(seats)
        shares = self._settled(grown, places)
        return self._moved(shares, places)

    def formed(self, shares: Relation) -> tuple[Relation, Relation]:
        """The sizes of the classes in the end, and which of them meets which model."""
        cells = self._workspace.make(
            _LEFT,
            "uhra_formed",
            "uhra/formed",
            {"shares": shares, "cells": self._utility.cells},
            columns=tuple(self._positions),
        )
        return self._judged(_LEFT, cells, self._asked)

    def _judged(
        self, title: str, cells: Relation, models: Sequence[Asked]
    ) -> tuple[Relation, Relation]:
        """The sizes of classes, and which of them meets which model."""
        workspace, inputs = self._workspace, {"chosen_cells": cells}
        attributes = dict.fromkeys(one.attribute.alias for one in models if one.attribute)
        classes = workspace.make(title, "uhra_classes", "lattice/chosen_classes", inputs)
        values = {
            str(alias): workspace.make(
                title,
                f"uhra_values_{alias}",
                "lattice/chosen_values",
                {**inputs, "positions": self._positions[alias]},
                attribute=alias,
            )
            for alias in attributes
        }
        return classes, held_classes(workspace, models, classes, values)

    def _walk(self, places: Relation) -> Relation:
        """The points of every block in the order in which classes grow."""
        workspace, settings = self._workspace, self._utility.settings
        inputs = {"places": places}
        leading: tuple[Sql, ...] = ()
        curved = settings.order == "curve" or workspace.rows(places) > settings.block
        if curved:
            counts = {one.alias: one.codes for one in self._scales}
            curve = curve_through(counts, self._records)
            columns = (Sql("cell_id"), *counts)
            along = work("uhra_along")
            for step in along_curve(
                self._utility.cells, along, self._utility.attributes, columns, curve
            ):
                workspace.create(step)
            inputs["along"], leading = along, curve.leading
        points = workspace.make(
            _ORDERING,
            "uhra_points",
            "uhra/points",
            inputs,
            axes=self._axes,
            curved=curved,
            leading=leading,
            most=settings.block,
            all_points=self._records,
        )
        if settings.order == "curve":
            return points
        try:
            return workspace.make(
                _ORDERING, "uhra_walk", "uhra/walk", {"points": points}, axes=self._axes
            )
        except EngineError as error:
            raise EngineError(
                f"{error}; order: nearest needs windows in a recursive query, which Spark does not "
                "have: there say method: {name: uhra, order: curve}"
            ) from error

    def _grown(self, seats: Relation) -> Relation:
        """The first classes: from every seat the shortest stretch that meets every model."""
        workspace, sensitive = self._workspace, self._utility.sensitive
        pieces: list[Relation] = []
        opened, shortest, longest = seats, self._least, self._least
        while not pieces or workspace.rows(opened):
            workspace.reached(level_share(len(pieces) + 1) / 2)
            stretches = workspace.make(
                _GROWING,
                "uhra_stretches",
                "uhra/stretches",
                {"open_seats": opened, "seats": seats},
                shortest=shortest,
                longest=longest,
                records=self._records,
                sensitive=sensitive,
            )
            _, held = self._judged(_GROWING, stretches, self._tested)
            ends = workspace.make(
                _GROWING,
                f"uhra_ends_{len(pieces)}",
                "uhra/ends",
                {"stretches": stretches, "held": held},
            )
            pieces.append(ends)
            opened = workspace.make(
                _GROWING,
                f"uhra_open_{len(pieces) % 2}",
                "uhra/open_seats",
                {"open_seats": opened, "ends": ends, "seats": seats},
                longest=longest,
            )
            shortest, longest = longest + 1, 2 * longest
        ends = workspace.make(
            _GROWING,
            "uhra_ends",
            "uhra/jumps",
            {f"ends_{place}": piece for place, piece in enumerate(pieces)},
            pieces=pieces,
        )
        return workspace.make(
            _GROWING,
            "uhra_grown",
            "uhra/grown",
            {"seats": seats, "starts": self._starts(seats, ends), "ends": ends},
            records=self._records,
        )

    def _starts(self, seats: Relation, ends: Relation) -> Relation:
        """The seats at which classes begin, one at the end of the other."""
        workspace, jumps, turn = self._workspace, ends, 0
        starts = workspace.make(_GROWING, "uhra_starts_0", "uhra/first_starts", {"seats": seats})
        while workspace.rows(jumps):
            turn += 1
            starts = workspace.make(
                _GROWING,
                f"uhra_starts_{turn % 2}",
                "uhra/starts",
                {"starts": starts, "jumps": jumps},
            )
            jumps = workspace.make(
                _GROWING, f"uhra_jumps_{turn % 2}", "uhra/longer_jumps", {"jumps": jumps}
            )
        return starts

    def _settled(self, grown: Relation, places: Relation) -> Relation:
        """The classes with what was left; what none takes is in classes of negative numbers."""
        workspace, turn = self._workspace, 0
        shares = workspace.make(_LEFT, "uhra_shares_0", "uhra/shares", {"grown": grown})
        left = workspace.make(_LEFT, "uhra_left_0", "uhra/left_cells", {"grown": grown})
        while workspace.rows(left):
            turn += 1
            joining = workspace.make(
                _LEFT,
                "uhra_joining",
                "uhra/joining",
                {"left_cells": left, "shares": shares, "places": places},
                sensitive=self._utility.sensitive,
            )
            classes, held = self._judged(_LEFT, joining, self._tested)
            moves = workspace.make(
                _LEFT,
                "uhra_moves",
                "uhra/joined",
                {
                    "left_cells": left,
                    "classes": classes,
                    "held": held,
                    "shares": shares,
                    "places": places,
                },
                sensitive=self._utility.sensitive,
            )
            made = {"shares": shares, "moves": moves}
            shares = workspace.make(
                _LEFT, f"uhra_shares_{turn % 2}", "uhra/moved", made, leaving=False
            )
            left = workspace.make(
                _LEFT,
                f"uhra_left_{turn % 2}",
                "uhra/still_left",
                {"left_cells": left, "moves": moves},
            )
        return shares

    def _moved(self, settled: Relation, places: Relation) -> tuple[Relation, int]:
        """The classes after records have moved to nearer ones, and in how many rounds."""
        workspace, most = self._workspace, self._utility.settings.rounds
        params = {"axes": self._axes, "sensitive": self._utility.sensitive}
        shares, turn, moving = settled, 0, True
        while moving and turn < most:
            workspace.reached(0.5 + level_share(turn + 1) / 2)
            read = {"shares": shares, "places": places}
            centroids = workspace.make(
                _MOVING, "uhra_centroids", "uhra/centroids", read, axes=self._axes
            )
            nearer = workspace.make(
                _MOVING,
                "uhra_nearer",
                "uhra/nearer",
                {**read, "centroids": centroids},
                k=self._utility.k,
                margin=self._margin,
                **params,
            )
            changed = workspace.make(
                _MOVING,
                "uhra_changed",
                "uhra/changed",
                {"nearer": nearer, **read},
                sensitive=self._utility.sensitive,
            )
            _, held = self._judged(_MOVING, changed, self._tested)
            moves = workspace.make(
                _MOVING,
                "uhra_moves",
                "uhra/moves",
                {"nearer": nearer, "changed": changed, "held": held},
                sensitive=self._utility.sensitive,
            )
            moving = bool(workspace.rows(moves))
            turn += 1
            shares = workspace.make(
                _MOVING,
                f"uhra_refined_{turn % 2}",
                "uhra/moved",
                {"shares": shares, "moves": moves},
                leaving=True,
            )
        return shares, turn

    @property
    def _margin(self) -> int:
        """What the rounded middles of two classes may add to a difference of squared distances."""
        return 2 * sum(one.units + 1 for one in self._scales)
