"""How a release, a measurement and a sweep show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from sqlanon.release.metrics import Metric


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as HTML; whatever its cells hold is text."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_text(value))}</td>" for value in row) + "</tr>"
        for row in rows
    )
    return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}</table>"


def metrics_table(caption: str, measures: Iterable[Metric]) -> str:
    """What was reached, beside what was asked for."""
    return table(
        caption,
        ("metric", "attribute", "reached", "asked for"),
        ((one.metric, one.attribute, one.value, one.threshold) for one in measures),
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
