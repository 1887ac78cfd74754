"""A release as files."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from sqlanon.certificates.export import check_escapable, check_file
from sqlanon.certificates.export import export as write
from sqlanon.cli import views
from sqlanon.cli.databases import holding
from sqlanon.cli.options import DATABASE, ESCAPE_FORMULAS, OVERWRITE, SHOW_ERRORS
from sqlanon.engines import open_engine
from sqlanon.kept.content import held


@click.command()
@click.argument("release")
@DATABASE
@SHOW_ERRORS
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file, .csv or .parquet; by default RELEASE.parquet.",
)
@OVERWRITE
@ESCAPE_FORMULAS
def export(
    release: str,
    database: str | None,
    show_database_errors: bool,
    output: Path | None,
    overwrite: bool,
    escape_formulas: bool,
) -> None:
    """Write RELEASE, a name as in its spec, to a file to hand out, with a data dictionary.

    Only what is published is written: the proof stays in the database.
    """
    output = output or Path(f"{release}.parquet")
    check_file(output, overwrite)
    check_escapable(output, escape_formulas)
    opened = open_engine(holding(release, database), show_database_errors=show_database_errors)
    with closing(opened) as engine:
        files = write(held(release, engine), output, overwrite, escape_formulas)
    click.echo(views.written(files))
