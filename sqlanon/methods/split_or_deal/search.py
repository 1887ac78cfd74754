"""Carve, then Split-or-Deal: the least information loss at a given k, l and t.

sqlanon, Carve and Split-or-Deal. Classes are carved along the generalization lattice and cut
further by a tree; or the tree cuts the table alone. What loses less is refined: neighbouring
classes are pooled, and cut anew where that loses less. The search works on cells, records alike in
every attribute that decides, and sees counts only.

Every class meets every model. The table as one class is at distance 0 of itself; a carved class and
the remainder are tested exactly; and of every cut both sides are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlanon.forms import QuasiIdentifierScale
from sqlanon.methods.split_or_deal.carve import Carver, Carving, plan_carving
from sqlanon.methods.split_or_deal.effort import EFFORTS, EffortName
from sqlanon.methods.split_or_deal.scales import (
    UNITS,
    Objective,
    by_alias,
    make_losses,
    make_scales,
    place_cells,
)
from sqlanon.methods.split_or_deal.tree import SMALL, Grouping, Start, Table, Tree
from sqlanon.methods.tested import Tested, make_tests
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, Step
from sqlanon.sql import Relation
from sqlanon.sql.names import exact

# Where cells are many, the tree cuts the table alone once: more gained nothing and took as long as
# all the rest. Nor does it again where no side is large enough for it or, of ways that are cut one
# by one, the first was given up.
MANY_CELLS = 200_000
# On so few cells all ways are cut side by side: there a statement costs more than its rows.
FEW_CELLS = 8_000
# Where classes have no closed form a pass takes long: a small table has one for so many records,
# but not fewer than this.
RECORDS_A_PASS, FEW_PASSES = 150, 10
# Of how many classes the pools of each refining pass are, in turn; and the gain that ends it.
TOGETHER = (8, 4, 16, 2, 32, 8)
LEAST_GAIN = 0.002
# Before the first pass one pool in so many is cut, to see what all are worth; not if they are few.
PROBED, FEW_POOLS = 8, 64

# What is tried next takes about so much of the work that is left; how much follows is not known.
_NEXT = 0.5


@dataclass(frozen=True)
class Attempt:
    """A way to form classes that was tried to its end."""

    name: str
    found: Grouping


@dataclass(frozen=True)
class Way:
    """A way to form classes.

    Attributes:
        name: what it is called in the notes.
        start: the classes that are cut.
        may_end: whether it is given up where it is not going to win, if it is cut by itself.
    """

    name: str
    start: Start
    may_end: bool = False


@dataclass(frozen=True)
class SplitOrDeal:
    """The search for classes.

    Attributes:
        cells: a row for each combination of codes in the data: cell_id, q1, …, s1, …, records.
        parts: the relation to make: how many records of each cell go to each class, as cell_id,
            class_id (from 0, without gaps) and records.
        quasi: the quasi-identifiers.
        sensitive: the sensitive attributes.
        k: the least class size, at most the number of records.
        refine: how often at most neighbouring classes are pooled and cut anew.
        seed: of the order in which a carved class takes its records.
        regions: in about how many regions carving is tried, beside the table as one.
        dealt_only: whether classes come from dealt cuts alone, with the bounds of Stack & Deal and
            as many classes; nothing but k is then seen to.
        effort: how much is tried.
        objective: what the loss counts.
        zones: the classes that are cut, in place of the table as one; none is made of two of them.
    """

    cells: Relation
    parts: Relation
    quasi: tuple[QuasiIdentifierScale, ...]
    sensitive: tuple[Tested, ...]
    k: int
    refine: int
    seed: int
    regions: int | None = None
    dealt_only: bool = False
    effort: EffortName = "normal"
    objective: Objective = "ncp"
    zones: Relation | None = None

    @property
    def title(self) -> str:
        """What is searched for, for people."""
        if self.dealt_only:
            return "dealing the records out by their quasi-identifiers"
        return "searching for the classes that lose least"

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.parts

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return repr(self)

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say what was tried and chosen."""
        workspace = Workspace(session)
        records = workspace.one("split_or_deal/size", {"cells": self.cells})["records"]
        tests = make_tests(workspace, self.sensitive, records)
        strata = self.sensitive if self.dealt_only else tests
        scales = make_scales(workspace, self.cells, records, self.quasi, not tests, self.objective)
        cells = place_cells(workspace, self.cells, scales, [one.alias for one in strata])
        dealing = self.dealt_only or bool(tests)
        losses = make_losses(workspace, scales, self.objective)
        table = Table(cells, records, scales, tests, self.k, dealing, losses)
        whole = self.zones or workspace.make(
            "starting from one class", "search_whole", "split_or_deal/whole_table", {"cells": cells}
        )
        found = _Attempts(self, workspace, table, whole)
        best = found.dealt() if self.dealt_only else found.best()
        session.create(
            Step("numbering the classes", self.parts, "split_or_deal/parts", {"found": best})
        )
        session.notes += found.notes
        workspace.clear()


