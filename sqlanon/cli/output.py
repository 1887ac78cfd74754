"""What a command leaves: an object on stdout, or a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from sqlanon.errors import SpecError


def echo_object(found: dict[str, Any]) -> None:
    """One JSON object on stdout; letters that its encoding may lack are escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    narrow = not encoding.lower().startswith("utf")
    click.echo(json.dumps(found, ensure_ascii=narrow))


def write_file(file: Path, text: str, ours: str | None = None) -> None:
    """Write a file, in place of none but one that begins as ours do."""
    if file.is_file():
        with file.open(encoding="utf-8", errors="replace") as older:
            if ours is None or older.readline().rstrip("\n") != ours:
                raise SpecError(f"{str(file)!r} is there already: name another file with -o")
    file.write_text(text, encoding="utf-8")
