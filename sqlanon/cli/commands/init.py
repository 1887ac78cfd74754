"""A first spec for a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from sqlanon.cli.asking import answers_to, is_terminal
from sqlanon.cli.databases import existing
from sqlanon.cli.opening import Opening, opens_database
from sqlanon.cli.options import reading
from sqlanon.cli.output import NAMED_ANEW, as_typed
from sqlanon.files import check_folder, check_free
from sqlanon.profile.asked import Questions


@click.command()
@click.argument("table")
@opens_database()
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write.")
@click.option(
    "--ask",
    is_flag=True,
    help="Ask who reads the release, what nobody should learn, and whose a record is; without a "
    "terminal the questions are comments of the spec.",
)
@reading("table")
def init(
    table: str,
    opening: Opening,
    output: Path | None,
    ask: bool,
) -> None:
    """Write a commented spec for TABLE (a file or a table), with guessed roles to correct.

    It rests on `sqlanon profile`, and is for you alone: it holds the seed. The spec runs as it is
    written, or sqlanon says in one line what must be decided first. A column whose role is
    uncertain is not released, and a comment names it. Text of too many values waits for you to
    group them, in files of a folder `hierarchies` next to the spec.
    """
    output = output or Path(f"{Path(table).stem}.yaml")
    check_folder(output)
    check_free(output, mend=NAMED_ANEW)
    asking = ask and is_terminal()
    answering = (answers_to if asking else _nobody) if ask else None
    if asking:  # a bar would be drawn over the questions
        opening = replace(opening, quiet=True)
    with opening.open(existing(opening.database)) as db:
        drafted = db.init(table, output.parent, ask=answering)
    *files, _ = drafted.write(output)
    running = as_typed("sqlanon", "run", str(output))
    click.echo(f"Wrote {output}. Correct the roles it guesses, then: {running}")
    if ask and not asking:
        click.echo("There is no terminal to ask in: three questions stand at its head as comments.")
    if drafted.undecided:
        click.echo(f"Decide first, for it does not run yet: {drafted.undecided}")
    if files:
        names = ", ".join(map(str, files))
        click.echo(f"To be edited, and for you alone, for they hold values of the data: {names}")


def _nobody(_: Questions) -> None:
    """Nobody is there to answer."""
