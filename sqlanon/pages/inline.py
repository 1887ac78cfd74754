"""Pieces of HTML, as a notebook shows them: tables, bars and paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from sqlanon.visible import percent, visible


@dataclass(frozen=True)
class Bar:
    """A share as a bar, with its number next to it; None where it is not known."""

    share: float | None


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as HTML; all that its cells hold is text, and nothing where a cell is None."""
    head = "".join(f"<th>{escape(visible(name))}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows
    )
    title = f"<caption>{escape(visible(caption))}</caption>" if caption else ""
    return f"<table>{title}<tr>{head}</tr>{body}</table>"


def paragraphs(sentences: Iterable[str]) -> str:
    """Each sentence that there is as a paragraph."""
    return "".join(f"<p>{escape(visible(one))}</p>" for one in sentences if one)


def _cell(value: object) -> str:
    if not isinstance(value, Bar):
        return escape(_text(value))
    if value.share is None:
        return ""
    width = max(0, min(100, round(value.share * 100)))
    return (
        '<span style="display:inline-block;width:5em;background:#8884">'
        f'<span style="display:block;width:{width}%;height:.7em;background:#0072B2"></span></span>'
        f" {escape(percent(value.share))}"
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < 1e15
        return f"{value:,.0f}" if whole else f"{value:.6g}"
    return visible(str(value))
