"""Publishing in a warehouse, where every statement that makes a table commits by itself."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from contextlib import suppress

from sqlanon.engines.base import Standing
from sqlanon.engines.warehouse.catalog import Catalog
from sqlanon.engines.warehouse.driver import WarehouseDriver
from sqlanon.errors import ConflictError, EngineError
from sqlanon.plan.step import work
from sqlanon.sql.names import Relation, quoted


class Staging(ABC):
    """The relations that a run publishes: work tables until they replace what is there.

    No other session looks at a work table. At the end each replaces the older table by one
    statement, the release last. Until then a copy of the older one stands next to it.

    Args:
        driver: the connection.
        catalog: of it, asked within the worker.
        work_path: where work tables stand.

    Attributes:
        places: where each relation stands for the moment.
        comments: what is said of each.
        held: the comment on what a relation replaces.
        retired: what is dropped when all else is done.
        withheld: what nobody but its owner may read.
    """

    dialect: str

    def __init__(
        self, driver: WarehouseDriver, catalog: Catalog, work_path: tuple[str, ...] = ()
    ) -> None:
        self.places: dict[Relation, Relation] = {}
        self.comments: dict[Relation, str] = {}
        self.held: dict[Relation, str | None] = {}
        self.retired: list[Relation] = []
        self.withheld: Collection[Relation] = ()
        self._driver, self._catalog, self._work_path = driver, catalog, work_path
        self._run = secrets.token_hex(4)

    @abstractmethod
    def _copying(self, final: Relation, left: Relation) -> str:
        """The statement that copies a table with all that is said of it."""

    @abstractmethod
    def _replacing(self, final: Relation, staged: Relation, comment: str | None) -> str:
        """The statement that makes a table of another one; it keeps those who may read it."""

    def table(self, relation: Relation) -> Relation:
        """The work table that a relation is until it is published."""
        self.places[relation] = Relation(work("new_", relation.name).name, self._work_path)
        return self.places[relation]

    def publish(self) -> None:
        """Replace all that is there; if that fails, put back what was there.

        Raises:
            ConflictError: if somebody else has replaced a relation meanwhile.
            EngineError: if it fails, and what was there cannot be put back.
        """
        finals = list(reversed(self.places))  # the release is the last
        older = self._catalog.standing(finals)
        comments = {one: there.comment for one, there in older.items()}
        changed = [one for one in finals if comments.get(one) != self.held.get(one)]
        if changed:
            raise ConflictError(f"{changed[0]} was replaced by somebody else", "publishing")
        aside = {one: Relation(f"{one.name}__old_{self._run}", one.path) for one in older}
        undo: list[str] = [self._dropping(left) for left in aside.values()]
        try:
            for final, left in aside.items():
                self._say(self._copying(final, left))
            for final in finals:
                undo.append(self._back(final, older.get(final), aside.get(final)))
                self._say(self._replacing(final, self.places[final], self.comments.get(final)))
        except BaseException:
            self._undo(list(reversed(undo)), aside)
            raise
        for left in (*aside.values(), *self.retired):
            with suppress(EngineError):  # the release is published
                self._say(self._dropping(left))

    def _say(self, statement: str) -> None:
        """Run a statement in the worker, which runs this."""
        try:
            self._driver.say(statement)
        except self._driver.failures as error:
            message = self._driver.message(error, statement)
            raise EngineError(message, "publishing", statement) from None

    def _dropping(self, relation: Relation) -> str:
        return f"drop table if exists {quoted(relation, self.dialect)}"

    def _back(self, final: Relation, there: Standing | None, left: Relation | None) -> str:
        """The statement that puts back what stood under a name, or nothing."""
        if there is None or left is None:
            return self._dropping(final)
        return self._replacing(final, left, there.comment)

    def _undo(self, statements: Sequence[str], aside: dict[Relation, Relation]) -> None:
        """Put back what was there; where the connection is lost, on another one."""
        for lost in (False, True):
            try:
                if lost:
                    self._driver.reconnect()
                for statement in statements:
                    self._say(statement)
            except (EngineError, self._driver.failures):
                continue
            return
        where = ", ".join(f"{final} as {left}" for final, left in aside.items())
        kept = f"; the older release is kept: {where}" if where else ""
        raise EngineError(
            f"publishing failed, and what was there could not be put back{kept}", "publishing"
        )
