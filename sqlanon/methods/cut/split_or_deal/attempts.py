"""The ways to form classes that are tried, and which of them loses least.

The first cuts of a large table are found on a sample of its cells, and laid over all of them. A cut
of many records needs few of them to be found. Whether it is allowed is decided on all: a cut with a
side that does not meet every model is not made, nor is any below it. Other cuts may follow where
none was made, so a sample that misleads costs time and never a model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlanon.methods.cut.constraints import Cuts, allowed_cuts, close_cuts, measured_exactly
from sqlanon.methods.cut.cutting import LARGE
from sqlanon.methods.cut.effort import MANY_CELLS, NEXT, Effort
from sqlanon.methods.cut.scales import UNITS, Grouping, Start, Table
from sqlanon.methods.cut.split_or_deal.carving.carver import Carver
from sqlanon.methods.cut.split_or_deal.carving.plan import Carving, plan_carving
from sqlanon.methods.cut.split_or_deal.tree import Tree
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import work
from sqlanon.sql.names import Relation, exact

EVERY = 8  # One cell in so many is in the sample.
LEAST_CELLS = 16  # A side of a cut has so many cells of the sample at least.
CELLS_OF_A_REGION = 10_000  # About so many has a region in which carving is tried beforehand.
_TRIED = "trying to carve a part of the table"
_TITLE = "laying the first cuts over the table"


@dataclass(frozen=True)
class FirstCuts:
    """The first cuts of a table.

    Attributes:
        borders: where every node was cut, and the numbers of its sides; the table is node 0.
        levels: on how many levels.
    """

    borders: Relation
    levels: int


def first_cuts(
    workspace: Workspace, table: Table, effort: Effort, *, seed: int
) -> FirstCuts | None:
    """The cuts by which a sample of the cells loses least; no model is asked yet.

    Args:
        workspace: makes the work relations.
        table: what is cut.
        effort: by how many quasi-identifiers it cuts, and in how many places; only between values.
        seed: of the sample.

    Returns:
        The cuts; None if there is none.
    """
    sample = workspace.make(
        "drawing a sample of the cells",
        "sample_cells",
        "methods/cut/sampled_cells",
        {"cells": table.cells},
        columns=table.columns,
        every=EVERY,
        seed=seed,
    )
    cells = workspace.rows(sample)
    if not cells:
        return None
    records = workspace.one("cells/record_count", {"cells": sample})["records"]
    drawn = replace(
        table, cells=sample, records=records, constraints=(), dealing=False, small=False
    )
    whole = workspace.make(
        "starting from the sample as one class",
        "sample_whole",
        "methods/cut/whole_table",
        {"cells": sample},
    )
    least = max(-(-table.k // EVERY), LEAST_CELLS * -(-records // cells))
    borders = Tree(workspace, drawn, effort).borders(Start(whole), "sample_borders", k=least)
    levels = workspace.one("methods/cut/border_levels", {"borders": borders})["levels"]
    workspace.drop(sample, whole)
    return FirstCuts(borders, levels) if levels else None


def some_regions(workspace: Workspace, table: Table, cuts: FirstCuts) -> Relation:
    """Some thousand cells of two regions of a table; each region is one class."""
    regions = max(1, workspace.rows(table.cells) // CELLS_OF_A_REGION)
    levels = min(cuts.levels, regions.bit_length() - 1)
    laid = _laid_cells(workspace, table, cuts.borders, levels)
    read = {"cells": table.cells, "laid_cells": laid}
    parts = workspace.make(_TRIED, "trial_parts", "methods/split_or_deal/region_parts", read)
    workspace.drop(laid)
    return parts


def laid(workspace: Workspace, table: Table, cuts: FirstCuts) -> Relation:
    """The table in classes: it is cut as far as both sides of a cut meet every model."""
    cells, columns = (
        {"cells": table.cells},
        tuple(constraint.alias for constraint in table.constraints),
    )
    placed = _laid_cells(workspace, table, cuts.borders, cuts.levels)
    counts = workspace.make(
        _TITLE,
        "laid_counts",
        "methods/cut/laid_counts",
        {**cells, "laid_cells": placed},
        columns=columns,
    )
    above = workspace.make(
        _TITLE,
        "nodes_above",
        "methods/cut/nodes_above",
        {"borders": cuts.borders},
        levels=cuts.levels,
    )
    allowed = _allowed(workspace, table, counts, above)
    parts = workspace.make(
        _TITLE,
        "laid_parts",
        "methods/cut/laid_parts",
        {**cells, "laid_cells": placed, "nodes_above": above, "allowed_cuts": allowed},
    )
    workspace.drop(placed, counts, above)
    return parts


def _laid_cells(workspace: Workspace, table: Table, borders: Relation, levels: int) -> Relation:
    """The node of every cell after so many levels."""
    return workspace.make(
        _TITLE,
        "laid_cells",
        "methods/cut/laid_cells",
        {"cells": table.cells, "borders": borders},
        scales=table.scales,
        levels=levels,
    )


def _allowed(workspace: Workspace, table: Table, counts: Relation, above: Relation) -> Relation:
    """The cuts of which both sides meet every model, found for all levels at once."""
    there = {"laid_counts": counts, "nodes_above": above}
    columns = tuple(constraint.alias for constraint in table.constraints)
    positions = workspace.make(_TITLE, "laid_positions", "methods/cut/laid_positions", there)
    sides = workspace.make(
        _TITLE,
        "laid_sides",
        "methods/cut/laid_sides",
        {**there, "cut_positions": positions},
        columns=columns,
    )
    made = {"ranked_parts": sides, "cut_positions": positions}
    cuts = Cuts(
        title=_TITLE,
        made=made,
        numbers=(1,),
        records=table.records,
        k=table.k,
        percent=100,
        small=LARGE,
    )
    allowed, close = work("laid_allowed"), work("laid_close")
    for step in allowed_cuts(cuts, table.constraints, allowed):
        workspace.create(step)
    for step in close_cuts(cuts, table.constraints, allowed, close, priced=False):
        workspace.create(step)
    workspace.drop(sides, positions)
    return close if measured_exactly(table.constraints) else allowed


# On so few cells every way is tried to its end. On more, the tree cuts the table alone only as far
# as it may still win; and with another part of t only where it came near the best, within a tenth.
SMALL_TABLE, NEAR = 8_000, Fraction(11, 10)
# Where cells are many, it cuts the table alone once: more gained nothing and took as long as all
# the rest. Nor does it again where no side is large enough for another part of t.
# There classes are pooled between values as far as t allows, first by the cuts of a sample. Only
# what is left is dealt: where a class could be cut either way, the dealt cut was the better one in
# 1 of 60.
# In how many turns a plan is carved along: a large table in fewer, so that no more than so many
# cells are read in all, but in so many at least. Where classes have no closed form a turn takes
# longer: there is one for every few classes that there can be.
LEAST_TURNS, CELLS_READ, CLASSES_A_TURN, FEW_TURNS = 80, 8_000_000, 12, 10
# Nodes of a plan with fewer are taken two at a time: one by one lost more.
MANY_NODES = 300


@dataclass(frozen=True)
class Attempt:
    """A way to form classes that was tried to its end.

    Attributes:
        name: what it is called in the notes.
        found: the classes.
        carved: whether they were carved, and cut after that.
    """

    name: str
    found: Grouping
    carved: bool = False


@dataclass(frozen=True)
class Way:
    """A way to form classes.

    Attributes:
        name: what it is called in the notes.
        start: the classes that are cut.
        may_end: whether it is given up where it is not going to win.
        carved: whether the classes that are cut were carved.
        dealt: whether they are dealt alone.
    """

    name: str
    start: Start
    may_end: bool = False
    carved: bool = False
    dealt: bool = False


class Attempts:
    """The ways that a search tries, one after the other."""

    def __init__(
        self,
        tree: Tree,
        workspace: Workspace,
        table: Table,
        whole: Relation,
        effort: Effort,
        seed: int,
        regions: int | None,
        undivided: bool,
    ) -> None:
        """Take down what is searched, and how far.

        Args:
            tree: cuts classes.
            workspace: makes the work relations.
            table: what is searched.
            whole: the classes that are cut.
            effort: how much is tried.
            seed: of the order in which a carved class takes its records.
            regions: in about how many regions carving is tried, as well as in the table as one.
            undivided: whether the class that is cut first is the table.
        """
        self._undivided = undivided
        self._first: FirstCuts | None = None
        self._tree, self._workspace, self._table, self._whole = tree, workspace, table, whole
        self._effort, self._seed, self._regions = effort, seed, regions
        self._best: Attempt | None = None
        self._tried: dict[str, float | None] = {}
        self.notes: list[tuple[str, str]] = []

    def dealt(self) -> Relation:
        """The classes of the table dealt out."""
        parts = self._tree.deal(self._whole, "deal_parts", self._table.records // self._table.k)
        self._keep("dealt cuts alone", parts)
        self._note()
        return parts

    def best(self, may_carve: bool) -> Attempt:
        """The best way."""
        for way in self._ways(may_carve):
            with self._workspace.part(NEXT):
                self._try(way)
        self._note()
        assert self._best is not None  # noqa: S101 - something is always tried
        return self._best

    def _ways(self, may_carve: bool) -> Iterator[Way]:
        """The ways to try, in this order."""
        carving = self._planned() if may_carve else None
        if carving and self._cells >= MANY_CELLS and self._tries_a_part(carving):
            yield self._alone(100, carving.simple)
            if self._may_carve_as_well(carving):
                yield from self._carved(carving)
            return
        carved = False
        for way in self._carved(carving) if carving else ():
            carved = True
            yield way
        if carved and not self._effort.pooled_percents:
            return
        first, *others = self._effort.pooled_percents or (100,)
        alone = self._alone(first, simple := carving is None or carving.simple)
        yield alone
        if simple and self._may_pay(alone):
            yield from (self._alone(percent, simple) for percent in others)

    def _tries_a_part(self, carving: Carving) -> bool:
        """Whether the table is carved only if a part of it shows that this may pay."""
        asked = self._regions is not None or not self._effort.pooled_percents
        return (
            self._undivided and self._table.dealing and not asked and not self._reads_few(carving)
        )

    def _may_carve_as_well(self, carving: Carving) -> bool:
        """Whether carving a part of the table lost about as little as cutting lost there."""
        workspace, best = self._workspace, self._best
        if self._first is None or best is None:
            return True
        part = some_regions(workspace, self._table, self._first)
        read = {"parts": best.found.parts, "class_losses": best.found.losses}
        cut = workspace.one("methods/split_or_deal/part_loss", {**read, "region_parts": part})
        lost = []
        for way in self._carved_along(carving, " in a part", part, self._widths(carving)[0]):
            with workspace.part(NEXT):
                tried = self._tree.cut(way.start, "trial_tried", k=self._table.k)
            lost.append(self._tree.grouping(tried, "trial_losses").loss)
            self._tried[way.name] = round(lost[-1] / cut["records"] / UNITS, 6)
            workspace.drop(way.start.parts, tried)
        workspace.drop(part)
        return any(number <= cut["loss"] * NEAR for number in lost)

    def _try(self, way: Way) -> None:
        """Cut the classes further; keep those that lose least and drop the others."""
        beat = self._best.found.loss if self._best and way.may_end else None
        output = f"search_tried_{len(self._tried)}"
        k, dealt = self._table.k, way.dealt
        parts = self._tree.cut(way.start, output, k=k, beat=beat, dealt=dealt)
        self._keep(way.name, parts, way.carved)
        self._workspace.drop(*{way.start.parts} - {self._whole})

    def _planned(self) -> Carving:
        """The plan of carving."""
        carving = plan_carving(
            self._workspace, self._table, self._table.constraints, self._seed, self._effort
        )
        self.notes.append(
            ("search_lattice", f"{len(carving.nodes)} of {carving.lattice} nodes carved along")
        )
        return carving

    def _carved(self, carving: Carving) -> Iterator[Way]:
        """Carve the table, and its regions."""
        tables = [("", self._whole)]
        if self._regions is not None:
            tables.append((" in regions", self._in_regions(self._regions)))
        for about, start in tables:
            for width in self._widths(carving):
                yield from self._carved_along(carving, about, start, width)

    def _carved_along(
        self, carving: Carving, about: str, start: Relation, width: int
    ) -> Iterator[Way]:
        """Carve so many nodes together, with one reserve after the other."""
        reserves = self._effort.reserves if carving.simple else self._effort.shrunk_reserves
        reserves = reserves if self._reads_few(carving) else reserves[-1:]
        carver = Carver(self._workspace, self._table, carving, start, width)
        for reserve in reserves if carving.close else [Fraction(1)]:
            name = f"carved{about}, {width} nodes at a time"
            if carving.close:
                name += f", remainder within {exact(reserve)} t"
            with self._workspace.part(NEXT):
                carved, refused = carver.carve(reserve, "carve_parts")
            if carved is None:
                self._tried[name] = None
                continue
            yield Way(name, Start(carved), carved=True)
            if not refused:
                break
        carver.close()

    def _reads_few(self, carving: Carving) -> bool:
        """Whether carving reads so few cells that it is tried with every reserve."""
        return len(carving.nodes) * self._cells < self._effort.few_cells

    def _widths(self, carving: Carving) -> list[int]:
        """How many nodes to carve together, each width once."""
        nodes = len(carving.nodes)
        least = -(-nodes // (self._table.records // carving.size))
        widths = list(self._effort.whole_widths)
        if carving.tests:
            least = max(least, 1 if nodes >= MANY_NODES else 2)
            widths = [-(-nodes // self._turns(carving, turn)) for turn in self._effort.turns]
        return list(dict.fromkeys(max(width, least) for width in widths))

    def _turns(self, carving: Carving, most: int) -> int:
        """In how many turns to carve, at most."""
        turns = min(most, max(LEAST_TURNS, CELLS_READ // self._cells))
        if carving.simple:
            return turns
        classes = self._table.records // carving.size
        return min(turns, max(FEW_TURNS, classes // CLASSES_A_TURN))

    def _in_regions(self, regions: int) -> Relation:
        """The table cut into a number of large classes at most, which are carved one by one."""
        k = max(self._table.k, self._table.records // regions)
        return self._tree.cut(Start(self._whole), "search_regions", k=k)

    def _may_pay(self, alone: Way) -> bool:
        """Whether cuts held to a part of t may find better classes, at a bearable cost."""
        binding = bool(self._table.constraints) and self._table.records - self._table.k > LARGE
        if not binding or self._cells >= MANY_CELLS:
            return False
        found, best = self._tried[alone.name], self._best
        assert found is not None  # noqa: S101 - it was just tried
        assert best is not None  # noqa: S101 - and so there is a best
        return self._cells <= SMALL_TABLE or found <= self._table.share(best.found.loss) * NEAR

    @property
    def _cells(self) -> int:
        return self._workspace.rows(self._table.cells)

    def _alone(self, percent: int, to_its_end: bool) -> Way:
        """The table as one class; where cells are few it may be cut to its end."""
        name = "cut alone" if percent == 100 else f"cut alone, pooled cuts within {percent} % of t"
        may_end = self._cells > SMALL_TABLE or not to_its_end
        if self._cells < MANY_CELLS or not self._table.dealing:
            return Way(name, Start(self._whole, percent), may_end)
        whole_blocks = all(constraint.block_bins is None for constraint in self._table.constraints)
        return Way(name, Start(self._pooled(), percent), may_end, dealt=whole_blocks)

    def _pooled(self) -> Relation:
        """The table cut between values alone."""
        workspace, table, whole = self._workspace, self._table, self._whole
        effort = replace(self._effort, whole_values=True)
        if self._undivided:
            with workspace.part(NEXT):
                self._first = first_cuts(workspace, table, effort, seed=self._seed)
            if self._first:
                whole = laid(workspace, table, self._first)
        tree = Tree(workspace, replace(table, dealing=False), effort)
        with workspace.part(NEXT):
            found = tree.cut(Start(whole), "search_pooled", k=table.k)
        workspace.drop(*{whole} - {self._whole})
        return found

    def _keep(self, name: str, parts: Relation, carved: bool = False) -> None:
        """Remember what was tried; keep the better classes and drop the others."""
        attempt = Attempt(name, self._tree.grouping(parts), carved)
        self._tried[name] = self._table.share(attempt.found.loss)
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
