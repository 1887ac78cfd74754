"""What Ctrl-C and SIGTERM do to a command."""

from __future__ import annotations

import signal

from sqlanon.engines.interrupts import STOPPING, reset, stop, too_late


def _stop(number: int, frame: object) -> None:
    """What was begun is undone; what is published stays, and the command goes on to say so."""
    if not too_late():
        stop()


def listen() -> None:
    """From now on a signal interrupts, unless whoever started the command has it ignored."""
    reset()
    for number in STOPPING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _stop)


def finish() -> None:
    """From now on a signal changes nothing, also while Python ends: the outcome is known."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    reset()
