"""A connection is one thread's at a time: two would read each other's results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident
from typing import Any

from sqlanon.errors import SpecError

_BUSY = (
    "another thread is at work on this connection: wait for its end, or give each thread a "
    "connection of its own, as by connection.cursor() of DuckDB"
)
_at_work: dict[int, int] = {}  # the thread that works on a connection
_looking = Lock()


@contextmanager
def alone(connection: Any) -> Iterator[None]:
    """Work on a connection while no other thread does; the same thread may nest it.

    Raises:
        SpecError: if another thread works on it.
    """
    key, here = id(connection), get_ident()
    with _looking:
        is_first = key not in _at_work
        if _at_work.setdefault(key, here) != here:
            raise SpecError(_BUSY)
    try:
        yield
    finally:
        if is_first:
            del _at_work[key]
