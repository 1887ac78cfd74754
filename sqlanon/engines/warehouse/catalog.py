"""The catalog of a warehouse, and the relations in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from sqlanon.engines.base import Standing
from sqlanon.plan import Rows
from sqlanon.sql.names import Relation

Ask = Callable[[str], Rows]  # runs a query


class Catalog(ABC):
    """Relations by their full names, as the session may see them.

    Args:
        ask: runs a query of the catalog.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    @abstractmethod
    def standing_in(
        self, path: tuple[str, ...], relations: Sequence[Relation]
    ) -> dict[Relation, Standing]:
        """Those of some relations of one schema that exist."""

    def standing(self, relations: Sequence[Relation]) -> dict[Relation, Standing]:
        """Those of some relations that exist, in their order."""
        found: dict[Relation, Standing] = {}
        for path in dict.fromkeys(one.path for one in relations):
            found |= self.standing_in(path, [one for one in relations if one.path == path])
        return {one: found[one] for one in relations if one in found}

    @abstractmethod
    def tables_in(self, path: tuple[str, ...]) -> list[Relation]:
        """The relations of a schema."""

    @abstractmethod
    def text_of(self, view: Relation) -> str:
        """The SELECT, or the statement, that a view is made of; empty if it may not be seen."""

    @abstractmethod
    def has_schema(self, path: tuple[str, ...]) -> bool:
        """Whether a schema exists."""
