"""A first spec for a table."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from sqlanon.cli.databases import existing
from sqlanon.cli.draft import noted
from sqlanon.cli.guess import first_spec
from sqlanon.cli.options import DATABASE, QUIET, SHOW_ERRORS, reading
from sqlanon.cli.output import NAMED_ANEW, as_typed
from sqlanon.cli.undecided import undecided
from sqlanon.engines import open_engine
from sqlanon.files import check_folder, check_free, write
from sqlanon.progress import watching
from sqlanon.spec import shown

_KEPT = "is there already: keep it and write the spec into another folder with -o, or move it away"


@click.command()
@click.argument("table")
@DATABASE
@SHOW_ERRORS
@QUIET
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write.")
@reading("table")
def init(
    table: str,
    database: str | None,
    show_database_errors: bool,
    quiet: bool,
    output: Path | None,
) -> None:
    """Write a commented spec for TABLE (a file or a table), with guessed roles to correct.

    It rests on `sqlanon profile`, and is for you alone: it holds the seed. What it writes runs, or
    it says in one line what must be decided first. What is not certain is not released, and named
    in a comment. Text of too many values waits for you to group them, in files of a folder
    `hierarchies` beside it.
    """
    output = output or Path(f"{Path(table).stem}.yaml")
    check_folder(output)
    check_free(output, mend=NAMED_ANEW)
    opened = open_engine(existing(database), show_database_errors=show_database_errors)
    with closing(opened) as engine, watching(not quiet, log=True) as listener:
        text, files = first_spec(
            table, database and shown(database), output.parent, engine, listener
        )
        first = undecided(text, output.parent, engine)
    for file in files:
        check_free(file, mend=_KEPT)
    write({**files, output: noted(text, first) if first else text})
    running = as_typed("sqlanon", "run", str(output))
    click.echo(f"Wrote {output}. Correct the roles it guesses, then: {running}")
    if first:
        click.echo(f"Decide first, for it does not run yet: {first}")
    if files:
        names = ", ".join(map(str, files))
        click.echo(f"To be edited, and for you alone, for they hold values of the data: {names}")
