"""Tables of figures in the documents."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def write_table(page: str, head: str, columns: Iterable[str], rows: Iterable[str]) -> None:
    """Put a table in the place of the one of a page whose first line begins so.

    Args:
        page: the page's name.
        head: how the table's first line begins, up to the first column that differs.
        columns: the names of the further columns.
        rows: its lines.
    """
    file, names = DOCS / page, list(columns)
    lines = file.read_text(encoding="utf-8").splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(head))
    end = next(at for at in range(start, len(lines)) if not lines[at])
    first = " ".join([head, *(f"{name} |" for name in names)])
    lines[start:end] = [first, "|---" * (first.count("|") - 1) + "|", *rows]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
