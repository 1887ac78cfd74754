"""The preparation of a dbt project for the models and tests that `compile --dbt` writes."""

from __future__ import annotations

from pathlib import Path

import click
import yaml

from sqlanon.cli.options import OVERWRITE
from sqlanon.common.files import write
from sqlanon.common.visible import write_exactly
from sqlanon.spec import load_spec


@click.group("dbt")
def dbt_commands() -> None:
    """Prepare a dbt project; `compile --dbt` writes its models."""


@dbt_commands.command()
@click.argument(
    "directory", type=click.Path(file_okay=False, path_type=Path), default=Path(), required=False
)
def init(directory: Path) -> None:
    """Write the dbt package `sqlanon` into the dbt project of DIRECTORY, and name it there."""
    from sqlanon.dbt.project import FOLDER, install

    missing = install(directory)
    click.echo(f"Wrote the dbt package into {directory / FOLDER}.", err=True)
    if missing:
        click.echo(f"Now {missing}", err=True, nl=False)
    click.echo("Then run: dbt deps", err=True)


@dbt_commands.command()
@click.argument("model")
@click.argument(
    "directory", type=click.Path(file_okay=False, path_type=Path), default=Path(), required=False
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@OVERWRITE
def spec(model: str, directory: Path, output: Path | None, overwrite: bool) -> None:
    """Write the spec that MODEL declares in the dbt project of DIRECTORY.

    The model's meta has the fields of the spec, the meta of each column its role.
    """
    from sqlanon.dbt.reading import spec_of

    text = yaml.safe_dump(spec_of(directory, model), allow_unicode=True, sort_keys=False)
    if output is None:
        write_exactly(text)
        return
    write({output: text}, overwrite)
    click.echo(f"Wrote {output}.", err=True)


@dbt_commands.command()
@click.argument("spec_file", metavar="SPEC", type=click.Path(path_type=Path))
def meta(spec_file: Path) -> None:
    """Print SPEC as the properties of a dbt model, to be put into its schema.yml."""
    from sqlanon.dbt.reading import meta_of

    properties = {"models": [meta_of(load_spec(spec_file))]}
    write_exactly(yaml.safe_dump(properties, allow_unicode=True, sort_keys=False))
