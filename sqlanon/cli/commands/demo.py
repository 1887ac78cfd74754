"""The example that comes with sqlanon, run."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from sqlanon.cli.commands.run import make
from sqlanon.cli.options import Opening
from sqlanon.common.files import write
from sqlanon.spec import load_spec

EXAMPLE = "health_insurance"
NEXT = """
Where to look next
  {spec}
      the spec: change k to 50, or t of health to 0.01, and run it again
  sqlanon run {spec} --database {directory}/patients_public.duckdb
      the run you just saw
  sqlanon compile {spec}
      the same run as one SQL script
  sqlanon check patients_public --database {directory}/patients_public.duckdb
      measure the release again
  sqlanon init {directory}/patients.csv -o mine.yaml
      a first spec for a table of your own"""


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


def unpack(directory: Path) -> Path:
    """Copy the example into a folder, leaving files that are there alone; returns its spec."""
    source = _example()
    there = {directory / file.relative_to(source): file for file in sorted(source.rglob("*"))}
    lacking = {
        target: file.read_bytes()
        for target, file in there.items()
        if file.is_file() and not target.exists()
    }
    write(lacking, handed_out=True)
    return directory / "release.yaml"


def _example() -> Path:
    packaged = Path(str(files("sqlanon"))) / "examples" / EXAMPLE
    if packaged.is_dir():
        return packaged
    return Path(str(files("sqlanon"))).parent / "examples" / EXAMPLE
