"""The record that a step leaves behind, and the runner of a plan as a search may use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from sqlanon.sql.names import Relation

if TYPE_CHECKING:
    from sqlanon.plan.step import Check, Materialization, Search, Step


@dataclass(frozen=True)
class Rows:
    """A small result, drained; or how many rows a statement made that yields none."""

    columns: tuple[str, ...] = ()
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    made: int | None = None

    def dicts(self) -> list[dict[str, Any]]:
        """Each row by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class StepRecord:
    """The record of a finished step: what it made, and how long it took.

    Attributes:
        relation: what it made.
        how: what that is.
        title: what happened, for people.
        sql: its SELECT.
        seconds: how long it took.
        rows: how many rows there are; None if not known.
        users: whether it reads a query of the user's.
    """

    relation: Relation
    how: Materialization
    title: str
    sql: str
    seconds: float
    rows: int | None = None
    users: bool = False


class Runner(Protocol):
    """The runner that carries a plan out, as a search sees it.

    Attributes:
        notes: what a search found out, as (item, value), for the record.
    """

    notes: list[tuple[str, str]]

    @property
    def recursive(self) -> bool:
        """Whether a recursive query may aggregate what it is given."""

    def serial(self) -> None:
        """Run the rest of a search on one thread, where the threads are ours."""

    def carry_out(self, step: Step | Check | Search) -> None:
        """Make a step's relation, ask what a check asks, or search; a search may be in another."""

    def create(self, step: Step) -> StepRecord:
        """Make a step's relation now."""

    def fetch(
        self, template: str, inputs: Mapping[str, Any], params: Mapping[str, Any], limit: int
    ) -> Rows:
        """The rows of a small result: counts, never records."""

    def reached(self, share: float) -> None:
        """A search has done so much of its work, 0 to 1."""

    def drop(self, relation: Relation) -> None:
        """Drop a work relation that nothing will read again."""

    def reclaim_space(self) -> None:
        """Give back the room of what was dropped."""
