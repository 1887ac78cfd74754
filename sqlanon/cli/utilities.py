"""The output of `sqlanon utility` for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from sqlanon.cli.figures import show_findings, show_notes
from sqlanon.cli.tables import blank, terminal
from sqlanon.utilities.useful import Answer, Utility


def show_utility(found: Utility) -> None:
    """Every figure, of what it is and how the release was read, and what was not measured."""
    console = terminal()
    title = f"{found.release}: {found.records:,} of {found.source_records:,} records"
    show_findings(console, title, found.findings)
    if found.answers:
        console.print(own_table(found.answers))
    show_notes(console, found.notes.items(), "Not measured, ")


def own_table(answers: Sequence[Answer]) -> Table:
    """The answers to the user's own queries, and how far the release is off."""
    columns = ("query", "what", "source", "release", "error", "how it is read")
    table = blank("your own queries", columns, right=("source", "release", "error"))
    for one in answers:
        what = "records" if one.mean is None else f"mean of {one.mean}"
        both = ["none" if some is None else f"{some:,.6g}" for some in (one.true, one.released)]
        error = "none" if one.error is None else f"{one.error:.2%}"
        table.add_row(escape(one.query), escape(what), *both, error, one.read)
    return table
