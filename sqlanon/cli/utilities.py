"""What `sqlanon utility` shows people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from sqlanon.cli.tables import blank, terminal
from sqlanon.utilities.useful import Answer, Usefulness, Utility


def show_utility(found: Utility) -> None:
    """Every figure, of what it is and how the release was read, and what was not measured."""
    console = terminal()
    title = f"{found.release}: {found.records:,} of {found.source_records:,} records"
    table = blank(title, ("figure", "of", "found", "how it is read"), right=("found",))
    sentences = {one.figure: one.sentence for one in found.findings}
    for figure in sentences:
        for at, one in enumerate(some for some in found.findings if some.figure == figure):
            of = escape(" and ".join(one.of))
            table.add_row("" if at else figure, of, shown(one), one.read)
    console.print(table)
    for figure, sentence in sentences.items():
        console.print(f"{figure}: {escape(sentence)}", highlight=False)
    if found.answers:
        console.print(own_table(found.answers))
    for of, note in found.notes.items():
        console.print(f"Not measured, {escape(of)}: {escape(note)}.", highlight=False)


def own_table(answers: Sequence[Answer]) -> Table:
    """What the user's own queries come to, and how far the release is off."""
    columns = ("query", "what", "source", "release", "error", "how it is read")
    table = blank("your own queries", columns, right=("source", "release", "error"))
    for one in answers:
        what = "records" if one.mean is None else f"mean of {one.mean}"
        both = ["none" if some is None else f"{some:,.6g}" for some in (one.true, one.released)]
        error = "none" if one.error is None else f"{one.error:.2%}"
        table.add_row(escape(one.query), escape(what), *both, error, one.read)
    return table


def shown(one: Usefulness) -> str:
    """A figure: a share or a relative error in per cent, a distance or bits as they are."""
    if one.value is None:
        return "none"
    plain = one.figure.endswith(("hellinger", "divergence", "correlation_difference"))
    return f"{one.value:.4f}" if plain else f"{one.value:.2%}"
