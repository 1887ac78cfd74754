"""Files as a source, as DuckDB reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlanon.engines import DuckDBEngine
from sqlanon.source.source import inspect_source
from sqlanon.spec import parse_source


def read(file: Path, **settings_of: Any) -> tuple[dict[str, str], list[tuple[Any, ...]]]:
    """The types of a file's columns, by name, and its records."""
    engine = DuckDBEngine()
    try:
        item, columns = inspect_source(parse_source({"file": str(file), **settings_of}), engine)
        rows = engine.connection.execute(f"select * from {item}").fetchall()
        return {column.name: column.type for column in columns}, rows
    finally:
        engine.close()
