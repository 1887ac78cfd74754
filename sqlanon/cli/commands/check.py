"""The privacy of a table, of any tool."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from sqlanon.cli import objects, views
from sqlanon.cli.databases import OF_FILE, beside, database_of, existing, holding
from sqlanon.cli.models import (
    clause_options,
    groups_option,
    model_options,
    take_clauses,
    take_groups,
    take_models,
)
from sqlanon.cli.opening import Opening, opens_database
from sqlanon.cli.options import AS_JSON, SUPPRESSED, columns_option, reading
from sqlanon.cli.output import echo_object
from sqlanon.errors import SpecError
from sqlanon.spec import Source, load_spec


@click.command()
@click.argument("table")
@columns_option("--qi", about="The quasi-identifiers.")
@columns_option("--sensitive", about="The sensitive attributes.")
@model_options
@groups_option
@clause_options
@click.option(
    "--distance",
    type=click.Choice(["equal", "ordered"]),
    help="The distance of t-closeness; by default ordered for numbers, dates and times, equal for "
    "the rest.",
)
@click.option("--reference", metavar="TABLE", help="The table to measure t-closeness against.")
@click.option(
    "--spec", type=click.Path(path_type=Path), help="The spec that TABLE is a release of."
)
@SUPPRESSED
@click.option(
    "--suppression",
    metavar="SHARE",
    help="With --suppressed: the greatest share of the records that may be suppressed.",
)
@opens_database(resources=True)
@AS_JSON
@reading("table", "reference")
def check(
    table: str,
    qi: list[str] | None,
    sensitive: list[str] | None,
    distance: str | None,
    groups: tuple[str, ...],
    reference: str | None,
    spec: Path | None,
    suppressed: tuple[str, ...],
    suppression: str | None,
    opening: Opening,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure the privacy of TABLE, of any tool; exit code 1 if a requested model fails.

    For a release that a run made, its name is enough, because the run kept its spec. The check
    then measures the models and the information loss, and compares columns, cells, values and
    classes with the source. For a file that is a release give its --spec, for any other table --qi
    and, if there are any, --sensitive. Files need no database.
    """
    asked, database = dict(take_models(options)), opening.database
    of_groups = take_groups(groups, sensitive or ())
    if of_clauses := take_clauses(options):
        asked["privacy"] = of_clauses
    if suppression is not None:
        asked["suppression"] = {"records": suppression}
    if spec is None and not (suppressed or qi or sensitive or asked or distance):
        database = holding(table, database, OF_FILE)
    elif spec is None:
        if not qi:
            raise SpecError("a model of a table needs its quasi-identifiers: give --qi, too")
        asked |= {
            "quasi_identifiers": qi,
            "sensitive": {
                name: of_groups.get(name, {"distance": distance}) for name in sensitive or ()
            },
        }
        database = beside(table, database)
        if reference is not None:
            existing(database)
    elif qi or sensitive or asked:
        raise SpecError("with --spec, the columns and the models are the spec's")
    declared = load_spec(spec) if spec else None
    if declared and not (declared.source.file and "file" in Source.read(table)):
        database = database_of(declared, database)
    with opening.open(existing(database)) as db:
        found = db.check(table, spec=declared, reference=reference, suppressed=suppressed, **asked)
    if as_json:
        echo_object(objects.measurements_object(found))
    else:
        views.show_measurements(found)
    if not found.passed:
        sys.exit(1)
