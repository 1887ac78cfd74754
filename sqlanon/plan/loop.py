"""Steps that are done again and again: as one recursive query, or turn by turn.

The steps of a search that asks nothing are known before it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.plan.step import Check, Rows, Runner, Search, Step, StepRecord
from sqlanon.sql.names import Relation, Sql


class _AskedError(Exception):
    """The data is asked what to do next."""


class Layout:
    """Writes down the steps that a search would run, and carries none out."""

    recursive = False

    def __init__(self) -> None:
        self.steps: list[Step | Check] = []
        self.notes: list[tuple[str, str]] = []

    def create(self, step: Step) -> StepRecord:
        """Write a step down."""
        self.steps.append(step)
        return StepRecord(step.output, step.how, step.title, "", 0.0)

    def carry_out(self, step: Step | Check | Search) -> None:
        """Write a step or a check down; a search writes down its own."""
        if hasattr(step, "run"):
            step.run(self)
        else:
            self.steps.append(step)

    def fetch(
        self, template: str, inputs: Mapping[str, Any], params: Mapping[str, Any], limit: int
    ) -> Rows:
        """Nothing can be asked."""
        raise _AskedError(template)

    def serial(self) -> None:
        """Nothing runs."""

    def reached(self, share: float) -> None:
        """Nothing runs."""

    def drop(self, relation: Relation) -> None:
        """A relation that is written down is dropped with everything else of the run."""

    def reclaim_space(self) -> None:
        """Nothing runs."""


def laid_out(run: Callable[[Runner], None]) -> tuple[Step | Check, ...] | None:
    """The steps that somebody runs; None if some depend on what others find.

    Args:
        run: carries them out on the runner that it is given.
    """
    layout = Layout()
    try:
        run(layout)
    except _AskedError:
        return None
    return tuple(layout.steps)


@dataclass(frozen=True)
class Loop:
    """Steps done again and again, each turn on what the one before has left.

    A turn makes some relations and splits what it was given: rows that are done, and rows that are
    left for the next turn. The loop ends with the turn that leaves none.

    Attributes:
        title: what happens, for people.
        turn: what a turn is called, for people.
        output: the relation to make: the rows that are done, of all turns.
        first: what the first turn is given.
        given: by what name the steps read what a turn is given.
        columns: of what a turn is given.
        steps: what a turn makes, in order, of what it is given and of other relations.
        done: makes the rows that are done.
        done_columns: their columns; one that is not among those of what is given is a bigint.
        left: makes the rows that are left.
        turns: how many turns there are at most; None if nobody knows.
    """

    title: str
    turn: str
    output: Relation
    first: Relation
    given: Relation
    columns: tuple[Sql, ...]
    steps: tuple[Step, ...]
    done: Step
    done_columns: tuple[Sql, ...]
    left: Step
    turns: int | None = None

    def at_turn(self, number: int, given: Relation) -> Iterator[Step]:
        """The steps of one turn, that make what it makes, what is done, and what is left.

        Args:
            number: which turn it is, from 1.
            given: what it is given.
        """
        title = f"{self.title}: {self.turn} {number}"
        done = replace(self.done, output=self.done_at(number))
        # The next turn reads what this one has left while it makes its own.
        left = replace(self.left, output=Relation(f"{self.left.output.name}_{number % 2}"))
        for step in (*self.steps, done, left):
            inputs = {
                name: given if one == self.given else one for name, one in step.inputs.items()
            }
            yield replace(step, title=title, inputs=inputs)

    def done_at(self, number: int) -> Relation:
        """The rows that were done in one turn."""
        return Relation(f"{self.done.output.name}_{number}")

    def gathered(self, turns: int) -> Step:
        """The step that puts together what was done in so many turns."""
        pieces = [self.done_at(number) for number in range(1, turns + 1)]
        return Step(
            self.title,
            self.output,
            "loop/gathered",
            {f"piece_{number}": piece for number, piece in enumerate(pieces, 1)},
            {"pieces": pieces, "columns": self.done_columns},
        )

    def recursion(self) -> Step:
        """The whole loop as one recursive query, whose turns aggregate what they are given."""
        steps = (*self.steps, self.done, self.left)
        made = {self.given, *(step.output for step in steps)}
        read = {
            given: None for step in steps for given in step.inputs.values() if given not in made
        }
        return Step(
            self.title,
            self.output,
            "loop/recursion",
            {"first": self.first, **{f"read_{at}": one for at, one in enumerate(read, 1)}},
            {
                "turns": self.output.sql,
                "given": self.given.sql,
                "made": made,
                "steps": steps,
                "left": self.left.output.sql,
                "done": self.done.output.sql,
                "columns": self.columns,
                "done_columns": self.done_columns,
                "more_columns": tuple(
                    name for name in self.done_columns if name not in self.columns
                ),
            },
        )
