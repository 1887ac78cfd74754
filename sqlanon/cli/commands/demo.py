"""The example that comes with sqlanon, run."""

from __future__ import annotations

from pathlib import Path

import click

from sqlanon.cli.commands.run import make
from sqlanon.cli.demo import NEXT, unpack
from sqlanon.cli.opening import Opening
from sqlanon.spec import load_spec


@click.command()
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("sqlanon_demo"),
    show_default=True,
    help="Where the example's files go.",
)
def demo(directory: Path) -> None:
    """Run the example that comes with sqlanon: 5,638 persons of a health insurance study."""
    spec = unpack(directory)
    click.echo(
        f"The example is in {directory}/: a table of 5,638 persons and the spec {spec.name}.\n"
    )
    make(spec, load_spec(spec), Opening(str(directory / "patients_public.duckdb")))
    click.echo(NEXT.format(directory=directory, spec=spec))
