"""The catalog of a warehouse, and the relations in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from sqlanon.engines.base import Standing
from sqlanon.engines.warehouse.driver import WarehouseDriver
from sqlanon.engines.worker import Result
from sqlanon.plan import Rows
from sqlanon.sql.names import Relation


class Catalog(ABC):
    """Relations by their full names, as the session may see them.

    Args:
        driver: the connection.
        within: whether it is used within the worker.
    """

    def __init__(self, driver: WarehouseDriver, within: bool = False) -> None:
        self._driver, self._within = driver, within

    def _use(self, use: Callable[[], Result], query: str = "") -> Result:
        """The answer of the client."""
        return use() if self._within else self._driver.call(use, "reading the catalog", query)

    def _ask(self, query: str) -> Rows:
        """The answer of the catalog to a query."""
        return self._use(lambda: self._driver.ask(query), query)

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
