"""The databases a plan can run on; an engine knows SQL dialects and nothing of privacy."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from sqlanon.engines.base import Engine
from sqlanon.engines.driver import Rows
from sqlanon.engines.duckdb import DuckDBEngine
from sqlanon.engines.duckdb_messages import unreadable
from sqlanon.engines.forms import FORMS
from sqlanon.engines.script import script, script_place
from sqlanon.errors import SpecError
from sqlanon.spec.database import product

__all__ = [
    "DIALECTS",
    "DuckDBEngine",
    "Engine",
    "Rows",
    "open_engine",
    "script",
    "script_place",
    "unreadable",
]

DIALECTS = tuple(FORMS)  # that a script can be written in

# Imported when they are asked for: each needs an extra of the same name.
_EXTRAS = {"postgres": "PostgresEngine", "spark": "SparkEngine"}
_CONNECTIONS = {"psycopg": "postgres", "pyspark": "spark"}


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
    name = _CONNECTIONS.get(package) or product(None if database is None else str(database))
    if name not in _EXTRAS:
        engine: Engine = DuckDBEngine(database, connection, settings)
    else:
        try:
            module = import_module(f"sqlanon.engines.{name}")
        except ImportError as error:
            raise SpecError(f"{name} needs sqlanon's extra {name!r} ({error})") from None
        engine = getattr(module, _EXTRAS[name])(database, connection, settings)
    engine.driver.shows_errors = show_database_errors
    return engine
