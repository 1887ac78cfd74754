"""Started as a command: until it can say more, Ctrl-C and other signals end it without a word.

A command imports what it needs before it listens to signals, and that takes half a second: a signal
meanwhile would show a traceback. Nor is garbage looked for meanwhile: there is next to none, and it
took a fifth of that time. In a program that only imports the package nothing happens here.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from itertools import pairwise

INTERRUPTED = 130
# SIGHUP comes when a terminal is closed; Windows has none.
STOPPING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


def _is_command() -> bool:
    arguments = sys.orig_argv
    as_module = ("-m", "sqlanon") in pairwise(arguments)
    script = os.path.basename(sys.argv[0]) if sys.argv else ""  # noqa: PTH119 - nothing is imported
    return script in ("sqlanon", "sqlanon.exe") or (as_module and script == "-m")


def _end(number: int, frame: object) -> None:
    os._exit(INTERRUPTED)


_COMMAND = _is_command()
if _COMMAND:
    gc.disable()
    for number in STOPPING:
        if signal.getsignal(number) != signal.SIG_IGN:  # as a shell's jobs in the background
            signal.signal(number, _end)


def imported() -> None:
    """The command's module is imported, and stays; of what comes now, garbage is looked for."""
    if _COMMAND:
        gc.freeze()
        gc.enable()
