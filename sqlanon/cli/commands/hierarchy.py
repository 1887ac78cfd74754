"""A first hierarchy for a column."""

from __future__ import annotations

from pathlib import Path

import click
import yaml

from sqlanon import api
from sqlanon.cli.databases import existing
from sqlanon.cli.options import DATABASE, QUIET, SHOW_ERRORS, reading
from sqlanon.files import check_free, write
from sqlanon.profile import GROUPS
from sqlanon.progress import watching
from sqlanon.visible import write_exactly


@click.command()
@click.argument("table")
@click.argument("column")
@click.option("-k", default=10, show_default=True, help="Text of fewer records is one group.")
@click.option(
    "--groups",
    default=GROUPS,
    show_default=True,
    help="Bands of numbers at the lowest level; each level has half as many.",
)
@DATABASE
@SHOW_ERRORS
@QUIET
@reading("table")
def hierarchy(
    table: str,
    column: str,
    k: int,
    groups: int,
    database: str | None,
    show_database_errors: bool,
    quiet: bool,
) -> None:
    """Draft a hierarchy for COLUMN of TABLE (a file or a table), to be edited and kept.

    Dates get periods, codes are masked, numbers are put in bands of about as many records each, and
    rare text becomes one group, in a file of the folder `hierarchies`. What is printed goes into a
    spec. It is made of the data: read it before you hand it on.
    """
    with watching(not quiet, log=True) as listener:
        found = api.hierarchy(
            table,
            column,
            k=k,
            groups=groups,
            database=existing(database),
            progress=listener or False,
            show_database_errors=show_database_errors,
        )
    if found.text is not None:
        file = Path(found.declared["file"])
        check_free(file, mend="is there already: move it away, or edit what is there")
        write({file: found.text})
        click.echo(f"Wrote {file}, for you alone, for it holds values of the data.", err=True)
    click.echo(f"# {column}: {found.why}")
    declared = {"quasi_identifiers": {column: {"hierarchy": found.declared}}}
    write_exactly(yaml.safe_dump(declared, allow_unicode=True, sort_keys=False, width=100))
