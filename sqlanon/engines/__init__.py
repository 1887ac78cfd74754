"""The databases a plan can run on; an engine knows SQL dialects and nothing of privacy."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from sqlanon.engines.base import Engine
from sqlanon.engines.duckdb.engine import DuckDBEngine
from sqlanon.engines.duckdb.messages import unreadable
from sqlanon.errors import SpecError
from sqlanon.spec.database import product
from sqlanon.sql.products import PRODUCTS

__all__ = [
    "DuckDBEngine",
    "Engine",
    "open_engine",
    "unreadable",
]


def open_engine(
    database: str | Path | None = None,
    connection: Any = None,
    settings: dict[str, str | int] | None = None,
    show_database_errors: bool = False,
) -> Engine:
    """The engine that a database's name, or a connection, asks for.

    Args:
        database: a ``postgresql://`` URL, a Spark master or Spark Connect URL, or the file of a
            DuckDB database; in memory where None.
        connection: the caller's own connection or session, left open, in place of a database.
        settings: the engine's own settings, by name.
        show_database_errors: whether the database's messages are shown whole; they may quote the
            data.

    Raises:
        SpecError: if the engine is not installed, or a setting is refused.
        EngineError: if the database cannot be opened.
    """
    package = type(connection).__module__.split(".")[0]
    connected = (one.name for one in PRODUCTS.values() if one.client == package)
    row = PRODUCTS[next(connected, None) or product(None if database is None else str(database))]
    try:  # imported when it is asked for
        module = import_module(f"sqlanon.engines.{row.name}.engine")
    except ImportError as error:
        raise SpecError(f"{row.name} needs sqlanon's extra {row.extra!r} ({error})") from None
    engine: Engine = getattr(module, row.engine)(database, connection, settings)
    engine.driver.shows_errors = show_database_errors
    return engine
