"""What `sqlanon compare` shows people."""

from __future__ import annotations

from rich.markup import escape

from sqlanon.cli.tables import blank, terminal
from sqlanon.comparison import Comparison
from sqlanon.visible import visible


def show_comparison(found: Comparison) -> None:
    """What was reached, what is left of each column, and what was asked otherwise."""
    console = terminal()
    for one in found.tables:
        right = [name for place, name in enumerate(one.head) if place in one.numbers]
        table = blank(one.caption, one.head, right)
        for row in one.rows:
            table.add_row(*(escape(visible(str(cell), one_line=True)) for cell in row))
        console.print(table)
    if any(row.best for row in found.rows):
        console.print("A star marks the best value of a row.", highlight=False)
    for remark in found.remarks:
        console.print(escape(remark), highlight=False)
