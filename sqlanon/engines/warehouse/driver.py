"""A connection to a warehouse, through the vendor's connector, and the relations of its catalog."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, ClassVar

from sqlanon.engines.base import Standing
from sqlanon.engines.driver import Driver, Setting
from sqlanon.engines.worker import Result
from sqlanon.errors import EngineError
from sqlanon.plan import Rows
from sqlanon.sql.names import Relation


class WarehouseDriver(Driver):
    """A session of a warehouse by its address, or the caller's own connection.

    Attributes:
        path: the database and schema of the session, outermost first.
    """

    settings: ClassVar[Mapping[str, Setting]] = {}
    path: tuple[str, ...]

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


# Blocks of several threads overlap: the first silences a logger, and the last gives it back.
_LOCK = Lock()
_BLOCKS: Counter[logging.Logger] = Counter()
_HEARD: dict[logging.Logger, tuple[list[logging.Handler], bool]] = {}


@contextmanager
def silenced(*names: str) -> Iterator[None]:
    """Nobody hears some loggers, and those under them, while the block lasts.

    Args:
        names: what the loggers are called, or begin with.
    """
    known = [*map(logging.getLogger, names), *map(_made, list(logging.root.manager.loggerDict))]
    quiet = {logger for logger in known if logger is not None and _is_under(logger.name, names)}
    with _LOCK:
        for logger in quiet:
            if not _BLOCKS[logger]:
                _HEARD[logger] = logger.handlers, logger.propagate
                logger.handlers, logger.propagate = [logging.NullHandler()], False
            _BLOCKS[logger] += 1
    try:
        yield
    finally:
        with _LOCK:
            for logger in quiet:
                _BLOCKS[logger] -= 1
                if not _BLOCKS[logger]:
                    logger.handlers, logger.propagate = _HEARD.pop(logger)


def _made(name: str) -> logging.Logger | None:
    """A logger that somebody has made; a name between two of them has none."""
    found = logging.root.manager.loggerDict[name]
    return found if isinstance(found, logging.Logger) else None


def _is_under(name: str, names: tuple[str, ...]) -> bool:
    return any(name == whole or name.startswith(f"{whole}.") for whole in names)


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
        for path in dict.fromkeys(relation.path for relation in relations):
            found |= self.standing_in(
                path, [relation for relation in relations if relation.path == path]
            )
        return {relation: found[relation] for relation in relations if relation in found}

    @abstractmethod
    def tables_in(self, path: tuple[str, ...]) -> list[Relation]:
        """The relations of a schema."""

    @abstractmethod
    def text_of(self, view: Relation) -> str:
        """The SELECT, or the statement, that a view is made of; empty if it may not be seen."""

    @abstractmethod
    def has_schema(self, path: tuple[str, ...]) -> bool:
        """Whether a schema exists."""
