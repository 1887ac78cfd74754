"""The output of `sqlanon compare` for people."""

from __future__ import annotations

from rich.markup import escape

from sqlanon.cli.tables import show_table, terminal
from sqlanon.comparison import Comparison


def show_comparison(found: Comparison) -> None:
    """Show what was reached, what is left of each column, and what was asked otherwise."""
    console = terminal()
    for one in found.tables:
        show_table(console, one)
    if any(row.best for row in (*found.rows, *found.attacked, *found.useful)):
        console.print("A star marks the best value of a row.", highlight=False)
    for remark in found.remarks:
        console.print(escape(remark), highlight=False)
