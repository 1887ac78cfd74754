"""The work relations of a search, made as it goes and gone when it is done.

A search on cells also hands their records out to the classes that it found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlanon.domains.attribute import follows
from sqlanon.errors import EngineError
from sqlanon.forms import form_of
from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.methods.method import ASSIGNED, Grouping, Task
from sqlanon.plan import Loop, Materialization, Runner, Search, Step, StepRecord, work
from sqlanon.sql.names import Relation, Sql

# So many dropped rows, some tens of megabytes, may take room until it is reclaimed.
_DROPPED_ROWS = 500_000
# Of so few cells a loop is one query: a statement takes longer than its rows.
FEW_CELLS = 50_000
# A level of a tree takes about so much of what it leaves to do; how many there are is not known.
_LEVEL = 0.15


def level_share(level: int) -> float:
    """How much of a tree is done, 0 to 1, when a level begins, of which the first is 1."""
    return 1 - (1 - _LEVEL) ** (level - 1)


class Workspace:
    """Makes work relations, and remembers them until they are dropped.

    Args:
        session: runs the steps and keeps their record.
    """

    def __init__(self, session: Runner) -> None:
        self._session = session
        self._there: dict[str, StepRecord] = {}
        self._dropped = 0  # rows
        self._begins, self._ends = 0.0, 1.0  # the part of the search that is being done

    def make(
        self, title: str, name: str, template: str, inputs: Mapping[str, Relation], **params: Any
    ) -> Relation:
        """Make a work relation, in place of an older one of its name."""
        return self.create(Step(title, work(name), template, inputs, params))

    def create(self, step: Step) -> Relation:
        """Make a step's relation, in place of an older one of its name."""
        made = self._session.create(replace(step, how=Materialization.WORK_TABLE))
        older = self._there.pop(made.relation.name, None)
        self._there[made.relation.name] = made
        if older:
            self._let_go(older)
        return made.relation

    def few(self, cells: Relation) -> bool:
        """Whether there are so few cells that a loop over them is best one query."""
        return self.rows(cells) <= FEW_CELLS

    def repeat(self, loop: Loop, small: bool) -> Relation:
        """Make the relation of a loop.

        Of few rows it is one recursive query, where the database can: what a turn makes is never
        a table, and costs a fraction. The run does not say then how far it has come.

        Args:
            loop: what is done again and again.
            small: whether the table has few rows, so that the rest of the search runs on one
                thread: threads would wait for each other in thousands of pipelines of few rows.
        """
        if self._session.recursive and (small or self.few(loop.first)):
            if small:
                self._session.serial()
            return self.create(loop.recursion())
        number, given, left = 0, loop.first, 1
        while left:
            number += 1
            share = level_share(number) if loop.turns is None else (number - 1) / loop.turns
            self.reached(share)
            for step in loop.at_turn(number, given):
                last = self.create(step)
            given, left = last, self.rows(last)
        made = self.create(loop.gathered(number))
        self.drop(*(loop.done_at(one) for one in range(1, number + 1)))
        return made

    def reached(self, share: float) -> None:
        """So much is done, 0 to 1, of the part of the search that is being done."""
        self._session.reached(self._begins + (self._ends - self._begins) * share)

    @contextmanager
    def part(self, share: float) -> Iterator[None]:
        """The work inside takes about so much, 0 to 1, of the work that is left."""
        begins, ends = self._begins, self._ends
        self._ends = begins + (ends - begins) * share
        yield
        self._begins, self._ends = self._ends, ends
        self.reached(0)

    @contextmanager
    def windows_in_recursion(self, setting: str, instead: str) -> Iterator[None]:
        """The work inside needs windows in a recursive query.

        Args:
            setting: the setting of a spec that asks for it.
            instead: what to say in its place.

        Raises:
            EngineError: as the work raises it, with what to say where an engine has none.
        """
        try:
            yield
        except EngineError as error:
            raise EngineError(
                f"{error}; {setting} needs windows in a recursive query, which Spark does not "
                f"have: there say method: {instead}"
            ) from error

    def one(self, template: str, inputs: Mapping[str, Relation], **params: Any) -> dict[str, Any]:
        """The one row of a template that counts."""
        return self.several(template, inputs, 1, **params)[0]

    def several(
        self, template: str, inputs: Mapping[str, Relation], limit: int, **params: Any
    ) -> list[dict[str, Any]]:
        """The few rows of a template that counts."""
        return self._session.fetch(template, inputs, params, limit).dicts()

    def rows(self, relation: Relation) -> int:
        """How many rows a relation has."""
        made = self._there.get(relation.name)
        if made is not None and made.rows is not None:
            return made.rows
        return int(self.one("source/record_count", {"records": relation})["records"])

    def drop(self, *relations: Relation) -> None:
        """Drop relations that nothing will read again."""
        for made in [step for step in self._there.values() if step.relation in relations]:
            self._session.drop(made.relation)
            self._let_go(self._there.pop(made.relation.name))

    def clear(self) -> None:
        """Drop every relation that is left."""
        self.drop(*(made.relation for made in self._there.values()))

    def _let_go(self, dropped: StepRecord) -> None:
        self._dropped += dropped.rows or 0
        if self._dropped > _DROPPED_ROWS:
            self._session.reclaim_space()
            self._dropped = 0


