"""The output of `sqlanon attack` for people."""

from __future__ import annotations

from rich.markup import escape

from sqlanon.attacks.findings import Attacked
from sqlanon.cli.figures import show_findings, show_notes
from sqlanon.cli.tables import terminal


def show_attacked(found: Attacked) -> None:
    """Show what every attack found, in figures and then in words, and what it could not compute."""
    console = terminal()
    title = f"{found.release}, attacked"
    if found.persons is not None:
        title += f" with {found.persons:,} persons"
    show_findings(console, title, found.findings)
    show_notes(console, found.notes.items())
    for remark in found.remarks:
        console.print(f"{escape(remark)}.", highlight=False)
    if found.relations:
        names = ", ".join(str(one) for one in found.relations)
        console.print(f"Kept for you alone, not for readers: {escape(names)}.", highlight=False)
