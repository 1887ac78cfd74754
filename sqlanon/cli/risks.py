"""The output of `sqlanon risk` for people."""

from __future__ import annotations

from rich.markup import escape

from sqlanon.cli.figures import show_findings
from sqlanon.cli.tables import blank, terminal
from sqlanon.profile import Risks

_SPECIAL = 10  # combinations that are shown


def show_risks(found: Risks) -> None:
    """The figures in words, what singles records out, and with how few columns."""
    console = terminal()
    records = found.value("records") or 1
    show_findings(console, f"{found.table}, risk", found.figures)
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
        console.print(
            f"Share of these uniques that involve each column: {escape(shown)}.", highlight=False
        )
