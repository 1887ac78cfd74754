"""Keeping a client's loggers quiet: they write what a server says, and perhaps a cell with it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

# Blocks of several threads overlap: the first silences a logger, and the last gives it back.
_LOCK = Lock()
_BLOCKS: Counter[logging.Logger] = Counter()
_HEARD: dict[logging.Logger, tuple[list[logging.Handler], bool]] = {}


@contextmanager
def silenced(*names: str) -> Iterator[None]:
    """Nobody hears some loggers, and those under them, while the block lasts.

    Args:
        names: what the loggers are called, or begin with.
    """
    known = [*map(logging.getLogger, names), *map(_made, list(logging.root.manager.loggerDict))]
    quiet = {one for one in known if one is not None and _is_under(one.name, names)}
    with _LOCK:
        for one in quiet:
            if not _BLOCKS[one]:
                _HEARD[one] = one.handlers, one.propagate
                one.handlers, one.propagate = [logging.NullHandler()], False
            _BLOCKS[one] += 1
    try:
        yield
    finally:
        with _LOCK:
            for one in quiet:
                _BLOCKS[one] -= 1
                if not _BLOCKS[one]:
                    one.handlers, one.propagate = _HEARD.pop(one)


def _made(name: str) -> logging.Logger | None:
    """A logger that somebody has made; a name between two of them has none."""
    found = logging.root.manager.loggerDict[name]
    return found if isinstance(found, logging.Logger) else None


def _is_under(name: str, names: tuple[str, ...]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in names)
