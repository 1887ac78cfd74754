"""What prepares a dbt project for the models and tests that `compile --dbt` writes."""

from __future__ import annotations

from pathlib import Path

import click


@click.group("dbt")
def dbt_commands() -> None:
    """Prepare a dbt project; `compile --dbt` writes its models."""


@dbt_commands.command()
@click.argument(
    "directory", type=click.Path(file_okay=False, path_type=Path), default=Path(), required=False
)
def init(directory: Path) -> None:
    """Write the dbt package `sqlanon` into the dbt project of DIRECTORY, and name it there."""
    from sqlanon.dbt.package import FOLDER, install

    missing = install(directory)
    click.echo(f"Wrote the dbt package into {directory / FOLDER}.", err=True)
    if missing:
        click.echo(f"Now {missing}", err=True, nl=False)
    click.echo("Then run: dbt deps", err=True)
