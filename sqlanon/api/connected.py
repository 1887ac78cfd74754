"""A database that is open: how it is opened, used by one call after the other, and closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from sqlanon.engines import Engine, open_engine
from sqlanon.engines.alone import alone
from sqlanon.errors import Problem, SpecError
from sqlanon.record.content import held
from sqlanon.record.recorded import Recorded
from sqlanon.session import Listener
from sqlanon.session.progress import watching
from sqlanon.spec import shown
from sqlanon.sql.names import Relation
from sqlanon.uses.release.release import Release

Settings = dict[str, str | int]

BOTH = "give a database or a connection, not both"
_CLOSED = "this database was closed: open it again with sqlanon.open"
_BUSY = "another call is at work in this database: wait for its end, or open the database again"


class Connected:
    """The open database that every call of a `Database` uses.

    A database that a name means is opened once and kept open. A connection of the caller's is
    taken again for each call and given back as it was: between two calls the caller may have
    changed its settings, or made functions that a run must not meet.

    Args:
        database: a name, a connection, or an engine; None is in memory.
        settings: the database's settings.
        progress: whether to show how a call comes along, or a function that is called with
            every event.
        show_database_errors: whether the database's messages are shown whole.
    """

    def __init__(
        self,
        database: Any = None,
        *,
        settings: Settings | None = None,
        progress: Listener | bool = True,
        show_database_errors: bool = False,
    ) -> None:
        self._progress, self._settings = progress, settings
        self._shows_errors = show_database_errors
        self._name = str(database) if isinstance(database, str | Path) else None
        self._connection: Any = None
        self._engine: Engine | None = None
        self._lent = False  # whether the engine is somebody else's to close
        if isinstance(database, Engine):
            self._take(database)
        elif self._name is None:
            self._connection = database
        self._lasting: list[Engine] = []  # that releases hold, on a connection of the caller's
        self.lends = True  # else what is made closes the database
        self._opened = self._closed = False
        self._in_use = Lock()

    def _take(self, engine: Engine) -> None:
        """Work in a database that an engine has opened, and leave it open."""
        if self._settings:
            raise SpecError(
                "the connection given is open, and has its settings: leave settings out"
            )
        if engine.driver.owned:
            self._engine, self._lent = engine, True
        else:
            self._connection = engine.connection

    def open(self) -> None:
        """Open the database now, so that an error in opening it is raised at once.

        Raises:
            SpecError: if the connection cannot be used, or a setting is refused.
            EngineError: if the database cannot be opened.
        """
        self._opened = True
        with self._use():
            pass

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    def close(self) -> None:
        """Close the database; a connection of yours stays open. Closing it twice does no harm.

        Releases stay in the database; those in memory are gone with it.
        """
        self._closed = True
        for engine in self._lasting:
            engine.close()
        self._lasting.clear()
        if self._engine is not None and not self._lent:
            self._engine.close()

    def _check_open(self) -> None:
        if self._closed:
            raise SpecError(_CLOSED)

    @contextmanager
    def _use(self, declared: str | None = None, lasting: bool = False) -> Iterator[Engine]:
        """The engine that carries the statements of one call.

        Args:
            declared: the database that a spec names.
            lasting: whether what is made goes on to use it.

        Raises:
            SpecError: if the database was closed, is in use, or is not the one that a spec means.
            EngineError: if it cannot be opened.
        """
        self._check_open()
        if not self._in_use.acquire(blocking=False):
            raise SpecError(_BUSY)
        try:
            borrowed = self._connection is not None
            with self._borrowed(lasting) if borrowed else self._own(declared) as engine:
                yield engine
        finally:
            self._in_use.release()

    @contextmanager
    def _own(self, declared: str | None) -> Iterator[Engine]:
        """The one engine, opened by the first call."""
        if self._engine is None:
            name = self._name or (None if self._opened else declared)
            self._engine = open_engine(name, None, self._settings, self._shows_errors)
        if self._opened and self._name is None and declared is not None and not self._lent:
            what = f"the spec names {shown(declared)!r}, and the database that is open is in memory"
            raise SpecError(Problem("database", f"{what}: open that one"))
        engine, before = self._engine, self._engine.driver.shows_errors
        engine.driver.shows_errors = before or self._shows_errors
        try:
            with alone(engine.connection), engine.driver.settled():
                yield engine
        finally:
            engine.driver.shows_errors = before
            if not self._lent:
                engine.renew()

    @contextmanager
    def _borrowed(self, lasting: bool) -> Iterator[Engine]:
        """An engine on the caller's connection, which is given back at the end."""
        with alone(self._connection):
            yield from self._taken(lasting)

    def _taken(self, lasting: bool) -> Iterator[Engine]:
        engine = open_engine(None, self._connection, self._settings, self._shows_errors)
        try:
            yield engine
            engine.give_back()
        except BaseException:
            engine.close()
            raise
        if lasting:
            self._lasting.append(engine)
        else:
            engine.close()

    def _watching(self) -> AbstractContextManager[Listener | None]:
        return watching(self._progress)

    def _held(self, release: Release | Relation | str, engine: Engine) -> Recorded:
        """A run's record of a release, which must lie in this database and be as it was.

        Raises:
            SpecError: if there is none, it was changed since, or it lies in another database.
        """
        if not isinstance(release, Release):
            return held(release, engine)
        of = release.engine
        if of.connection is not engine.connection:
            raise SpecError(
                f"the release {release.relation} lies in another database than the one that is "
                "open: open that one, or give the release to the function of this name"
            )
        if of is not engine:
            engine.find_as(of)
        return held(release.relation, engine)

    def __repr__(self) -> str:
        about = shown(self._name) if self._name else "in memory"
        if self._connection is not None:
            client = type(self._connection).__module__.split(".")[0]
            about = f"a connection of {client.removeprefix('_')}"
        elif self._lent and self._engine is not None:
            about = self._engine.version
        return f"Database({about}{', closed' if self._closed else ''})"
