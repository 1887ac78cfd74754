"""A profile of a table, before anything is declared."""

from __future__ import annotations

import click

from sqlanon.cli.databases import existing
from sqlanon.cli.opening import Opening, opens_database
from sqlanon.cli.options import AS_JSON, reading
from sqlanon.cli.output import echo_object, next_command
from sqlanon.cli.profiles import show_profile


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
