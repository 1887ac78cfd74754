"""The levels or the cells of a release, to be laid over another table."""

from __future__ import annotations

from pathlib import Path

import click

from sqlanon.certificates.export import check_place
from sqlanon.cli.databases import holding
from sqlanon.cli.opening import Opening, opens_database
from sqlanon.cli.options import OVERWRITE
from sqlanon.files import write
from sqlanon.spec.recipe import RECIPE_ENDINGS


@click.command()
@click.argument("release")
@opens_database(progress=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file to write; by default RELEASE.recipe.yaml.",
)
@OVERWRITE
def recipe(release: str, opening: Opening, output: Path | None, overwrite: bool) -> None:
    """Write the levels or the cells of RELEASE to a file, for later releases of other tables.

    A spec names the file as its recipe. Levels hold no data. Cells are what RELEASE publishes of
    its quasi-identifiers: such a file is as public as RELEASE.
    """
    file = output or Path(f"{release}.recipe.yaml")
    check_place(file, RECIPE_ENDINGS, overwrite)
    with opening.open(holding(release, opening.database)) as db:
        found = db.recipe(release)
        write({file: found.text}, overwrite)
    held = "levels, no data"
    if found.cells:
        held = f"{len(found.cells):,} cells, as public as {release}"
    click.echo(f"Wrote {file}: {held}. A spec takes it over with recipe: {file}")
