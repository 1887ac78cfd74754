"""A release, made or refused."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from sqlanon.certificates.export import beside_file, check_escapable, check_file, check_writes
from sqlanon.cli import objects, views
from sqlanon.cli.databases import database_of
from sqlanon.cli.options import (
    AFTER,
    AS_JSON,
    DATABASE,
    ESCAPE_FORMULAS,
    OVERWRITE,
    QUIET,
    SHOW_ERRORS,
    resources,
    settings,
)
from sqlanon.cli.output import as_typed, echo_object
from sqlanon.engines import open_engine
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.kept.words import MODEL_OF
from sqlanon.outlook.reachable import unanswerable
from sqlanon.planning.prepare import prepare
from sqlanon.progress import watching
from sqlanon.release.run import publish
from sqlanon.source.source import check_spares, files_read
from sqlanon.spec import load_spec, shown


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@DATABASE
@SHOW_ERRORS
@AS_JSON
@QUIET
@click.option("--full", is_flag=True, help="Show every metric, beside what was asked for.")
@click.option("--steps", is_flag=True, help="Show the rows and seconds of every step.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the release to a file too, .csv or .parquet, with a data dictionary beside it.",
)
@OVERWRITE
@ESCAPE_FORMULAS
@AFTER
@click.option(
    "--recipe",
    metavar="RELEASE",
    help="An earlier release, so that labels or cells of both mean the same: columns published as "
    "labels of one level keep that level; without such columns its cells are the classes.",
)
@resources
def run(
    spec: Path,
    database: str | None,
    show_database_errors: bool,
    as_json: bool,
    quiet: bool,
    full: bool,
    steps: bool,
    output: Path | None,
    overwrite: bool,
    escape_formulas: bool,
    after: tuple[str, ...],
    recipe: str | None,
    **resources: Any,
) -> None:
    """Make the release that SPEC declares, or refuse to and say why."""
    if output is not None:
        check_file(output, overwrite)
        check_escapable(output, escape_formulas)
    elif escape_formulas:
        raise SpecError("--escape-formulas is of a file: name it with --output")
    make(
        spec,
        database,
        resources,
        as_json,
        quiet,
        steps,
        show_database_errors,
        output,
        overwrite,
        after,
        recipe,
        escape_formulas,
        full,
    )


def make(
    path: Path,
    database: str | None,
    resources: Mapping[str, Any] | None = None,
    as_json: bool = False,
    quiet: bool = False,
    steps: bool = False,
    show_database_errors: bool = False,
    output: Path | None = None,
    overwrite: bool = False,
    after: tuple[str, ...] = (),
    recipe: str | None = None,
    escape_formulas: bool = False,
    full: bool = False,
) -> None:
    """Make the release that a spec declares, and show it; write it to a file if one is named."""
    spec = load_spec(path, after, recipe)
    opened = open_engine(
        database_of(spec, database),
        settings=settings(resources or {}),
        show_database_errors=show_database_errors,
    )
    with closing(opened) as engine:
        if output is not None:
            check_writes(engine)
        with watching(not (as_json or quiet), log=True) as listener:
            prepared = prepare(spec, engine)
            if output is not None:
                published = prepared.publication
                besides = [published.beside(one.relation) for one in published.for_readers]
                check_file(output, overwrite, besides)
                read = [*files_read(spec.model_dump(mode="json"), engine), str(path)]
                for one in besides:
                    check_spares(beside_file(output, one), read)
            try:
                release = publish(prepared, engine, listener)
            except InfeasibleError as error:
                answerable = not list(unanswerable(spec))
                if answerable and all(one.model in MODEL_OF for one in error.shortfalls):
                    why = as_typed("sqlanon", "why", str(path))
                    error.add_note(f"What can be reached: {why}")
                raise
        if not as_json:
            views.show_release(release, shown(database_of(spec, database)), steps, full)
        files = () if output is None else release.export(output, overwrite, escape_formulas)
        if as_json:
            echo_object(objects.release_object(release) | {"files": [str(one) for one in files]})
        elif files:
            click.echo(views.written(files))
        if engine.driver.remark:
            click.echo(f"sqlanon: {engine.driver.remark}", err=True)
