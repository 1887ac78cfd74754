"""What a run would do."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from sqlanon.cli import objects, views
from sqlanon.cli.databases import readable
from sqlanon.cli.options import AFTER, AS_JSON, DATABASE, SHOW_ERRORS
from sqlanon.cli.output import echo_object
from sqlanon.engines import open_engine
from sqlanon.release import dry_run, insensitive_shares, most_rows, predict, prepare
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
    """Show every step of the run that SPEC declares; nothing is made."""
    declared = load_spec(spec, after)
    opened = open_engine(readable(declared, database), show_database_errors=show_database_errors)
    with closing(opened) as engine:
        prepared = prepare(declared, engine)
        with dry_run(prepared, engine) as dry:
            rows, shares, predicted = most_rows(dry), insensitive_shares(dry), predict(dry)
    if as_json:
        echo_object(objects.plan_object(prepared, predicted, shares, rows, engine.dialect))
    else:
        views.show_plan(prepared, predicted, shares, rows)
