"""What a command leaves: an object on stdout, or a file."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from sqlanon.certificates.export import check_folder
from sqlanon.errors import SpecError


def echo_object(found: dict[str, Any]) -> None:
    """One JSON object on stdout; letters that its encoding may lack are escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    narrow = not encoding.lower().startswith("utf")
    click.echo(json.dumps(found, ensure_ascii=narrow))


def check_free(file: Path, mend: str = "name another file with -o") -> None:
    """Refuse a file that is there.

    Args:
        file: the file.
        mend: what to do about it.

    Raises:
        SpecError: if it is there.
    """
    if file.exists():
        raise SpecError(f"{str(file)!r} is there already: {mend}")


def write_private(file: Path, text: str) -> None:
    """Write a new file that only its owner may read, and the folder it lies in."""
    file.parent.mkdir(exist_ok=True)
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "w", encoding="utf-8") as new:
        new.write(text)


def write_file(file: Path, text: str, ours: str | None = None) -> None:
    """Write a file, in place of none but one that begins as ours do.

    Raises:
        SpecError: if another is there, or its folder takes none.
    """
    check_folder(file)
    if file.is_file():
        with file.open(encoding="utf-8", errors="replace") as older:
            if ours is None or older.readline().rstrip("\n") != ours:
                raise SpecError(f"{str(file)!r} is there already: name another file with -o")
    file.write_text(text, encoding="utf-8")


def as_typed(*command: str) -> str:
    """A command as it is typed in the shell of this machine."""
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)
