"""Frames of a Python program, as far as a database can read them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb

from sqlanon.errors import SpecError
from sqlanon.inputs.files import own_database

_UNREAD = "is of a type that no database reads"
_FRAME = "give a frame, such as pandas.DataFrame(…), or a file"
_NAMED = "give it columns that are named by texts"


@contextmanager
def readable(frame: Any) -> Iterator[Any]:
    """The frame, without columns of types that no database has, such as a pandas interval.

    Such a column is left out as one without a role is. If it has a role, the error says what to do.

    Raises:
        SpecError: if nothing of it can be read, or two columns have one name.
    """
    kind = type(frame).__name__
    if _is_read(frame):
        yield frame
        return
    names = list(getattr(frame, "columns", ()))
    if not names or not all(isinstance(name, str) for name in names):
        raise SpecError(f"a {kind} cannot be read as a table: {_NAMED if names else _FRAME}")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SpecError(f"a {kind} cannot be read as a table: it has two columns {twice!r}")
    unread = [name for name in names if not _is_read(frame[[name]])]
    rest = [name for name in names if name not in unread]
    if not rest or not _is_read(frame[rest]):
        raise SpecError(f"a {kind} cannot be read as a table")
    try:
        yield frame[rest]
    except SpecError as error:
        asked = next((name for name in unread if f".{name}:" in f"{error}:"), None)
        if asked is None or _UNREAD in str(error):  # said already, of the same frame given twice
            raise
        raise SpecError(
            f"{error}; the frame's column {asked!r} {_UNREAD}: give it as text, by .astype(str)"
        ) from None


def _is_read(frame: Any) -> bool:
    connection = own_database().cursor()
    try:
        connection.register("frame", frame)
        connection.execute("describe select * from frame")
    except (duckdb.Error, TypeError, ValueError):
        return False
    finally:
        connection.close()
    return True
