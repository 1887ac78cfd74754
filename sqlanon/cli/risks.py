"""What `sqlanon risk` shows people."""

from __future__ import annotations

from rich.markup import escape

from sqlanon.cli.tables import blank, terminal
from sqlanon.profile import Risk, Risks

_SPECIAL = 10  # combinations that are shown


def show_risks(found: Risks) -> None:
    """The figures in words, what singles records out, and with how few columns."""
    console = terminal()
    records = found.value("records") or 1
    table = blank(f"{found.table}, risk", ("figure", "found", "what it means"), right=("found",))
    for one in found.figures:
        table.add_row(one.figure, _shown(one), escape(one.sentence))
    console.print(table)
    title = "What singles most records out"
    table = blank(
        title, ("columns", "different", "alone", "share"), right=("different", "alone", "share")
    )
    for some in found.combinations:
        share = f"{some.single / records:.1%}"
        names = escape(", ".join(some.columns))
        table.add_row(names, f"{some.tuples:,}", f"{some.single:,}", share)
    console.print(table)
    if found.special:
        title = f"Alone with these columns, of at most {found.at_once}, and with none of fewer"
        table = blank(title, ("columns", "records"), right=("records",))
        for columns, number in found.special[:_SPECIAL]:
            table.add_row(escape(", ".join(columns)), f"{number:,}")
        console.print(table)
        shown = ", ".join(f"{name} {share:.0%}" for name, share in found.shares)
        console.print(f"Of these, so many have: {escape(shown)}.", highlight=False)


def _shown(one: Risk) -> str:
    if one.value is None:
        return "none"
    if one.range == "[0, 1]":
        return f"{one.value:.2%}"
    return f"{one.value:,.0f}" if one.range != "[0, inf)" else f"{one.value:,.2f}"
