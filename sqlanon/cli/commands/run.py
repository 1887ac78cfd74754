"""A release, made or refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from sqlanon.clauses.clause import Use
from sqlanon.cli import options, views
from sqlanon.cli.output import as_typed, echo_object
from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.planning.prepare import Prepared
from sqlanon.planning.recoding import prepare_release
from sqlanon.record.recorded import MODEL_OF
from sqlanon.source.source import check_spares, files_read
from sqlanon.spec import Spec, load_spec, shown
from sqlanon.spec.refusals import refusals
from sqlanon.uses.certificates.export import check_escapable, check_file, check_writes, files_of
from sqlanon.uses.release.run import publish
from sqlanon.uses.reports.verdict import lost_altogether


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@options.opens_database(resources=True)
@options.AS_JSON
@click.option(
    "--full", is_flag=True, help="Show every metric, with the models that were asked for."
)
@click.option("--steps", is_flag=True, help="Show the rows and seconds of every step.")
@options.writes(
    "Write the release to a file too, .csv or .parquet, with a data dictionary next to it."
)
@options.OVERWRITE
@options.ESCAPE_FORMULAS
@options.AFTER
@options.RECIPE
@options.measures("all")
@click.option(
    "--search",
    type=click.Choice(["engine", "local"]),
    help="Where a search for classes is carried out: in the database, or in this process, to which "
    "cells with counts then go. By default in the database, and on Spark in this process.",
)
def run(
    spec: Path,
    opening: options.Opening,
    as_json: bool,
    full: bool,
    steps: bool,
    output: Path | None,
    overwrite: bool,
    escape_formulas: bool,
    after: tuple[str, ...],
    recipe: str | None,
    metrics: str,
    search: str | None,
) -> None:
    """Make the release that SPEC declares, or refuse to and say why."""
    if output is not None:
        check_file(output, overwrite)
        check_escapable(output, escape_formulas)
    elif escape_formulas:
        raise SpecError("--escape-formulas is of a file: name it with --output")
    file = None if output is None else _File(output, overwrite, escape_formulas)
    loaded = load_spec(spec, after, recipe=recipe, search=search)
    everything = metrics == "all"
    make(
        spec, loaded, opening, file, as_json=as_json, steps=steps, full=full, all_metrics=everything
    )


@dataclass(frozen=True)
class _File:
    """A file that the run writes the release to as well."""

    name: Path
    overwrite: bool
    escape_formulas: bool


def make(
    path: Path,
    spec: Spec,
    opening: options.Opening,
    file: _File | None = None,
    *,
    as_json: bool = False,
    steps: bool = False,
    full: bool = False,
    all_metrics: bool = True,
) -> None:
    """Make the release that a spec declares, and show it; write it to a file if one is named."""
    database = options.database_of(spec, opening.database)
    with opening.engine(database) as engine:
        if file is not None:
            check_writes(engine)
        with opening.watching() as listener:
            prepared = prepare_release(spec, engine, all_metrics)
            if file is not None:
                _check_files(file, prepared, engine, path)
            try:
                release = publish(prepared, engine, listener)
            except InfeasibleError as error:
                answerable = not any(refusals(spec, Use.WHY))
                if answerable and all(
                    shortfall.model in MODEL_OF for shortfall in error.shortfalls
                ):
                    why = as_typed("sqlanon", "why", str(path))
                    error.add_note(f"To see the best that can be reached: {why}")
                raise
        if not as_json:
            views.show_release(release, shown(database), steps, full)
        files: tuple[Path, ...] = ()
        if file is not None:
            files = release.export(file.name, file.overwrite, file.escape_formulas)
        if as_json:
            echo_object(views.release_object(release) | {"files": [str(path) for path in files]})
            for sentence in lost_altogether(release.measures):
                click.echo(f"sqlanon: {sentence}", err=True)
        elif files:
            click.echo(views.written(files))
        if engine.driver.remark:
            click.echo(f"sqlanon: {engine.driver.remark}", err=True)


def _check_files(file: _File, prepared: Prepared, engine: Engine, spec: Path) -> None:
    """Refuse files that are there and may not be replaced, or that the run reads."""
    published = prepared.publication
    besides = [published.beside(relation.relation) for relation in published.for_readers]
    check_file(file.name, file.overwrite, besides)
    read = files_read(prepared.spec.model_dump(mode="json"), engine) | {str(spec): "the spec"}
    for path in files_of(file.name, besides):
        check_spares(path, read)
