"""Tables in a terminal, as wide as it is."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

from sqlanon.console import VisibleConsole
from sqlanon.pages.page import Table as Shown
from sqlanon.visible import cell, visible

_WIDEST = 40  # characters of a sample's cell in one line
_ENDLESS = 10_000
_PIPED = 160  # no name of a column or a relation is folded then
_LITTLE = 8  # what a column is given first if it then needs no second line


def terminal() -> Console:
    """The console that is printed on: in a log or a pipe as wide as COLUMNS says, or wide."""
    console = VisibleConsole()
    given = os.environ.get("COLUMNS", "")
    if console.is_terminal or (given.isdecimal() and int(given) > 0):
        return console
    return VisibleConsole(width=_PIPED)


class _Table(Table):
    """A table that breaks no word where its lines can be broken at blanks.

    Its heading is as wide as the terminal, however narrow the table is.
    """

    def __init__(self, heading: str) -> None:
        super().__init__(box=box.SIMPLE_HEAD)
        self._heading = heading

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The heading, and the table fitted to the terminal."""
        yield Text(self._heading, style="bold")
        self._fit(console, options.max_width)
        yield from super().__rich_console__(console, options)

    def _fit(self, console: Console, room: int) -> None:
        """Where it is too wide, give every column its longest word, and share out what is left."""
        needs = [_need(console, column) for column in self.columns]
        free = room - narrowest(self, console)
        if width(self, console) <= room or free < 0:
            return
        order = sorted(range(len(needs)), key=lambda place: needs[place][1] - needs[place][0])
        for behind, place in enumerate(order):
            least, most = needs[place]
            share = max(free // (len(order) - behind), min(_LITTLE, free))
            given = min(most - least, share)
            self.columns[place].width = least + given
            free -= given


def _need(console: Console, column: Column) -> tuple[int, int]:
    """How many characters the longest word of a column has, and its longest line."""
    found = [
        Measurement.get(
            console, console.options.update(width=_ENDLESS), console.render_str(str(text))
        )
        for text in (column.header, *column.cells)
    ]
    most = max(one.maximum for one in found)
    if column.max_width is not None:
        most = min(most, column.max_width)
    return (most if column.no_wrap else min(most, max(one.minimum for one in found))), most


def blank(title: str, columns: Iterable[str], right: Collection[str] = ()) -> Table:
    """An empty table; in a narrow terminal its cells go on in the next line, and none is cut."""
    table = _Table(title)
    for name in columns:
        justify: Literal["left", "right"] = "right" if name in right else "left"
        table.add_column(escape(visible(name, one_line=True)), justify=justify, overflow="fold")
    return table


def show_table(console: Console, shown: Shown) -> None:
    """A table that a page would show as well, as text."""
    right = [name for place, name in enumerate(shown.head) if place in shown.numbers]
    table = blank(shown.caption, shown.head, right)
    for row in shown.rows:
        table.add_row(*(escape(visible(str(value), one_line=True)) for value in row))
    console.print(table)


def width(table: Table, console: Console) -> int:
    """How many characters a table takes in which no cell goes on in the next line."""
    options = console.options.update(width=_ENDLESS)
    return Measurement.get(console, options, table).maximum


def narrowest(table: Table, console: Console) -> int:
    """How many characters a table takes in which every word has a line of its own."""
    needs = [_need(console, column) for column in table.columns]
    return width(table, console) - sum(most - least for least, most in needs)


def show_sample(
    console: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Some rows of a table: as many of its columns, from the first, as fit the terminal.

    A line counts the columns that are left out. One column is shown however narrow it is.
    """
    cells = [[escape(cell(value)) for value in row] for row in rows]
    shown, taken = _sample(title, columns[:1], cells), 1
    while taken < len(columns):
        wider = _sample(title, columns[: taken + 1], cells)
        if width(wider, console) > console.width:
            break
        shown, taken = wider, taken + 1
    console.print(shown)
    left = len(columns) - taken
    if left:
        more = "1 more column is" if left == 1 else f"{left} more columns are"
        console.print(f"{more} not shown, of {len(columns)}.\n", highlight=False)


def _sample(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = blank(title, columns)
    for column in table.columns:
        column.max_width = _WIDEST
    for row in rows:
        table.add_row(*row[: len(columns)])
    return table
