"""Databases in which every statement commits by itself: what a run publishes is staged."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from sqlanon.engines.base import Engine
from sqlanon.plan import Rows
from sqlanon.sql.dialects import rebind_relations
from sqlanon.sql.names import Relation


class _Staging(Protocol):
    """The relations that a run publishes, under other names until they replace what is there."""

    @property
    def staged(self) -> Mapping[Relation, Relation]:
        """Where each relation stands for the moment."""

    def publish(self) -> None:
        """Replace all that is there; if that fails, put back what was there."""


class StagingEngine(Engine):
    """A database without transactions over several tables.

    Statements of a run read its staged relations by the names that these will have.
    """

    _staging: _Staging

    @abstractmethod
    def _begin(self) -> None:
        """Begin with nothing staged."""

    @abstractmethod
    def _clear(self) -> None:
        """Forget what is staged, and drop what is left of it."""

    @contextmanager
    def transaction(
        self, keep: bool = True, published: Callable[[], bool] | None = None
    ) -> Iterator[None]:
        """Put the relations of the block in place of older ones at its end, or none of them."""
        self._begin()

        def finish() -> None:
            if keep:
                self.driver.commit(self._staging.publish, published)
            self.driver.worker.finish(self._clear)

        with self.driver.worker.all_or_nothing(finish, self._clear):
            yield

    def fetch(self, select: str, limit: int, step: str = "") -> Rows:
        """The rows of a SELECT, all of them; more than the limit is an error."""
        return super().fetch(self._as_staged(select), limit, step)

    def _as_staged(self, select: str) -> str:
        """A SELECT that reads what is staged where it stands for the moment."""
        return rebind_relations(select, self.dialect, self._staging.staged)
