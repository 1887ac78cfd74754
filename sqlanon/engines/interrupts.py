"""Ctrl-C and SIGTERM: they are noted, and answered where nothing is half done.

An exception that a signal raises wherever Python happens to be may leave a library's lock taken, or
be taken by a library for one of its own. So while a statement or a transaction lasts, and from the
start of a command to its end, a signal does nothing by itself.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

STOPPING = (signal.SIGINT, signal.SIGTERM)
_noted: list[int] = []  # the signals that nobody has answered
_programs: dict[int, Any] = {}  # the program's own handlers, while signals are noted instead
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
    """A signal that comes inside does nothing before somebody calls `answer`, or the end.

    Signals whose handler is the system's own are left alone.
    """
    before = _replace(lambda found: callable(found) and found is not _note, _note)
    _programs.update({number: one for number, one in before.items() if one is not _raise})
    try:
        yield
    finally:
        for number, handler in before.items():
            _programs.pop(number, None)
            signal.signal(number, handler)
        late = [number for number in _noted if number in before]
        _noted[:] = [number for number in _noted if number not in before]
        for number in late:
            before[number](number, None)


@contextmanager
def held() -> Iterator[None]:
    """What is inside is done to its end: no signal is answered before that."""
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
        answer()
        yield
    finally:
        for number in before:
            signal.signal(number, _note)


def answer() -> None:
    """Do what the signals ask for that have come: now is a good moment.

    A handler of the program's own is called, and decides.

    Raises:
        KeyboardInterrupt: if a command is to end, or Ctrl-C was pressed; and what a handler raises.
    """
    while _noted and _is_main() and not _here.held:
        number = _noted.pop(0)
        handler = _programs.get(number)
        if handler is None:
            raise KeyboardInterrupt
        handler(number, None)


def too_late() -> None:
    """What was to be interrupted is done; only a handler of the program's own is still called."""
    plain = signal.default_int_handler
    _noted[:] = [number for number in _noted if _programs.get(number, plain) is not plain]


def listen() -> None:
    """This process is a command: signals are noted, unless whoever started it has them ignored."""
    _replace(lambda found: found != signal.SIG_IGN, _note)
    _noted.clear()
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
