"""A release by a recipe: nothing is searched for, and what was asked for is measured."""

from __future__ import annotations

from pathlib import Path

import click

from sqlanon.cli.commands.run import make
from sqlanon.cli.opening import Opening, opens_database
from sqlanon.cli.options import AS_JSON, located
from sqlanon.spec import load_spec


@click.command()
@click.argument("recipe", metavar="RECIPE", callback=located)
@click.argument("spec", type=click.Path(path_type=Path))
@opens_database(resources=True)
@AS_JSON
def apply(recipe: str, spec: Path, opening: Opening, as_json: bool) -> None:
    """Make the release that SPEC declares by RECIPE, a file or an earlier release.

    The same as sqlanon run SPEC --recipe RECIPE --metrics asked.
    """
    make(spec, load_spec(spec, recipe=recipe), opening, as_json=as_json, all_metrics=False)
