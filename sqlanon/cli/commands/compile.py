"""A run as text: one SQL script, or dbt models."""

from __future__ import annotations

from pathlib import Path

import click

from sqlanon.cli.options import RECIPE, Opening, measures, opens_database, readable
from sqlanon.cli.output import as_typed, write_file
from sqlanon.common.visible import write_exactly
from sqlanon.engines import Engine
from sqlanon.errors import SpecError
from sqlanon.planning.recoding import prepare_script
from sqlanon.spec import Spec, load_spec
from sqlanon.sql.products import DIALECTS
from sqlanon.uses.release.script import release_script


@click.command("compile")
@click.argument("spec", type=click.Path(path_type=Path))
@opens_database(progress=False)
@click.option(
    "--dialect", type=click.Choice(DIALECTS), help="The SQL to write; by default the database's."
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--dbt",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write dbt models and tests into the dbt project of this folder instead.",
)
@measures("asked")
@RECIPE
@click.option(
    "--incremental",
    metavar="COLUMN",
    help="With --dbt: each build adds the batches of this quasi-identifier that are new.",
)
@click.option("--ref", metavar="NAME", help="With --dbt: the model or seed that is the source.")
def compile_(
    spec: Path,
    opening: Opening,
    dialect: str | None,
    output: Path | None,
    dbt: Path | None,
    metrics: str,
    recipe: str | None,
    incremental: str | None,
    ref: str | None,
) -> None:
    """Write the run that SPEC declares as one SQL script that needs no sqlanon."""
    if (output and dbt) or ((ref or incremental) and not dbt):
        raise SpecError(
            "give -o for a script, or --dbt and perhaps --ref and --incremental for models"
        )
    declared = load_spec(spec, recipe=recipe)
    with opening.engine(readable(declared, opening.database)) as engine:
        if dbt is not None:
            _write_models(
                declared,
                engine,
                dbt,
                dialect=dialect,
                ref=ref,
                all_metrics=metrics == "all",
                incremental=incremental,
            )
            return
        prepared = prepare_script(declared, engine, metrics == "all", dialect)
        script = release_script(prepared, engine, dialect)
    if output is None:
        write_exactly(script)
    else:
        write_file(output, script, ours=script[: script.index("\n")])
        click.echo(f"Wrote {output}.", err=True)
    if prepared.forming.holds:
        click.echo(f"The script holds {prepared.forming.holds}.", err=True)


def _write_models(
    spec: Spec,
    engine: Engine,
    project: Path,
    dialect: str | None,
    ref: str | None,
    all_metrics: bool,
    incremental: str | None,
) -> None:
    from sqlanon.dbt import write_models
    from sqlanon.dbt.project import is_known

    files = write_models(
        spec, engine, project, dialect, ref=ref, all_metrics=all_metrics, incremental=incremental
    )
    click.echo(
        f"Wrote {len(files)} files of {spec.release} into the project {str(project)!r}.", err=True
    )
    if not is_known(project):
        command = as_typed("sqlanon", "dbt", "init", str(project))
        hint = f"Its tests need the dbt package: {command}, then dbt deps."
        click.echo(hint, err=True)
