"""The unit of a release: what a class counts, which is a record if no clause says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlanon.plan import Check, Step
from sqlanon.spec import Column
from sqlanon.sql.names import Relation, Sql


def one_of(several: str) -> str:
    """The word for one of what a class counts, by the word for several, such as records."""
    return several.removesuffix("s")


@dataclass(frozen=True)
class Unit:
    """The unit that a class counts: a record, or somebody whom several records are about.

    Attributes:
        noun: the word for one of them.
        numbered: a row for each; of others than records with a number, and the columns that name
            it.
        size: one row: how many there are.
        once: the records in which what a unit has counts once: all, or one of each.
        columns: the columns of the records that name a unit; none where it is a record.
        number: the column of the numbers; None where it is a record.
        bounded: the columns of the records that name whose share of a release is bounded, where
            that publishes no record.
        steps: what finds the units, or holds the records to naming them.
    """

    noun: str
    numbered: Relation
    size: Relation
    once: Relation
    columns: tuple[Sql, ...] = ()
    number: Sql | None = None
    bounded: tuple[Sql, ...] = ()
    steps: tuple[Step | Check, ...] = field(default=(), repr=False)

    @property
    def several(self) -> str:
        """The word for several of them."""
        return f"{self.noun}s"

    @property
    def numbers(self) -> tuple[Sql, ...]:
        """The column of the numbers, as one of those that go on with a record."""
        return () if self.number is None else (self.number,)

    def values(self, column: Column, alias: str) -> Step | None:
        """The step that pairs the units with their values of a column; None for the records' own.

        Args:
            column: the column.
            alias: its name in work relations.
        """
        return None

    def taken(self, columns: Sequence[Sql]) -> Step | None:
        """The step that makes `once`, with these columns; None where those are all records."""
        return None
