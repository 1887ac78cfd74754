"""A connection to a warehouse, through the vendor's connector."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

from sqlanon.engines.driver import Driver, Setting
from sqlanon.errors import EngineError
from sqlanon.plan import Rows


class WarehouseDriver(Driver):
    """A session of a warehouse by its address, or the caller's own connection.

    Attributes:
        place: the database and schema of the session, outermost first.
    """

    settings: ClassVar[Mapping[str, Setting]] = {}
    place: tuple[str, ...]

    @abstractmethod
    def _connect(self) -> Any:
        """A connection by the address that this one was opened by."""

    @abstractmethod
    def ask(self, sql: str) -> Rows:
        """All that a statement yields, within the worker."""

    @abstractmethod
    def say(self, sql: str) -> None:
        """Run a statement that yields nothing, within the worker."""

    @abstractmethod
    def _cancel(self, lost: Any) -> None:
        """End what a lost connection has running, on the one that took its place."""

    def _drain(self, sql: str) -> Rows:
        return self.ask(sql)

    def make(self, sql: str, step: str = "") -> None:
        """Run a statement that yields nothing."""
        self.call(lambda: self.say(sql), step, sql)

    def reconnect(self) -> None:
        """Connect again, and end what the lost session has running."""
        if not self.owned:
            raise EngineError("there is no other connection")
        lost = self.connection
        with suppress(Exception):  # a lost connection raises errors of many kinds
            lost.close()
        self.connection = self._connect()
        self._cancel(lost)

    def _leave(self) -> None:
        if self.owned:
            with suppress(self.failures):  # it may be lost
                self.connection.close()