CELLS, PARTS = work("cells"), work("parts")
# The cells without the outliers, and these, where records may be left out.
KEPT, LEFT_OUT = work("kept_cells"), work("left_out")
_RANGES = work("ranges")


def scales_of(task: Task) -> tuple[tuple[QuasiIdentifierScale, ...], list[Step]]:
    """The quasi-identifiers as a search reads them, and the steps that lay them out."""
    found = [form_of(attribute).scale(attribute) for attribute in task.quasi_identifiers]
    return tuple(scale for scale, _ in found), [step for _, steps in found for step in steps]


def sensitive_asked(task: Task) -> tuple[Sql, ...]:
    """The sensitive attributes of whose values in a class something is asked."""
    asked = (
        model.attribute.alias
        for model in task.models
        if model.attribute is not None and model.bound is not None and not follows(model.attribute)
    )
    return tuple(dict.fromkeys(asked))


def zones_of(task: Task) -> Relation | None:
    """The classes that a search starts from; None for the table as one.

    These are clusters where they are asked for, and the records without the outliers where records
    may be left out.
    """
    if task.clusters is not None:
        return task.clusters.relation
    return KEPT if task.allowance else None


def grouping_on_cells(
    task: Task,
    coordinates: Sequence[Sql],
    scales: Sequence[Step],
    search: Search,
    clustered: bool = True,
    whole: bool = True,
    outliers: Search | None = None,
) -> Grouping:
    """Search on weighted cells, then hand the records of every cell out to its classes.

    Args:
        task: what the method is given.
        coordinates: the codes that the records of a cell share.
        scales: the steps that lay the quasi-identifiers out.
        search: from the cells to how many records of each go to each class.
        clustered: whether it starts from clusters, where those are asked for.
        whole: whether it takes only clusters that meet the models as one class.
        outliers: the search for the outliers, where the other starts from the records without them.
    """
    clusters = task.clusters if clustered else None
    zones: list[Search] = [] if clusters is None else [clusters.search(CELLS, whole)]
    if outliers is not None:
        zones = [outliers]
    valued = (*task.sensitive_codes, *task.hidden_codes)
    coordinates = tuple(dict.fromkeys((*coordinates, *task.unit_codes)))
    known = [code for code in task.following_codes if code not in coordinates]
    unasked = [alias for alias in valued if alias not in coordinates]
    steps: list[Step | Search] = [
        Step(
            "gathering equal records in cells",
            CELLS,
            "cells/cells",
            {"coded": task.coded},
            {"columns": (*coordinates, *known)},
        ),
        *scales,
        *zones,
        search,
        Step("each class's share of the cells", _RANGES, "cells/ranges", {"parts": PARTS}),
        Step(
            "handing the records out to the classes",
            ASSIGNED,
            "cells/assigned",
            {"coded": task.coded, "cells": CELLS, "ranges": _RANGES},
            {
                "columns": (*task.released, *task.unit_codes),
                "coordinates": coordinates,
                "carried": (*task.insensitive, *task.key, *unasked),
                "apart": bool(unasked),
                "seed": task.seed,
            },
        ),
    ]
    if outliers is not None:
        return Grouping(tuple(steps), suppressed=LEFT_OUT, outliers=True)
    if clusters is None:
        return Grouping(tuple(steps))
    profiles = clusters.profiles(PARTS, CELLS)
    suppressed = clusters.left_out if task.allowance else None
    if profiles is None:
        return Grouping(tuple(steps), suppressed=suppressed)
    return Grouping((*steps, profiles), suppressed=suppressed, profiles=profiles.output)
