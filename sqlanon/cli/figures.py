"""How commands show figures: what was found in a table, and what it means in words below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape

from sqlanon.cli.tables import blank
from sqlanon.figures import Finding


def show_findings(console: Console, title: str, findings: Sequence[Finding]) -> None:
    """Every figure with its value, together with the same figure of other columns.

    A column is there where a finding has something for it: the attack, of what a figure is, and
    how the release was read.
    """
    columns = {
        "attack": any(one.attack for one in findings),
        "figure": True,
        "of": any(one.of for one in findings),
        "found": True,
        "how it is read": any(one.read for one in findings),
    }
    head = tuple(name for name, there in columns.items() if there)
    table = blank(title, head, right=("found",))
    before: dict[str, str] = {}
    for one in _together(findings):
        cells = {
            "attack": one.attack,
            "figure": one.figure,
            "of": escape(" and ".join(one.of)),
            "found": one.shown,
            "how it is read": one.read,
        }
        again = {name for name in ("attack", "figure") if cells[name] == before.get(name)}
        table.add_row(*("" if name in again else cells[name] for name in head))
        before = cells
    console.print(table)
    for figure, sentence in {one.figure: one.sentence for one in findings}.items():
        console.print(f"{figure}: {escape(sentence)}", highlight=False)


def show_notes(console: Console, notes: Iterable[tuple[str, str]], begins: str = "") -> None:
    """Show what could not be measured, and why."""
    for of, note in notes:
        console.print(f"{begins}{escape(of)}: {escape(note)}.", highlight=False)


def _together(findings: Sequence[Finding]) -> list[Finding]:
    """The findings in order, those of one figure together."""
    order = list(dict.fromkeys(one.figure for one in findings))
    return sorted(findings, key=lambda one: order.index(one.figure))
