"""Ctrl-C and SIGTERM: where they wait, what they stop, and from when on they come too late."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

STOPPING = (signal.SIGINT, signal.SIGTERM)
_stopping, _published = threading.Event(), threading.Event()


@contextmanager
def held() -> Iterator[list[int]]:
    """Signals that come inside do nothing; the list says which came.

    A signal whose handler is the system's own is left alone, and so are all in another thread than
    the main one, which they do not reach.
    """
    came: list[int] = []
    before: dict[int, Any] = {}

    def note(number: int, frame: object) -> None:
        came.append(number)

    try:
        if threading.current_thread() is threading.main_thread():
            for stopping in STOPPING:
                handler = signal.getsignal(stopping)
                if callable(handler):
                    before[stopping] = handler
                    signal.signal(stopping, note)
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def reset() -> None:
    """Nobody has asked to stop yet."""
    _stopping.clear()


def stop() -> None:
    """What has begun is to end: at once, or at the latest before anything is committed.

    A library may take the exception that a signal raises for one of its own, and go on.

    Raises:
        KeyboardInterrupt: always.
    """
    _stopping.set()
    raise KeyboardInterrupt


def stops() -> bool:
    """Whether somebody has asked to stop."""
    return _stopping.is_set()


def too_late() -> bool:
    """Whether something was published in this process, so that interrupting it undoes nothing."""
    return _published.is_set()


def published() -> None:
    """Something was published."""
    _published.set()
