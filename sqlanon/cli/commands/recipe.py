"""A recipe, how a release made its classes, and a release of another table by it."""

from __future__ import annotations

from pathlib import Path

import click

from sqlanon.clauses.recipe.declared import RECIPE_ENDINGS
from sqlanon.cli import options
from sqlanon.cli.commands.run import make
from sqlanon.common.files import write
from sqlanon.spec import load_spec
from sqlanon.uses.certificates.export import check_target


@click.command()
@click.argument("release")
@options.opens_database(progress=False)
@options.writes("The file to write, .yaml or .parquet; by default RELEASE.recipe.yaml.")
@options.OVERWRITE
def recipe(release: str, opening: options.Opening, output: Path | None, overwrite: bool) -> None:
    """Write the levels or the cells of RELEASE to a file, for later releases of other tables.

    A spec names the file as its recipe. Levels hold no data. Cells are what RELEASE publishes of
    its quasi-identifiers: such a file is as public as RELEASE. Where the run of RELEASE kept how it
    dealt records out (allotment: true), the file has that: it is yours alone.
    """
    file = output or Path(f"{release}.recipe.yaml")
    check_target(file, RECIPE_ENDINGS, overwrite)
    with opening.open(options.holding(release, opening.database)) as db:
        found = db.recipe(release)
        write({file: found.written_as(file)}, overwrite)
    click.echo(f"Wrote {file}: {found.holds}. A spec takes it over with recipe: {file}")


@click.command()
@click.argument("recipe", metavar="RECIPE", callback=options.located)
@click.argument("spec", type=click.Path(path_type=Path))
@options.opens_database(resources=True)
@options.AS_JSON
def apply(recipe: str, spec: Path, opening: options.Opening, as_json: bool) -> None:
    """Make the release that SPEC declares by RECIPE, a file or an earlier release.

    The same as sqlanon run SPEC --recipe RECIPE --metrics asked.
    """
    make(spec, load_spec(spec, recipe=recipe), opening, as_json=as_json, all_metrics=False)
