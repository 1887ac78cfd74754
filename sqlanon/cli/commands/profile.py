"""What a table is like, before anything is declared."""

from __future__ import annotations

import click

from sqlanon import api
from sqlanon.cli.databases import existing
from sqlanon.cli.options import AS_JSON, DATABASE, QUIET, SHOW_ERRORS, reading
from sqlanon.cli.output import echo_object
from sqlanon.cli.profiles import show_profile
from sqlanon.progress import watching


@click.command()
@click.argument("table")
@DATABASE
@SHOW_ERRORS
@AS_JSON
@QUIET
@reading("table")
def profile(
    table: str, database: str | None, show_database_errors: bool, as_json: bool, quiet: bool
) -> None:
    """Count what TABLE (a file or a table) says of persons: columns, their likely roles and why.

    Also the codes that may mean a missing value, which columns tell which others, which
    combinations of columns single most records out, and whether records repeat persons. No value
    of the data is shown.
    """
    with watching(not (as_json or quiet), log=True) as listener:
        found = api.profile(
            table,
            database=existing(database),
            progress=listener or False,
            show_database_errors=show_database_errors,
        )
    if as_json:
        echo_object(found.as_dict())
    else:
        show_profile(found, table)
