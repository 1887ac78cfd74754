"""The output for people of what was found: figures, and what they mean in words below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sqlanon.cli.views import blank, show_table, terminal
from sqlanon.pages.figures import Finding

if TYPE_CHECKING:  # a command loads what it shows, and not what the others do
    from sqlanon.uses.attacks.findings import Attacked
    from sqlanon.uses.comparison.comparison import Comparison
    from sqlanon.uses.profile.risk import Risks
    from sqlanon.uses.utilities.useful import Answer, Utility

_SPECIAL = 10  # combinations that are shown


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
        names = ", ".join(str(relation) for relation in found.relations)
        console.print(f"Kept for you alone, not for readers: {escape(names)}.", highlight=False)


def show_comparison(found: Comparison) -> None:
    """Show what was reached, what is left of each column, and what was asked otherwise."""
    console = terminal()
    for table in found.tables:
        show_table(console, table)
    if any(row.best for row in (*found.rows, *found.attacked, *found.useful)):
        console.print("A star marks the best value of a row.", highlight=False)
    for remark in found.remarks:
        console.print(escape(remark), highlight=False)


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
    for answer in answers:
        what = "records" if answer.mean is None else f"mean of {answer.mean}"
        both = [
            "none" if some is None else f"{some:,.6g}" for some in (answer.true, answer.released)
        ]
        error = "none" if answer.error is None else f"{answer.error:.2%}"
        table.add_row(escape(answer.query), escape(what), *both, error, answer.read)
    return table


def show_findings(console: Console, title: str, findings: Sequence[Finding]) -> None:
    """Every figure with its value, together with the same figure of other columns.

    A column is there where a finding has something for it: the attack, of what a figure is, and
    how the release was read.
    """
    columns = {
        "attack": any(finding.attack for finding in findings),
        "figure": True,
        "of": any(finding.of for finding in findings),
        "found": True,
        "how it is read": any(finding.read for finding in findings),
    }
    head = tuple(name for name, there in columns.items() if there)
    table = blank(title, head, right=("found",))
    before: dict[str, str] = {}
    for finding in _together(findings):
        cells = {
            "attack": finding.attack,
            "figure": finding.figure,
            "of": escape(" and ".join(finding.of)),
            "found": finding.shown,
            "how it is read": finding.read,
        }
        again = {name for name in ("attack", "figure") if cells[name] == before.get(name)}
        table.add_row(*("" if name in again else cells[name] for name in head))
        before = cells
    console.print(table)
    for figure, sentence in {finding.figure: finding.sentence for finding in findings}.items():
        console.print(f"{figure}: {escape(sentence)}", highlight=False)


def show_notes(console: Console, notes: Iterable[tuple[str, str]], begins: str = "") -> None:
    """Show what could not be measured, and why."""
    for of, note in notes:
        console.print(f"{begins}{escape(of)}: {escape(note)}.", highlight=False)


def _together(findings: Sequence[Finding]) -> list[Finding]:
    """The findings in order, those of one figure together."""
    order = list(dict.fromkeys(finding.figure for finding in findings))
    return sorted(findings, key=lambda finding: order.index(finding.figure))
