"""What may be said of DuckDB's errors: never a value of the data."""

from __future__ import annotations

import re

import duckdb

from sqlanon.sql.names import Sql

# Errors whose text names objects and files, never values of the data.
_SPEAKABLE = (
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.ConnectionException,
    duckdb.DependencyException,
    duckdb.IOException,
    duckdb.NotImplementedException,
    duckdb.ParserException,
    duckdb.PermissionException,
    duckdb.TransactionException,
)
# In place of DuckDB's own advice, to give up an order that a run counts on.
_MORE_MEMORY = "raise memory_limit (--memory-limit) or use fewer threads (--threads)"
# Words of DuckDB's about a text file, and what they mean; the rest of its message quotes a line.
_UNREADABLE = (
    ("not utf-8 encoded", "it is not encoded in UTF-8"),
    ("Expected Number of Columns", "not every line has as many columns as the first"),
    ("detect the CSV parsing dialect", "not every line has as many columns as the first"),
    ("Error when converting column", "a value is not of the type of its column"),
)


def told(error: Exception) -> str | None:
    """An error's own text, unless it may quote a value of the data."""
    if isinstance(error, duckdb.OutOfMemoryException):
        happened = " ".join(str(error).split("\n\n")[0].split())
        return f"{happened.removesuffix('.')}: {_MORE_MEMORY}"
    return str(error).split("\n\nLINE ")[0] if isinstance(error, _SPEAKABLE) else None


def kind_of(error: Exception) -> str:
    """What kind of error it is, and for a text file the line and what is wrong with it."""
    text = str(error)
    line = re.match(r"[\w ]+: CSV Error on Line: (\d+)$", text, re.MULTILINE)
    why = [said for words, said in _UNREADABLE if words in text][:1]
    return ": ".join([type(error).__name__, *([f"line {line[1]}"] if line else []), *why])


def unreadable(item: Sql, error: str | Exception) -> str:
    """What is said of a source that cannot be read; of a file, also how to see why."""
    statement = f": select * from {item}" if item.startswith("read_") else ""
    return f"it cannot be read: {error}{statement}"
