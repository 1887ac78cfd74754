"""A release as files."""

from __future__ import annotations

from pathlib import Path

import click

from sqlanon.cli import views
from sqlanon.cli.options import ESCAPE_FORMULAS, OVERWRITE, Opening, holding, opens_database, writes
from sqlanon.uses.certificates.export import check_escapable, check_file


@click.command()
@click.argument("release")
@opens_database(progress=False)
@writes("The file, .csv or .parquet; by default RELEASE.parquet.")
@OVERWRITE
@ESCAPE_FORMULAS
def export(
    release: str, opening: Opening, output: Path | None, overwrite: bool, escape_formulas: bool
) -> None:
    """Write RELEASE, a name as in its spec, to a file to hand out, with a data dictionary.

    The file holds the published relations only; the proof stays in the database.
    """
    output = output or Path(f"{release}.parquet")
    check_file(output, overwrite)
    check_escapable(output, escape_formulas)
    with opening.open(holding(release, opening.database)) as db:
        files = db.export(release, output, overwrite=overwrite, escape_formulas=escape_formulas)
    click.echo(views.written(files))
