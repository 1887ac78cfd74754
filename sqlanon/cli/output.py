"""The result of a command: an object on stdout, or a file."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from sqlanon.common.files import check_folder, check_free, write
from sqlanon.common.visible import visible_json
from sqlanon.errors import InfeasibleError, SpecError, SqlanonError

NAMED_ANEW = "is there already: name another file with -o"


def echo_object(found: dict[str, Any]) -> None:
    """Print one JSON object; signs that stdout's encoding lacks or a screen obeys are escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    narrow = not encoding.lower().startswith("utf")
    click.echo(visible_json(json.dumps(found, ensure_ascii=narrow)))


def error_object(error: SqlanonError) -> dict[str, Any]:
    """An error, for programs."""
    found: dict[str, Any] = {"error": str(error), "exit_code": error.exit_code}
    if isinstance(error, SpecError):
        found["problems"] = [asdict(problem) for problem in error.problems]
    if isinstance(error, InfeasibleError):
        found["shortfalls"] = [asdict(shortfall) for shortfall in error.shortfalls]
    return found


def write_file(file: Path, text: str, ours: str) -> None:
    """Write a script for its owner alone, in place of none but one that begins as ours do.

    Raises:
        SpecError: if another is there, or its folder takes none.
        EngineError: if the disk fails.
    """

    def is_ours(older: Path) -> bool:
        with older.open(encoding="utf-8", errors="replace") as opened:
            return opened.readline().rstrip("\n") == ours

    check_folder(file)
    check_free(file, is_ours, NAMED_ANEW)
    write({file: text}, is_ours)


def as_typed(*command: str) -> str:
    """A command as it is typed in the shell of this machine."""
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)


def next_command(*command: str) -> str:
    """A command to go on with: with the database and the way of reading that this one was given."""
    given = click.get_current_context().params
    database, read = given.get("database"), given.get("read", ())
    options = [] if database is None else ["--database", database]
    return as_typed(
        "sqlanon", *command, *options, *(one for some in read for one in ("--read", some))
    )
