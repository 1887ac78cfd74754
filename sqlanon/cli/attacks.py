"""What `sqlanon attack` shows people."""

from __future__ import annotations

from rich.markup import escape

from sqlanon.cli.tables import blank, terminal
from sqlanon.release.findings import Attacked, Finding


def show_attacked(found: Attacked) -> None:
    """What every attack found, in figures and in words, and what could not be computed."""
    console = terminal()
    title = f"{found.release}, attacked"
    if found.persons is not None:
        title += f" with {found.persons:,} persons"
    table = blank(title, ("attack", "of", "found", "what it means"), right=("found",))
    last = ""
    for one in found.findings:
        name = "" if one.attack == last else one.attack
        table.add_row(name, escape(one.attribute or ""), shown(one), escape(one.sentence))
        last = one.attack
    console.print(table)
    for attack, note in found.notes.items():
        console.print(f"{attack}: {escape(note)}.", highlight=False)
    if found.relations:
        names = ", ".join(str(one) for one in found.relations)
        console.print(f"Kept for you alone, not for readers: {escape(names)}.", highlight=False)


def shown(one: Finding) -> str:
    """A figure: a share in per cent, a number of records as it is."""
    if one.value is None:
        return "none"
    return f"{one.value:.2%}" if one.range == "[0, 1]" else f"{one.value:,.0f}"
