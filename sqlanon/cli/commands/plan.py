"""A run, shown before it is made."""

from __future__ import annotations

from pathlib import Path

import click

from sqlanon.cli import objects
from sqlanon.cli.databases import readable
from sqlanon.cli.opening import Opening, opens_database
from sqlanon.cli.options import AFTER, AS_JSON
from sqlanon.cli.output import echo_object
from sqlanon.cli.plans import show_plan
from sqlanon.outlook.outlook import outlook
from sqlanon.planning.recoding import prepare_release
from sqlanon.spec import load_spec


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@opens_database(progress=False)
@AS_JSON
@AFTER
def plan(
    spec: Path,
    opening: Opening,
    as_json: bool,
    after: tuple[str, ...],
) -> None:
    """Show the steps of the run that SPEC declares, without making anything.

    First come its size, whether its models can hold, and its slowest part; then every step.
    """
    declared = load_spec(spec, after)
    with opening.engine(readable(declared, opening.database)) as engine:
        prepared = prepare_release(declared, engine, all_metrics=True)
        ahead = outlook(prepared, engine)
    if as_json:
        echo_object(objects.plan_object(prepared, ahead, engine.dialect))
    else:
        show_plan(prepared, ahead)
