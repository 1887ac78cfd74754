"""A first spec for a table."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from sqlanon.cli.databases import existing
from sqlanon.cli.guess import spec_text
from sqlanon.cli.options import DATABASE, QUIET, SHOW_ERRORS
from sqlanon.cli.output import write_file
from sqlanon.engines import open_engine
from sqlanon.progress import watching
from sqlanon.spec import shown


@click.command()
@click.argument("table")
@DATABASE
@SHOW_ERRORS
@QUIET
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write.")
def init(
    table: str,
    database: str | None,
    show_database_errors: bool,
    quiet: bool,
    output: Path | None,
) -> None:
    """Write a commented spec for TABLE (a file or a table), with guessed roles to correct.

    It rests on `sqlanon profile`. What is not certain is not released, and named in a comment.
    """
    output = output or Path(f"{Path(table).stem}.yaml")
    opened = open_engine(existing(database), show_database_errors=show_database_errors)
    with closing(opened) as engine, watching(not quiet, log=True) as listener:
        text = spec_text(table, database and shown(database), output.parent, engine, listener)
    write_file(output, text)
    click.echo(f"Wrote {output}. Correct the roles it guesses, then: sqlanon run {output}")
