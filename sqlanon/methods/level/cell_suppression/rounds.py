"""The rounds in which units, tuples that show the same, find groups by giving up cells.

A choice of columns costs what its suppressed cells cost. Choices of several costs are tried at once
where that is little work; a unit still takes the cheapest. Units that were counted for a group and
took another may have left it too small. So a group is judged again with those that took it, and the
units that it refuses then try again. The first group of a round gets all of its candidates, so
every round but the last of a cost settles some.

A requirement may be on the tuples of some columns, whose cells are suppressed for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from sqlanon.errors import InfeasibleError
from sqlanon.measure.asked import Asked
from sqlanon.methods.level.judging import held_classes
from sqlanon.methods.workspace import Workspace
from sqlanon.sql.names import Relation, Sql

# All choices of up to 12 columns; of more columns those of the fewest cells.
_MOST_PATTERNS = 4096


@dataclass(frozen=True)
class Column:
    """A column whose cells may be suppressed.

    Attributes:
        alias: of its codes.
        cost: what a suppressed cell of a record costs.
        digit: its digit in the number of a choice of columns.
        kept: whether no cell of it is suppressed, and so no group shows two of its values.
    """

    alias: Sql
    cost: int
    digit: int
    kept: bool = False


@dataclass(frozen=True)
class Requirement:
    """A requirement on the tuples of some columns.

    Attributes:
        columns: the columns.
        least: how many records must show a tuple at least.
        models: what else must hold of them.
        numbers: the places of these models among all that is asked for.
        number: the place of the size there.
    """

    columns: tuple[Column, ...]
    least: int
    models: tuple[Asked, ...]
    numbers: tuple[int, ...]
    number: int

    @property
    def aliases(self) -> tuple[Sql, ...]:
        """The columns' codes."""
        return tuple(column.alias for column in self.columns)

    @property
    def kept(self) -> tuple[Sql, ...]:
        """The codes of the columns whose cells are kept."""
        return tuple(column.alias for column in self.columns if column.kept)

    @property
    def most_cells(self) -> int:
        """How many cells a choice may have, but for the one of all."""
        size, tried = len(self.columns) - len(self.kept), 0
        for cells in range(size + 1):
            tried += comb(size, cells)
            if tried > _MOST_PATTERNS:
                return cells - 1
        return size


_TITLE = "suppressing cells"
# So many choices of units are tried at once, if not all cost the same.
_TOGETHER = 200_000


