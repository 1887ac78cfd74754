"""A profile of a table, before anything is declared."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.console import Console
from rich.markup import escape

from sqlanon.cli.options import AS_JSON, Opening, existing, opens_database, reading
from sqlanon.cli.output import echo_object, next_command
from sqlanon.cli.views import blank, terminal
from sqlanon.uses.profile.profile import ColumnProfile, Combination, Profile

# How many names of columns a cell shows.
NAMES = 6
ROLES = {
    "identifier": "identifier",
    "person": "person",
    "quasi_identifier": "quasi-identifier",
    "sensitive": "sensitive",
    "telling": "not released",
    "withheld": "not released",
    "unclear": "to decide",
}


def show_profile(found: Profile, name: str) -> None:
    """The columns, the roles that fit them, what singles records out, and whom they are about."""
    shown = terminal()
    _show_counts(shown, found, name)
    _show_roles(shown, found)
    _show_alone(shown, found)
    _show_combinations(shown, found.combinations, found.records)
    shown.print(_persons(found), highlight=False)
    said = "No value of the data is shown but known codes for a missing one."
    shown.print(f"{found.seconds:.1f} s. {said}", highlight=False)


def _show_counts(shown: Console, found: Profile, name: str) -> None:
    figures = ("missing", "values", "alone", "bits")
    coded = any(column.counts.codes for column in found.columns)
    heads = ("column", "type", *figures, *(["codes for missing?"] * coded))
    counted = blank(f"{name}, {found.records:,} records", heads, right=figures)
    for column in found.columns:
        counts = column.counts
        codes = [f"{code.code or 'empty'} ({code.records:,})" for code in counts.codes]
        if not counts.counted:
            counted.add_row(escape(column.name), escape(counts.column.shown_type.lower()))
            continue
        counted.add_row(
            escape(column.name),
            escape(counts.column.shown_type.lower()),
            f"{counts.missing:,}" if counts.missing else "",
            f"{counts.used:,}",
            f"{counts.single:,}" if counts.single else "",
            f"{counts.entropy:.1f}",
            *([escape(", ".join(codes))] * coded),
        )
    shown.print(counted)
    shown.print(
        "alone: records that nobody shares the value with. bits: the entropy; one more halves the "
        "records that share a value.\n",
        highlight=False,
    )


def _show_roles(shown: Console, found: Profile) -> None:
    roles = blank("The roles that fit", ("column", "likely role", "because"))
    roles.columns[1].no_wrap = True
    for column in found.columns:
        roles.add_row(escape(column.name), ROLES[column.role.role], escape(column.role.reason))
    shown.print(roles)
    tying = [column for column in found.columns if column.determines]
    if tying:
        tells = blank("What tells what, in nearly all records", ("column", "tells"))
        for column in tying:
            tells.add_row(escape(column.name), escape(_names(column.determines)))
        shown.print(tells)


def _names(names: Sequence[str]) -> str:
    more = len(names) - NAMES
    return ", ".join(names[:NAMES]) + (f" and {more} more" if more > 0 else "")


def _show_alone(shown: Console, found: Profile) -> None:
    """The columns that single out most of the records without any other."""
    alone = [column for column in found.columns if 2 * column.counts.single > found.records]
    if alone:
        said = ", ".join(
            f"{column.name} {column.counts.single / found.records:.0%}" for column in alone
        )
        shown.print(
            "Each of these columns singles most records out without any other, and is left out "
            f"below: {escape(said)}.\n",
            highlight=False,
        )


def _show_combinations(shown: Console, some: Sequence[Combination], records: int) -> None:
    if not some:
        return
    figures = ("combinations", "records alone", "share")
    singled = blank("What singles most records out", ("columns", *figures), right=figures)
    for combination in some:
        singled.add_row(
            escape(", ".join(combination.columns)),
            f"{combination.tuples:,}",
            f"{combination.single:,}",
            f"{combination.single / records:.1%}",
        )
    shown.print(singled)


def _persons(found: Profile) -> str:
    if found.person is None:
        return "No column is seen to say whose record it is: each is taken to be of another person."
    column: ColumnProfile = found.column(found.person)
    return (
        f"Records repeat persons: {escape(found.person)} has {column.counts.used:,} values in "
        f"{found.records:,} records, so that k records are not k persons. Declare "
        f"[bold]person: {escape(found.person)}[/bold]."
    )


@click.command()
@click.argument("table")
@opens_database()
@AS_JSON
@reading("table")
def profile(table: str, opening: Opening, as_json: bool) -> None:
    """Profile TABLE (a file or a table): its columns, their likely roles and the reasons.

    The profile also names codes that may stand for a missing value, columns that give others away,
    combinations of columns that single most records out, and whether records repeat persons. It
    shows no value of the data.
    """
    with opening.open(existing(opening.database)) as db:
        found = db.profile(table)
    if as_json:
        echo_object(found.as_dict())
    else:
        show_profile(found, table)
        click.echo(f"Next, a first spec of it: {next_command('init', table)}")
