"""Keeping a client's loggers quiet: they write what a server says, and perhaps a cell with it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silenced(*names: str) -> Iterator[None]:
    """Nobody hears some loggers, and those under them, while the block lasts.

    Args:
        names: what the loggers are called, or begin with.
    """
    known = [*map(logging.getLogger, names), *map(_made, list(logging.root.manager.loggerDict))]
    quiet = {one for one in known if one is not None and _is_under(one.name, names)}
    heard = [(one, one.handlers, one.propagate) for one in quiet]
    for one in quiet:
        one.handlers, one.propagate = [logging.NullHandler()], False
    try:
        yield
    finally:
        for one, handlers, propagate in heard:
            one.handlers, one.propagate = handlers, propagate


def _made(name: str) -> logging.Logger | None:
    """A logger that somebody has made; a name between two of them has none."""
    found = logging.root.manager.loggerDict[name]
    return found if isinstance(found, logging.Logger) else None


def _is_under(name: str, names: tuple[str, ...]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in names)