class Rounds:
    """The cells that every tuple shows, and the rounds that change them.

    Args:
        workspace: makes the relations.
        every: the codes of the quasi-identifiers.
        shown: the tuples with what each shows.
        values: the sensitive values of every tuple's records, where something is asked of them.
        sensitive: the attributes of which something is asked.
        most: how many records may be left out; less than all.
        nothing: why there is no release, where the models hold of no cells that may be had.
    """

    def __init__(
        self,
        workspace: Workspace,
        every: Sequence[Sql],
        shown: Relation,
        values: Relation | None,
        sensitive: Sequence[Sql],
        most: int,
        nothing: str,
    ) -> None:
        self.shown, self.count, self.left_out = shown, 0, 0
        self._workspace, self._every = workspace, every
        self._values, self._sensitive, self._most = values, sensitive, most
        self._open = self._settled = self._unit_values = shown  # until the first requirement
        self._turns, self._nothing = dict[str, int](), nothing

    def meet(self, asked: Requirement) -> bool:
        """Suppress cells until a requirement is met; whether any had to be.

        Raises:
            InfeasibleError: if all records together do not meet it.
        """
        members = self._make("members", "members", {"shown": self.shown}, asked, every=self._every)
        units = self._make("units", "units", {"members": members}, asked)
        if asked.models and self._values is not None:
            inputs = {"members": members, "tuple_values": self._values}
            self._unit_values = self._make(
                "unit_values", "unit_values", inputs, None, sensitive=self._sensitive
            )
        patterns = self._workspace.make(
            _TITLE,
            "cells_patterns",
            "methods/cell_suppression/patterns",
            {},
            columns=asked.columns,
            most=asked.most_cells,
        )
        self._open = units
        self._settled = self._left(asked, "settled", units, units)  # none
        found = self._workspace.several(
            "methods/cell_suppression/pattern_costs",
            {"patterns": patterns},
            2 ** len(asked.columns),
        )
        levels = [(int(entry["cost"]), int(entry["patterns"])) for entry in found]
        self._round(asked, patterns, 0, 0)
        if not self._units:
            return False
        for low, high, share in self._stretches(levels[1:]):
            while self._units and self._round(asked, patterns, low, high):
                self._workspace.reached(share)
        failed = self._rest(asked) if self._units else asked.number
        made = {"shown": self.shown, "members": members, "settled": self._settled}
        self.shown = self._make(
            self._next("shown"), "shown_next", made, asked, every=self._every, failed=failed
        )
        return True

    def _stretches(self, levels: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, float]]:
        """The least and the greatest cost of what is tried at once, and how much is done then.

        Args:
            levels: every cost, and how many choices have it.
        """
        begin = 0
        while begin < len(levels) and self._units:
            end, patterns = begin + 1, levels[begin][1]
            while end < len(levels) and (patterns + levels[end][1]) * self._units <= _TOGETHER:
                patterns, end = patterns + levels[end][1], end + 1
            yield levels[begin][0], levels[end - 1][0], end / len(levels)
            begin = end

    def _round(self, asked: Requirement, patterns: Relation, low: int, high: int) -> bool:
        """Try the choices of some costs once; whether any unit found a group."""
        candidates = self._make(
            "candidates",
            "candidates",
            {"units": self._open, "patterns": patterns},
            asked,
            low=low,
            high=high,
        )
        return self._settle(asked, candidates)

    def _settle(self, asked: Requirement, candidates: Relation) -> bool:
        """Let units choose among the groups that hold, and again keep those groups that hold."""
        self.count += 1
        for stage in (1, 2):
            inputs = {"candidates": candidates, "settled": self._settled}
            groups = self._groups(asked, inputs, stage, asked.least)
            if not self._workspace.rows(groups):
                return False
            there = {"candidates": candidates, "large_groups": groups}
            if asked.models:
                there["held"] = self._held(asked, {**inputs, "large_groups": groups})
            candidates = self._make(f"chosen_{stage}", "chosen", there, asked)
            if not self._workspace.rows(candidates):
                return False
        self._open = self._left(asked, "open", self._open, candidates)
        self._settled = self._both(asked, "settled", self._settled, candidates)
        return True

    def _rest(self, asked: Requirement) -> int:
        """See to the units that found no group; if they are left out, for what they failed."""
        rest = int(self._workspace.one("cells/record_count", {"cells": self._open})["records"])
        if self.left_out + rest <= self._most:
            self.left_out += rest
            return self._reason(asked, rest)
        # Units that showed less already may make a class with those that would give up as much.
        if not self._workspace.rows(self._settled):
            self._settle(asked, self._together(asked))
        number = 1
        while self._units:
            pulled = self._make(
                "pulled",
                "nearest",
                {"settled": self._settled, "units": self._open},
                None,
                columns=asked.columns,
                kept=asked.kept,
                number=number,
            )
            if not self._workspace.rows(pulled):
                raise InfeasibleError(self._nothing)
            self._settled = self._left(asked, "settled", self._settled, pulled)
            self._open = self._both(asked, "open", self._open, pulled)
            self._settle(asked, self._together(asked))
            number *= 2
        return asked.number

    def _reason(self, asked: Requirement, rest: int) -> int:
        """The place of the first model that what is left does not meet as one class."""
        if rest < asked.least or not asked.models:
            return asked.number
        nothing = self._left(asked, "nothing", self._open, self._open)
        inputs = {"candidates": self._together(asked), "settled": nothing}
        inputs["large_groups"] = self._groups(asked, inputs, 1, 0)
        found = self._workspace.one(
            "methods/cell_suppression/failing", {"held": self._held(asked, inputs)}
        )
        return asked.number if found["failed"] is None else asked.numbers[int(found["failed"]) - 1]

    def _together(self, asked: Requirement) -> Relation:
        inputs = {"units": self._open}
        return self._make("candidates", "together", inputs, asked, kept=asked.kept)

    def _groups(
        self, asked: Requirement, inputs: dict[str, Relation], stage: int, least: int
    ) -> Relation:
        stride = 2 ** len(asked.columns)
        return self._make(f"groups_{stage}", "groups", inputs, asked, stride=stride, least=least)

    def _held(self, asked: Requirement, inputs: dict[str, Relation]) -> Relation:
        """Which groups meet each model."""
        attributes = {
            str(model.attribute.alias): model.attribute
            for model in asked.models
            if model.attribute is not None
        }
        values = {
            alias: self._make(
                f"values_{alias}",
                "group_values",
                {**inputs, "unit_values": self._unit_values, "positions": attribute.positions},
                asked,
                attribute=attribute.alias,
            )
            for alias, attribute in attributes.items()
        }
        return held_classes(self._workspace, asked.models, inputs["large_groups"], values)

    @property
    def _units(self) -> int:
        """How many units are open."""
        return self._workspace.rows(self._open)

    def _make(
        self,
        name: str,
        template: str,
        inputs: dict[str, Relation],
        asked: Requirement | None,
        **params: Any,
    ) -> Relation:
        if asked is not None:
            params = {"columns": asked.aliases, **params}
        return self._workspace.make(
            _TITLE, f"cells_{name}", f"methods/cell_suppression/{template}", inputs, **params
        )

    def _left(self, asked: Requirement, stem: str, units: Relation, others: Relation) -> Relation:
        """Some units without others."""
        inputs = {"units": units, "others": others}
        return self._make(self._next(stem), "units_left", inputs, asked)

    def _both(self, asked: Requirement, stem: str, units: Relation, others: Relation) -> Relation:
        """Some units with others."""
        inputs = {"settled": units, "joined": others}
        return self._make(self._next(stem), "settled", inputs, asked)

    def _next(self, stem: str) -> str:
        """A name that the relation which is read does not have."""
        self._turns[stem] = 1 - self._turns.get(stem, 0)
        return f"{stem}_{self._turns[stem]}"
