"""Tables in a terminal, as wide as it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

_STYLE: dict[str, Any] = {"box": box.SIMPLE_HEAD, "title_justify": "left", "title_style": "bold"}
_WIDEST = 40  # characters of a sample's cell in one line
_ENDLESS = 10_000


def terminal() -> Console:
    """The console that is printed on; in a log or a pipe no name is folded."""
    console = Console()
    return console if console.is_terminal else Console(width=160)


def blank(title: str, columns: Iterable[str], right: Collection[str] = ()) -> Table:
    """An empty table; in a narrow terminal its cells go on in the next line, and none is cut."""
    table = Table(title=escape(title), **_STYLE)
    for name in columns:
        justify: Literal["left", "right"] = "right" if name in right else "left"
        table.add_column(escape(name), justify=justify, overflow="fold")
    return table


def width(table: Table, console: Console) -> int:
    """How many characters a table takes in which no cell goes on in the next line."""
    options = console.options.update(width=_ENDLESS)
    return Measurement.get(console, options, table).maximum


def show_sample(
    console: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Some rows of a table: as many of its columns, from the first, as fit the terminal.

    What is left out is counted. One column is shown however narrow it is.
    """
    cells = [["" if value is None else escape(str(value)) for value in row] for row in rows]
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
