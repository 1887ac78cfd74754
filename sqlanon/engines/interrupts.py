"""Ctrl-C and SIGTERM: they are noted, and whoever waits for a statement asks whether one came.

An exception that a signal raises wherever Python happens to be may leave a library's lock taken, or
be taken by a library for one of its own. So while a statement or a transaction lasts, and from the
start of a command to its end, a signal raises nothing by itself.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

STOPPING = (signal.SIGINT, signal.SIGTERM)
_noted: list[int] = []  # the signals that nobody has answered
_command = threading.Event()  # this process is one command, which has not published anything yet


class _Here(threading.local):
    """What is so in one thread.

    Attributes:
        held: whether signals have to wait.
    """

    held = False


_here = _Here()


def _is_main() -> bool:
    """Whether this is the thread that signals reach."""
    return threading.current_thread() is threading.main_thread()


def _note(number: int, frame: object) -> None:
    _noted.append(number)


def _raise(number: int, frame: object) -> None:
    _note(number, frame)  # in case that the exception is swallowed
    raise KeyboardInterrupt


def _replace(concerned: Callable[[Any], bool], handler: Any) -> dict[int, Any]:
    """Give the signals whose handler is concerned another one; those that they had."""
    before: dict[int, Any] = {one: signal.getsignal(one) for one in STOPPING if _is_main()}
    before = {number: found for number, found in before.items() if concerned(found)}
    for number in before:
        signal.signal(number, handler)
    return before


@contextmanager
def noted() -> Iterator[None]:
    """A signal that comes inside raises nothing, and `asked` tells of it.

    One that is not answered goes to its handler at the end. Signals whose handler is the system's
    own are left alone.
    """
    before = _replace(lambda found: callable(found) and found is not _note, _note)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in sorted(before.keys() & set(_noted)):
            answered()
            before[number](number, None)


@contextmanager
def held() -> Iterator[None]:
    """What is inside is done to its end: `asked` tells of no signal before that."""
    with noted():
        before, _here.held = _here.held, True
        try:
            yield
        finally:
            _here.held = before


@contextmanager
def raised() -> Iterator[None]:
    """A signal that would be noted raises KeyboardInterrupt: what waits inside asks nobody."""
    before = _replace(lambda found: found is _note, _raise)
    try:
        if asked():
            raise KeyboardInterrupt
        yield
    finally:
        for number in before:
            signal.signal(number, _note)


def asked() -> bool:
    """Whether somebody has asked for an end, and it may come now."""
    return bool(_noted) and _is_main() and not _here.held


def answered() -> None:
    """What was asked for so far is done, or came too late."""
    _noted.clear()


def listen() -> None:
    """This process is a command: signals are noted, unless whoever started it has them ignored."""
    _replace(lambda found: found != signal.SIG_IGN, _note)
    answered()
    _command.set()


def published() -> None:
    """Something was published, which interrupting a command would not undo."""
    if _command.is_set():
        ignore()


def ignore() -> None:
    """From now on signals change nothing, also while Python ends: the outcome is known."""
    _replace(lambda found: True, signal.SIG_IGN)
    answered()
    _command.clear()
