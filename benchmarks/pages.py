"""Tables and charts of figures in the documents."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

# The colors of our charts that a dark page needs other ones for.
DARK = {
    "#ffffff": "#0d1117",
    "#000000": "#c9d1d9",
    "#444444": "#b1bac4",
    "#808080": "#8b949e",
    "#b0b0b0": "#6e7681",
    "#0072b2": "#58a6ff",
    "#0b6e4f": "#3fb68b",
    "#1f77b4": "#58a6ff",
    "#6f7d8c": "#9aa7b4",
    "#8c564b": "#c08a7d",
    "#b3261e": "#ff7b72",
}
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


def follow_the_mode(file: Path) -> None:
    """Let a chart of matplotlib's follow the reader's light or dark mode; twice does no harm.

    Args:
        file: an SVG, whose colors stand in styles of its elements.
    """
    text = file.read_text(encoding="utf-8")
    rules = [
        f'[style*="{kind}: {light}"] {{ {kind}: {dark} !important }}'
        for light, dark in DARK.items()
        for kind in ("fill", "stroke")
        if f"{kind}: {light}" in text
    ]
    dark = " ".join(["svg { fill: #c9d1d9 }", *rules])
    style = f"<style>@media (prefers-color-scheme: dark) {{ {dark} }}</style>"
    if style not in text:
        file.write_text(text.replace("<defs>", f"{style}\n <defs>", 1), encoding="utf-8")
