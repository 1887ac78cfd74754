"""dbt in a process that has loaded it: to load it takes as long as most of what it is asked.

A server loads it once; each call is a fork of the server, and shares nothing with the others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path

_LOADED = ["dbt.cli.main", "dbt.adapters.duckdb", "dbt.adapters.postgres"]


def dbt(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], seconds: float
) -> tuple[int, str]:
    """The exit code of dbt in a folder, and what it said.

    Raises:
        TimeoutError: if it takes longer than so many seconds.
    """
    server, said = get_context("forkserver"), folder / "said.log"
    server.set_forkserver_preload(_LOADED)
    called = server.Process(target=_call, args=(arguments, folder, dict(environment), said))
    called.start()
    called.join(seconds)
    if called.exitcode is None:
        called.kill()
        raise TimeoutError(said.read_text())
    return called.exitcode, said.read_text()


def _call(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], said: Path
) -> None:
    os.chdir(folder)
    os.environ.update(environment)
    with said.open("w") as log:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(log.fileno(), stream.fileno())
    from dbt.cli.main import cli

    sys.argv = ["dbt", *arguments]
    cli()
