"""Commands as a user gives them, without a process of their own for each."""

from __future__ import annotations

import contextlib
import io
import signal
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

from sqlanon.common.interrupts import STOPPING

MAIN = import_module("sqlanon.cli.main")


@dataclass(frozen=True)
class Done:
    """What a command came to; with ``one_stream`` all that it says is in ``stdout``."""

    returncode: int
    stdout: str
    stderr: str


def sqlanon(folder: Path, *arguments: str, columns: int = 160, one_stream: bool = False) -> Done:
    """Run a command in a folder, on a terminal so wide, from its arguments to its exit code."""
    handlers = {stopping: signal.getsignal(stopping) for stopping in STOPPING}
    said = io.StringIO()
    complained = said if one_stream else io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["sqlanon", *arguments])
        patch.setenv("COLUMNS", str(columns))
        try:
            with (
                contextlib.chdir(folder),
                contextlib.redirect_stdout(said),
                contextlib.redirect_stderr(complained),
                pytest.raises(SystemExit) as end,
            ):
                MAIN.main()
        finally:
            for stopping, handler in handlers.items():
                signal.signal(stopping, handler)
    assert isinstance(end.value.code, int)
    return Done(end.value.code, said.getvalue(), "" if one_stream else complained.getvalue())
