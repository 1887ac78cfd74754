"""The work relations of a search: made as it goes, and gone when it is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlanon.errors import EngineError
from sqlanon.plan import Loop, Materialization, Runner, Step, StepRecord, work
from sqlanon.sql.names import Relation

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
        for made in [one for one in self._there.values() if one.relation in relations]:
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
