"""Ctrl-C, SIGTERM and SIGHUP: noted while the database works, and answered at safe moments.

An exception that a signal raises wherever Python happens to be may leave a library's lock taken, or
be taken by a library for one of its own. So while a statement or a transaction lasts a signal does
nothing by itself. Elsewhere a command ends at once.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

# SIGHUP comes when a terminal is closed; Windows has none.
STOPPING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_noted: list[int] = []  # the signals that nobody has answered
_own_handlers: dict[int, Any] = {}  # the program's, while signals are noted instead
_command = threading.Event()  # this process is one command, which has not published anything yet


class _PerThread(threading.local):
    """The state of one thread.

    Attributes:
        held: whether signals have to wait.
    """

    held = False


_here = _PerThread()


def _is_main() -> bool:
    """Whether this is the thread that signals reach."""
    return threading.current_thread() is threading.main_thread()


def _note(number: int, frame: object) -> None:
    _noted.append(number)


def _at_once(number: int, frame: object) -> None:
    own = _own_handlers.get(number)
    if own is not None:
        own(number, frame)
        return
    _note(number, frame)  # in case a library swallows the exception
    raise KeyboardInterrupt


def _replace(matches: Callable[[Any], bool], handler: Any) -> dict[int, Any]:
    """Give the signals whose handler matches another one; those that they had."""
    before: dict[int, Any] = {one: signal.getsignal(one) for one in STOPPING if _is_main()}
    before = {number: found for number, found in before.items() if matches(found)}
    for number in before:
        signal.signal(number, handler)
    return before


def _restore(before: dict[int, Any], handler: Any) -> None:
    """Give the signals the handlers that they had, unless they have got another one meanwhile."""
    for number, older in before.items():
        if signal.getsignal(number) is handler:
            signal.signal(number, older)


@contextmanager
def noted() -> Iterator[None]:
    """A signal that comes inside does nothing before somebody calls `answer`, or the end.

    Signals whose handler is the system's own are left alone.
    """
    before = _replace(lambda found: callable(found) and found is not _note, _note)
    own = {number: found for number, found in before.items() if found is not _at_once}
    _own_handlers.update(own)
    try:
        yield
    finally:
        for number in own:
            del _own_handlers[number]
        _restore(before, _note)
        late = [number for number in _noted if number in before]
        _noted[:] = [number for number in _noted if number not in before]
        for number in late:
            before[number](number, None)


@contextmanager
def held() -> Iterator[None]:
    """Do the block to its end: no signal is answered before that."""
    with noted():
        before, _here.held = _here.held, True
        try:
            yield
        finally:
            _here.held = before


@contextmanager
def raised() -> Iterator[None]:
    """Signals act at once even within `noted`: for code that waits and never calls `answer`."""
    before = _replace(lambda found: found is _note, _at_once)
    try:
        answer()
        yield
    finally:
        _restore(before, _at_once)


def answer() -> None:
    """Do what the signals ask for that have come: now is a good moment.

    A handler of the program's own is called, and decides.

    Raises:
        KeyboardInterrupt: if a command is to end, or Ctrl-C was pressed; and what a handler raises.
    """
    while _noted and _is_main() and not _here.held:
        number = _noted.pop(0)
        own = _own_handlers.get(number)
        if own is None:
            raise KeyboardInterrupt
        own(number, None)


def too_late() -> None:
    """Drop the signals that come too late; the program's own handlers still hear of theirs."""
    if not _is_main():
        return
    late = _noted.copy()
    _noted.clear()
    for number in late:
        with suppress(KeyboardInterrupt):
            if number in _own_handlers:
                _own_handlers[number](number, None)


def swallowed() -> bool:
    """Whether a signal has come that nobody has answered: an error may stem from its exception."""
    return bool(_noted)


def listen() -> None:
    """This process is a command: signals end it, except those that it was started to ignore."""
    _noted.clear()
    _replace(lambda found: found != signal.SIG_IGN, _at_once)
    _command.set()


def published() -> None:
    """Something was published, which interrupting a command would not undo."""
    if _command.is_set():
        ignore()


def ignore() -> None:
    """From now on signals change nothing, also while Python ends: the outcome is known."""
    _replace(lambda found: True, signal.SIG_IGN)
    _noted.clear()
    _command.clear()
