"""What `sqlanon attack` shows people."""

from __future__ import annotations

from rich.markup import escape

from sqlanon.attacks.findings import Attacked, Finding
from sqlanon.cli.tables import blank, terminal


def show_attacked(found: Attacked) -> None:
    """What every attack found, in figures and then in words, and what could not be computed."""
    console = terminal()
    title = f"{found.release}, attacked"
    if found.persons is not None:
        title += f" with {found.persons:,} persons"
    table = blank(title, ("attack", "figure", "of", "found"), right=("found",))
    sentences: dict[str, str] = {}
    attack = ""
    for one in found.findings:
        first = one.figure not in sentences
        sentences[one.figure] = one.sentence
        table.add_row(
            "" if one.attack == attack else one.attack,
            one.figure if first else "",
            escape(one.attribute or ""),
            shown(one),
        )
        attack = one.attack
    console.print(table)
    for figure, sentence in sentences.items():
        console.print(f"{figure}: {escape(sentence)}", highlight=False)
    for attack, note in found.notes.items():
        console.print(f"{attack}: {escape(note)}.", highlight=False)
    if found.relations:
        names = ", ".join(str(one) for one in found.relations)
        console.print(f"Kept for you alone, not for readers: {escape(names)}.", highlight=False)


def shown(one: Finding) -> str:
    """A figure: a share in per cent, a number as it is."""
    if one.value is None:
        return "none"
    if one.range == "[0, 1]":
        return f"{one.value:.2%}"
    return f"{one.value:,.0f}" if one.value.is_integer() else f"{one.value:,.2f}"
