"""A table as a piece of HTML, as a notebook shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from sqlanon.visible import visible


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as HTML; whatever its cells hold is text."""
    head = "".join(f"<th>{escape(visible(name))}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_text(value))}</td>" for value in row) + "</tr>"
        for row in rows
    )
    return f"<table><caption>{escape(visible(caption))}</caption><tr>{head}</tr>{body}</table>"


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else visible(str(value))