class _Attempts:
    """What is tried, one way after the other, or all side by side where cells are few."""

    def __init__(
        self, search: SplitOrDeal, workspace: Workspace, table: Table, whole: Relation
    ) -> None:
        self._search, self._workspace, self._table, self._whole = search, workspace, table, whole
        self._effort = EFFORTS[search.effort]
        self._tree = Tree(workspace, table, self._effort)
        self._best: Attempt | None = None
        self._tried: dict[str, float | None] = {}
        self._carvings = 0
        self.notes: list[tuple[str, str]] = []

    def dealt(self) -> Relation:
        """The classes of the table dealt out."""
        parts = self._tree.deal(self._whole, "deal_parts", self._table.records // self._table.k)
        self._keep("dealt cuts alone", parts)
        self._note()
        return parts

    def best(self) -> Relation:
        """The classes of the best way, refined."""
        for ways in self._together(self._ways()):
            with self._workspace.part(_NEXT):
                self._try(ways)
        self._note()
        assert self._best is not None  # noqa: S101 - the first way is always tried to its end
        return self._refined(self._best.found)

    def _ways(self) -> Iterator[Way]:
        """What is tried, in this order."""
        simple = self._search.zones is None and all(one.carves for one in self._table.tests)
        carving = self._planned() if simple else None
        carved = False
        for way in self._carved(carving) if carving else ():
            carved = True
            yield way
        first, *others = self._effort.betas or (100,)
        if carved and not self._effort.betas:
            return
        yield (alone := self._alone(first))
        if carving and not carving.simple:  # the tree alone has never lost less there
            return
        if self._tried.get(alone.name, 0) is not None and self._may_pay():
            yield from map(self._alone, others)

    def _together(self, ways: Iterator[Way]) -> Iterator[list[Way]]:
        """The ways that are cut side by side: all of them where cells are few, or one at a time."""
        if self._workspace.rows(self._table.cells) <= FEW_CELLS:
            yield list(ways)
            return
        for way in ways:
            yield [way]

    def _try(self, ways: Sequence[Way]) -> None:
        """Cut the classes further; keep those that lose least and drop the others."""
        k, output = self._table.k, f"search_tried_{len(self._tried)}"
        if len(ways) > 1:
            losses, parts = self._tree.cut_all([way.start for way in ways], output, k=k)
            for way, loss in zip(ways, losses, strict=True):
                self._tried[way.name] = self._share(loss)
            best = ways[losses.index(min(losses))]
            self._best = Attempt(best.name, self._tree.grouping(parts))
        else:
            beat = self._best.found.loss if self._best and ways[0].may_end else None
            self._keep(ways[0].name, self._tree.cut(ways[0].start, output, k=k, beat=beat))
        starts = {way.start.parts for way in ways} - {self._whole}
        self._workspace.drop(*starts)

    def _planned(self) -> Carving:
        """The plan of carving."""
        carving = plan_carving(
            self._workspace, self._table, self._table.tests, self._search.seed, self._effort
        )
        self.notes.append(
            ("search_lattice", f"{len(carving.nodes)} of {carving.lattice} nodes carved along")
        )
        return carving

    def _carved(self, carving: Carving) -> Iterator[Way]:
        """Carve the table, and its regions."""
        tables = [("", self._whole)]
        if self._search.regions is not None:
            tables.append((" in regions", self._regions(self._search.regions)))
        for about, start in tables:
            for width in self._widths(carving):
                yield from self._carved_along(carving, about, start, width)

    def _carved_along(
        self, carving: Carving, about: str, start: Relation, width: int
    ) -> Iterator[Way]:
        """Carve so many nodes together, with one reserve after the other."""
        few = len(carving.nodes) * self._workspace.rows(self._table.cells) < self._effort.few_cells
        reserves = self._effort.reserves if carving.simple else self._effort.shrunk_reserves
        reserves = reserves if few else reserves[-1:]
        carver = Carver(self._workspace, self._table, carving, start, width)
        for reserve in reserves if carving.close else [Fraction(1)]:
            name = f"carved{about}, {width} nodes at a time"
            if carving.close:
                name += f", remainder within {exact(reserve)} t"
            with self._workspace.part(_NEXT):
                carved, refused = carver.carve(reserve, f"carve_parts_{self._carvings}")
            self._carvings += 1
            if carved is None:
                self._tried[name] = None
                continue
            yield Way(name, Start(carved))
            if not refused:
                break
        carver.close()

    def _widths(self, carving: Carving) -> list[int]:
        """How many nodes to carve together, each width once."""
        nodes = len(carving.nodes)
        least = -(-nodes // (self._table.records // carving.size))
        if not carving.tests:
            widths = list(self._effort.whole_widths)
        else:
            passes = self._effort.passes if carving.simple else (self._shrunk_passes(),)
            widths = [max(2, -(-nodes // one)) for one in passes]
        return list(dict.fromkeys(max(width, least) for width in widths))

    def _shrunk_passes(self) -> int:
        """In how many passes to carve where classes have no closed form."""
        most = max(FEW_PASSES, self._table.records // RECORDS_A_PASS)
        if self._workspace.rows(self._table.cells) >= MANY_CELLS:
            most = min(most, *self._effort.passes)
        return min(most, self._effort.shrunk_passes)

    def _regions(self, regions: int) -> Relation:
        """The table cut into a number of large classes at most, which are carved one by one."""
        k = max(self._table.k, self._table.records // regions)
        parts = self._tree.cut(Start(self._whole), "search_regions", k=k)
        assert parts is not None  # noqa: S101 - there is nothing to beat
        return parts

    def _may_pay(self) -> bool:
        """Whether cuts held to a part of t may find other classes, at a bearable cost."""
        binding = bool(self._table.tests) and self._table.records - self._table.k > SMALL
        return binding and self._workspace.rows(self._table.cells) < MANY_CELLS

    def _alone(self, beta: int) -> Way:
        """The table as one class."""
        name = "cut alone" if beta == 100 else f"cut alone, pooled cuts within {beta} % of t"
        return Way(name, Start(self._whole, beta), may_end=True)

    def _keep(self, name: str, parts: Relation | None) -> None:
        """Remember what was tried; keep the better classes and drop the others."""
        if parts is None:
            self._tried[name] = None
            return
        attempt = Attempt(name, self._tree.grouping(parts))
        self._tried[name] = self._share(attempt.found.loss)
        if self._best is not None and self._best.found.loss <= attempt.found.loss:
            self._workspace.drop(parts)
            return
        if self._best is not None:
            self._workspace.drop(self._best.found.parts)
        self._best = attempt

    def _note(self) -> None:
        assert self._best is not None  # noqa: S101 - something was kept before
        self.notes.append(("search_tried", json.dumps(self._tried)))
        self.notes.append(("search_chosen", self._best.name))

    def _share(self, loss: int) -> float:
        """The loss of a record, between 0 and 1."""
        return round(loss / self._table.records / UNITS, 6)

    def _refined(self, best: Grouping) -> Relation:
        """Pool neighbouring classes and cut the pools anew, as long as it pays."""
        now = self._tree.grouping(best.parts, "refine_losses")
        losses = []
        for turn in range(self._search.refine):
            # One pool of all classes is the table, which was cut alone.
            alone = self._effort.betas and not turn and now.classes <= TOGETHER[0]
            if not now.loss or alone:
                break
            before = now
            # For k alone a pass is cheap and pays, and a probe would only lead it elsewhere.
            probed = self._table.tests and now.classes >= FEW_POOLS * TOGETHER[0]
            if not turn and probed:
                now = self._refined_once(turn, now, probe=True)
                if (before.loss - now.loss) * PROBED < LEAST_GAIN * before.loss:
                    losses.append(self._share(now.loss))
                    break
            now = self._refined_once(turn, now)
            losses.append(self._share(now.loss))
            if before.loss - now.loss < LEAST_GAIN * before.loss:
                break
        self.notes.append(("search_refined", json.dumps(losses)))
        return now.parts

    def _refined_once(self, turn: int, before: Grouping, probe: bool = False) -> Grouping:
        """One pass, along another curve and with pools of another size each turn.

        Args:
            turn: which pass it is, from 0.
            before: the classes.
            probe: whether a part of the pools is cut anew, evenly spread, and the others are kept.
        """
        workspace, table = self._workspace, self._table
        count = len(table.scales)
        order = [(place * (-1) ** turn + turn) % count for place in range(count)]
        title = f"refining the classes: pass {turn + 1}"
        pools = workspace.make(
            title,
            "refine_pools",
            "split_or_deal/class_pools",
            {
                "parts": before.parts,
                "cells": table.cells,
                "class_losses": before.losses,
                **by_alias(table.scales),
                **({} if self._search.zones is None else {"zones": self._search.zones}),
            },
            scales=table.scales,
            order=[table.scales[place].alias for place in order],
            bits=max(1, min(5, 48 // count)),
            offset=turn * 37 % 100,
            shift=turn % 2,
            together=TOGETHER[turn % len(TOGETHER)],
            every=PROBED if probe else 1,
        )
        pooled = workspace.make(
            title,
            "refine_pooled",
            "split_or_deal/pooled_parts",
            {"parts": before.parts, "class_pools": pools},
        )
        with workspace.part(_NEXT):
            cut = self._tree.cut(Start(pooled), "refine_cut", k=table.k)
        assert cut is not None  # noqa: S101 - there is nothing to beat
        new = self._tree.grouping(cut, "refine_new_losses")
        better = workspace.make(
            title,
            "refine_better",
            "split_or_deal/better_pools",
            {"class_pools": pools, "class_losses": new.losses},
        )
        parts = workspace.make(
            title,
            "refine_probed" if probe else f"refine_parts_{turn % 2}",
            "split_or_deal/refined_parts",
            {
                "parts": before.parts,
                "new_parts": cut,
                "class_pools": pools,
                "better_pools": better,
            },
        )
        return self._tree.grouping(parts, "refine_losses")
