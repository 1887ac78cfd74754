"""A page of sections, and its text: one HTML file that needs nothing else.

A notebook shows pieces of it: tables, bars and paragraphs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from sqlanon.common.visible import percent, visible
from sqlanon.pages.charts.chart import Chart
from sqlanon.pages.charts.svg import drawing, style


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
    return "".join(f"<p>{escape(visible(sentence))}</p>" for sentence in sentences if sentence)


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


_DIGITS = 6
_LONGEST_WORD = 32  # that stays in one piece


@dataclass(frozen=True)
class Share:
    """A part of a whole, 0 to 1, which is shown as a bar."""

    value: float


Cell = str | Share


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        caption: what it shows.
        head: the names of its columns.
        rows: its cells.
        numbers: the places of the columns that hold numbers.
        minor: the places of the columns that paper and narrow screens leave out.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: frozenset[int] = frozenset()
    minor: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Section:
    """A section.

    Attributes:
        name: by what the page links to it.
        title: its heading.
        words: its paragraphs.
        tables: its tables.
        charts: its charts, each with its numbers below.
        folded: a heading and a long text that a reader unfolds.
        closed: whether a reader unfolds all of it but its heading; paper leaves it out.
    """

    name: str
    title: str
    words: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    folded: tuple[str, str] | None = None
    closed: bool = False


@dataclass(frozen=True)
class Page:
    """A page.

    Attributes:
        title: its heading.
        notice: for whom it is.
        internal: whether it is for its publisher alone.
        facts: what the page is about: names and values.
        sections: the rest.
        first: what a reader sees before anything else; None where the facts come first.
    """

    title: str
    notice: str
    internal: bool
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    first: Section | None = None


def said_once(rows: Iterable[tuple[Cell, ...]], index: int) -> tuple[tuple[Cell, ...], ...]:
    """Rows with what a column says left out where the row above says the same.

    Args:
        rows: the rows of a table.
        index: of the column, from 0.
    """
    found, last = list[tuple[Cell, ...]](), None
    for row in rows:
        same = row[index] == last
        last = row[index]
        found.append((*row[:index], "", *row[index + 1 :]) if same else row)
    return tuple(found)


def number(value: float | None) -> str:
    """A number as a page shows it: counts whole, others to six digits."""
    if value is None:
        return "not known"
    return f"{int(value):,}" if float(value).is_integer() else f"{value:.{_DIGITS}g}"


def is_broken(text: str) -> bool:
    """Whether a cell's text has a word that may go on in the next line: a hash, or such a name."""
    return any(len(word) > _LONGEST_WORD for word in text.split())


def render(page: Page) -> str:
    """A page as HTML; all that its texts hold is text."""
    return (
        _template().render(page=page, drawing=drawing, chart_style=Markup("{}").format(style()))
        + "\n"
    )


@cache
def _template() -> Template:
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["broken"] = is_broken
    environment.tests["share"] = lambda cell: isinstance(cell, Share)
    text = files("sqlanon.pages").joinpath("page.html.j2").read_text(encoding="utf-8")
    return environment.from_string(text)


def _printable(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value
