"""What a plan needs of a database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from sqlanon.plan import How
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Relation, Sql

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Rows:
    """A small result, drained."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> list[dict[str, Any]]:
        """Each row by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Engine(Protocol):
    """A database that plans run on.

    Attributes:
        dialect: the name of its SQL dialect.
        version: the product and its version, for the record.
        progress: is called with the fraction done (None: not known) and the seconds so far.
    """

    dialect: str
    version: str
    progress: Callable[[float | None, float], None] | None

    def scan(self, path: str, delimiter: str | None) -> Sql:
        """The FROM item that reads a file or a glob of files."""

    def register(self, frame: Any) -> AbstractContextManager[Sql]:
        """A FROM item that reads a frame of this process, for as long as the block lasts."""

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order."""

    def kind_of(self, relation: Relation) -> Literal["table", "view"] | None:
        """Whether a relation is a table or a view, or does not exist."""

    def has_place(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""

    def resolve(self, relation: Relation) -> Relation:
        """The relation's full name."""

    def create(self, relation: Relation, select: str, how: How, step: str = "") -> None:
        """Make a relation of a SELECT, in place of an older one of the same name."""

    def fetch(self, select: str, limit: int, step: str = "") -> Rows:
        """The rows of a SELECT, all of them; more than the limit is an error."""

    def frame(self, relation: Relation) -> pd.DataFrame:
        """A published relation as a pandas frame."""

    def drop(self, relation: Relation, how: How) -> None:
        """Drop a relation if it is there."""

    def transaction(self, keep: bool = True) -> AbstractContextManager[None]:
        """What happens inside is visible at once at the end, or undone: so also if not kept."""

    def close(self) -> None:
        """Give the database back."""
