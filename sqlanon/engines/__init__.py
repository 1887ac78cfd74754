"""The databases a plan can run on; an engine knows SQL dialects and nothing of privacy."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb as duckdb_client  # the package here has its name

from sqlanon.engines.base import Engine
from sqlanon.engines.duckdb.engine import DuckDBEngine
from sqlanon.engines.duckdb.messages import unreadable
from sqlanon.errors import SpecError
from sqlanon.sql.products import PRODUCTS, product

__all__ = ["DuckDBEngine", "Engine", "open_engine", "unreadable"]


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
        SpecError: if the engine is not installed, the connection is of none, or a setting is
            refused.
        EngineError: if the database cannot be opened.
    """
    name = product(None if database is None else str(database))
    row = PRODUCTS[name if connection is None else _product_of(connection)]
    try:  # imported when it is asked for
        module = import_module(f"sqlanon.engines.{row.name}.engine")
    except ImportError as error:
        raise SpecError(f"{row.name} needs sqlanon's extra {row.extra!r} ({error})") from None
    engine: Engine = getattr(module, row.engine)(database, connection, settings)
    engine.driver.shows_errors = show_database_errors
    return engine


def _product_of(connection: Any) -> str:
    """The product that a caller's own connection is of.

    Raises:
        SpecError: if it is of none.
    """
    # Clients wrap a connection, as dbt does for its Python models: such a wrapper has its methods.
    if connection is duckdb_client or hasattr(connection, "query_progress"):
        return "duckdb"
    package = type(connection).__module__.split(".")[0]
    for known_product in PRODUCTS.values():
        if (
            known_product.engine
            and known_product.client == package
            and known_product.name != "duckdb"
        ):
            return known_product.name
    kind = f"{type(connection).__module__}.{type(connection).__qualname__}"
    raise SpecError(
        f"a {kind} is no database that a run can work in: give the name of a DuckDB "
        "file, an address such as postgresql://host/name, a DuckDB or psycopg connection, a Spark "
        "session, or the client of a warehouse"
    )
