"""The steps of a search that asks nothing: they are known before it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sqlanon.plan.runner import Rows, Runner, StepRecord
from sqlanon.sql.names import Relation

if TYPE_CHECKING:
    from sqlanon.plan.step import Check, Search, Step


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
