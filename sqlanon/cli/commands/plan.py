"""What a run would do."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from sqlanon.cli import objects
from sqlanon.cli.databases import readable
from sqlanon.cli.options import AFTER, AS_JSON, DATABASE, SHOW_ERRORS
from sqlanon.cli.output import echo_object
from sqlanon.cli.plans import show_plan
from sqlanon.engines import open_engine
from sqlanon.outlook.outlook import outlook
from sqlanon.planning.prepare import prepare
from sqlanon.spec import load_spec


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@DATABASE
@SHOW_ERRORS
@AS_JSON
@AFTER
def plan(
    spec: Path,
    database: str | None,
    show_database_errors: bool,
    as_json: bool,
    after: tuple[str, ...],
) -> None:
    """Show what the run that SPEC declares would do; nothing is made.

    First how large it is, whether it can be met, and what takes most of the time; then every step.
    """
    declared = load_spec(spec, after)
    opened = open_engine(readable(declared, database), show_database_errors=show_database_errors)
    with closing(opened) as engine:
        prepared = prepare(declared, engine)
        ahead = outlook(prepared, engine)
    if as_json:
        echo_object(objects.plan_object(prepared, ahead, engine.dialect))
    else:
        show_plan(prepared, ahead)
