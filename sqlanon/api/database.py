"""A database that is open, with all that can be done in it; and how one is opened."""

from __future__ import annotations

from typing import Any, Self

from sqlanon.api.comparing import Comparing
from sqlanon.api.connected import BOTH, Settings
from sqlanon.api.releasing import Releasing
from sqlanon.errors import SpecError
from sqlanon.session import Listener


class Database(Releasing, Comparing):
    """A database that is open: one call after the other, on one connection.

    `sqlanon.open` opens it. As a context manager it is closed at the end of its block.
    """

    def __enter__(self) -> Self:
        self._check_open()
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def open(  # noqa: A001 - the word for it
    database: Any = None,
    *,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
) -> Database:
    """Open a database, for one call after the other.

    Args:
        database: what holds the tables and the releases: a DuckDB file, which is made if there is
            none; the address of another database, such as ``postgresql://host/name``; your own
            DuckDB or psycopg connection or Spark session; or the ``engine`` of a release. In
            memory by default. Your own is left open, and between two calls it is as you left it.
        connection: your own connection, in its place, as the functions of single calls have it.
        settings: the database's settings, such as DuckDB's ``{"memory_limit": "4GB"}``.
        progress: whether to show how a call comes along, in a terminal or a notebook; or a function
            that is called with an `Event` at every sign of life.
        show_database_errors: show the database's own messages whole, for finding a fault: they may
            quote the data. Without it only those are shown that cannot.

    Returns:
        The database. Close it, or open it in a ``with``.

    Raises:
        SpecError: if it cannot be used, two are given, a setting is refused, or its client is not
            installed.
        EngineError: if it cannot be opened.

    Example:
        >>> with sqlanon.open("patients.duckdb") as db:  # doctest: +SKIP
        ...     release = db.run("release.yaml")
        ...     print(db.attack(release, external="voters.csv"))
    """
    if database is not None and connection is not None:
        raise SpecError(BOTH)
    opened = Database(
        database if connection is None else connection,
        settings=settings,
        progress=progress,
        show_database_errors=show_database_errors,
    )
    opened.open()
    return opened
