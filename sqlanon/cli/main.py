"""The commands, their arguments and their exit codes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from sqlanon import api
from sqlanon._version import __version__
from sqlanon.charts import check_drawable
from sqlanon.cli import demo as demo_files
from sqlanon.cli import guess, stopping, views
from sqlanon.cli.dbt import dbt_commands
from sqlanon.cli.mishaps import hinted, unexpected
from sqlanon.cli.models import model_options, take_models
from sqlanon.cli.progress import watching
from sqlanon.engines import open_engine
from sqlanon.errors import EngineError, InterruptedRunError, SpecError, SqlanonError
from sqlanon.release import dry_run, insensitive_shares, most_rows, predict, prepare, publish
from sqlanon.release.run import release_script
from sqlanon.release.source import table_named
from sqlanon.spec import Source, Spec, load_spec, product, shown, spec_schema
from sqlanon.spec.addresses import is_remote_database
from sqlanon.spec.foreign import unread
from sqlanon.sql.products import DIALECTS

READER_GONE = 141  # as a shell tells of a process that SIGPIPE ended
Command = TypeVar("Command", bound=Callable[..., Any])

DATABASE = click.option(
    "--database",
    metavar="NAME",
    help="What holds the source or the release: a DuckDB file, a postgresql:// address, or Spark: "
    "local[N], spark, spark://… or sc://….",
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
SHOW_ERRORS = click.option(
    "--show-database-errors",
    is_flag=True,
    help="Show the database's own messages whole, to find a fault: they may quote the data.",
)
QUIET = click.option("--quiet", is_flag=True, help="No progress.")


def _resources(command: Command) -> Command:
    """The options that bound what a run may use."""
    for option in (
        click.option("--memory-limit", metavar="SIZE", help="Such as 4GB; spills to disk beyond."),
        click.option("--threads", type=click.IntRange(1, 1024), help="How many threads to use."),
        click.option("--temp-directory", metavar="DIR", help="Where to spill to."),
    ):
        command = option(command)
    return command


class _ReaderGoneError(Exception):
    """Nobody reads the output any more."""


class _Commands(click.Group):
    """The commands. A closed pipe is no failure, which click's own exit code 1 would say."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ReaderGoneError from None


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="sqlanon")
def cli() -> None:
    """Publish a table so that no person in it can be picked out, and prove it, in the database.

    Start with `sqlanon demo`; then `sqlanon init TABLE` writes a spec for your own table, and
    `sqlanon run SPEC` makes the release.

    Exit codes: 0 done, 1 a privacy model is not satisfied, 2 the spec or the arguments are wrong,
    3 the database or the disk failed, 130 interrupted.
    """


@cli.command()
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("sqlanon_demo"),
    show_default=True,
    help="Where the example's files go.",
)
def demo(directory: Path) -> None:
    """Run the example that comes with sqlanon: 5,638 persons of a health insurance study."""
    spec = demo_files.unpack(directory)
    click.echo(
        f"The example is in {directory}/: a table of 5,638 persons and the spec {spec.name}.\n"
    )
    _run(spec, str(directory / "patients_public.duckdb"), False, False, {})
    click.echo(demo_files.NEXT.format(directory=directory, spec=spec))


@cli.command()
@click.argument("table")
@DATABASE
@SHOW_ERRORS
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write.")
def init(table: str, database: str | None, show_database_errors: bool, output: Path | None) -> None:
    """Write a commented spec for TABLE (a file or a table), with guessed roles to correct."""
    output = output or Path(f"{Path(table).stem}.yaml")
    engine = open_engine(_existing(database), show_database_errors=show_database_errors)
    try:
        text = guess.spec_text(table, database and shown(database), output.parent, engine)
    finally:
        engine.close()
    _write(output, text)
    click.echo(f"Wrote {output}. Correct the roles it guesses, then: sqlanon run {output}")


@cli.command()
@click.argument("spec", type=click.Path(path_type=Path))
@DATABASE
@SHOW_ERRORS
@AS_JSON
@QUIET
@click.option("--steps", is_flag=True, help="Show the rows and seconds of every step.")
@_resources
def run(
    spec: Path,
    database: str | None,
    show_database_errors: bool,
    as_json: bool,
    quiet: bool,
    steps: bool,
    **resources: Any,
) -> None:
    """Make the release that SPEC declares, or refuse to and say why."""
    _run(spec, database, as_json, quiet, resources, steps, show_database_errors)


def _run(
    path: Path,
    database: str | None,
    as_json: bool,
    quiet: bool,
    resources: dict[str, Any],
    steps: bool = False,
    show_errors: bool = False,
) -> None:
    spec = load_spec(path)
    engine = open_engine(
        _database(spec, database),
        settings=_settings(resources),
        show_database_errors=show_errors,
    )
    try:
        with watching(silent=as_json or quiet) as listener:
            release = publish(prepare(spec, engine), engine, listener)
        if as_json:
            click.echo(json.dumps(views.release_object(release), ensure_ascii=False))
        else:
            views.show_release(release, shown(_database(spec, database)), steps)
        if engine.driver.remark:
            click.echo(f"sqlanon: {engine.driver.remark}", err=True)
    finally:
        engine.close()


@cli.command()
@click.argument("spec", type=click.Path(path_type=Path))
@DATABASE
@SHOW_ERRORS
@AS_JSON
def plan(spec: Path, database: str | None, show_database_errors: bool, as_json: bool) -> None:
    """Show every step of the run that SPEC declares; nothing is made."""
    declared = load_spec(spec)
    engine = open_engine(_readable(declared, database), show_database_errors=show_database_errors)
    try:
        prepared = prepare(declared, engine)
        with dry_run(prepared, engine) as dry:
            rows, shares, predicted = most_rows(dry), insensitive_shares(dry), predict(dry)
    finally:
        engine.close()
    if as_json:
        found = views.plan_object(prepared, predicted, shares, rows, engine.dialect)
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        views.show_plan(prepared, predicted, shares, rows)


@cli.command("compile")
@click.argument("spec", type=click.Path(path_type=Path))
@DATABASE
@SHOW_ERRORS
@click.option(
    "--dialect", type=click.Choice(DIALECTS), help="The SQL to write; by default the database's."
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--dbt",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write dbt models and tests into the dbt project of this folder instead.",
)
@click.option("--ref", metavar="NAME", help="With --dbt: the model or seed that is the source.")
def compile_(
    spec: Path,
    database: str | None,
    show_database_errors: bool,
    dialect: str | None,
    output: Path | None,
    dbt: Path | None,
    ref: str | None,
) -> None:
    """Write the run that SPEC declares as one SQL script that needs no sqlanon."""
    if (output and dbt) or (ref and not dbt):
        raise SpecError("give -o for a script, or --dbt and perhaps --ref for models")
    declared = load_spec(spec)
    engine = open_engine(_readable(declared, database), show_database_errors=show_database_errors)
    try:
        if dbt is not None:
            from sqlanon.dbt import write_models
            from sqlanon.dbt.package import is_known

            files = write_models(declared, engine, dbt, dialect, ref)
            click.echo(f"Wrote {len(files)} files of {declared.release} into {dbt}.", err=True)
            if not is_known(dbt):
                hint = f"Its tests need the dbt package: sqlanon dbt init {dbt}, then dbt deps."
                click.echo(hint, err=True)
            return
        script = release_script(prepare(declared, engine), engine, dialect)
    finally:
        engine.close()
    if output is None:
        click.echo(script, nl=False)
    else:
        _write(output, script, ours=script[: script.index("\n")])
        click.echo(f"Wrote {output}.", err=True)


@cli.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option("--k", metavar="K,…", help="Least class sizes and ranges of them: 3,5,10 or 2-50.")
@click.option("--t", metavar="T,…", help="Closeness asked of every sensitive attribute: 0.3,0.2.")
@click.option(
    "--method",
    "methods",
    metavar="M,…",
    help="Methods, each as in a spec: split_or_deal,{locality: curve}.",
)
@click.option("--privacy-weight", metavar="W", help="Name the cheapest: what privacy loss weighs.")
@click.option("--alpha", "no_weight", hidden=True)
@click.option("--quick", is_flag=True, help="Stack & Deal's t from the frequencies alone.")
@click.option(
    "--chart",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.svg",
    help="Draw risk and utility too; needs the chart extra.",
)
@DATABASE
@SHOW_ERRORS
@AS_JSON
@QUIET
@_resources
def sweep(
    spec: Path,
    k: str | None,
    t: str | None,
    methods: str | None,
    privacy_weight: str | None,
    no_weight: str | None,
    quick: bool,
    chart: Path | None,
    database: str | None,
    show_database_errors: bool,
    as_json: bool,
    quiet: bool,
    **resources: Any,
) -> None:
    """Try many k, t and methods for SPEC and write what each comes to; nothing is published."""
    if no_weight is not None:
        raise SpecError("the weight of privacy loss is --privacy-weight")
    declared = load_spec(spec)
    if chart is not None:
        check_drawable(chart)
    with (
        watching(silent=as_json or quiet) as listener,
        api.sweep(
            declared,
            k=k,
            t=t,
            methods=methods,
            privacy_weight=privacy_weight,
            quick=quick,
            database=_database(declared, database),
            settings=_settings(resources),
            progress=listener,
            show_database_errors=show_database_errors,
        ) as found,
    ):
        pass
    if as_json:
        click.echo(
            json.dumps(
                views.sweep_object(found)
                | {"drawn_seed": declared.seed if declared.seed_is_drawn else None},
                ensure_ascii=False,
            )
        )
    else:
        views.show_sweep(found, shown(_database(declared, database)))
        if declared.seed_is_drawn:
            click.echo(views.drawn_seed(declared.seed))
    if chart is not None:
        found.chart(chart)


@cli.command()
@click.argument("table")
@click.option("--qi", metavar="A,B,…", help="The quasi-identifiers.")
@click.option("--sensitive", metavar="C,…", help="The sensitive attributes.")
@model_options
@click.option(
    "--distance",
    type=click.Choice(["equal", "ordered"]),
    default="equal",
    show_default=True,
    help="The distance of t-closeness; ordered is for numbers and dates.",
)
@click.option("--reference", metavar="TABLE", help="The table that closeness is measured to.")
@click.option(
    "--spec", type=click.Path(path_type=Path), help="The spec that TABLE is a release of."
)
@DATABASE
@SHOW_ERRORS
@AS_JSON
@QUIET
@_resources
def check(
    table: str,
    qi: str | None,
    sensitive: str | None,
    distance: str,
    reference: str | None,
    spec: Path | None,
    database: str | None,
    show_database_errors: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Measure the privacy of TABLE, whoever made it; exit code 1 if a model asked for fails.

    Give --qi and perhaps --sensitive, or --spec for a release of that spec: then its models and its
    information loss are measured, and it is held against the spec's source: columns, cells,
    values, and whether the source has the records that each class publishes. Files need no
    database.
    """
    asked = dict(take_models(options))
    if spec is None:
        if not qi:
            raise SpecError("give --qi and perhaps --sensitive, or --spec")
        names = [name.strip() for name in sensitive.split(",")] if sensitive else []
        asked |= {
            "quasi_identifiers": [name.strip() for name in qi.split(",")],
            "sensitive": {name: {"distance": distance} for name in names},
        }
        if reference is not None:
            _existing(database)
    elif qi or sensitive or asked:
        raise SpecError("with --spec, the columns and the models are the spec's")
    declared = load_spec(spec) if spec else None
    if declared and not (declared.source.file and "file" in Source.read(table)):
        database = _database(declared, database)
    with watching(silent=as_json or quiet) as listener:
        found = api.measure(
            table,
            spec=declared,
            reference=reference,
            database=_existing(database),
            settings=_settings(options),
            progress=listener,
            show_database_errors=show_database_errors,
            **asked,
        )
    if as_json:
        click.echo(json.dumps(views.measurements_object(found), ensure_ascii=False))
    else:
        views.show_measurements(found)
    if not found.passed:
        sys.exit(1)


cli.add_command(dbt_commands)


@cli.command()
def macros() -> None:
    """Print the DuckDB table macros: measuring and dealing in any DuckDB shell, in SQL alone."""
    from sqlanon.macros import library

    click.echo(library(), nl=False)


@cli.command()
def schema() -> None:
    """Print the spec's JSON Schema, for editors."""
    click.echo(json.dumps(spec_schema(), indent=2))


def _database(spec: Spec, given: str | None) -> str:
    """The file the release goes to: as given, as declared, or named after the release."""
    database = given or spec.database
    if database is None and spec.source.table is not None:
        what = "the source is a table: name its database with --database NAME"
        raise SpecError(unread(spec.source.table) or what)
    return database or f"{table_named(spec.release, 'release').name}.duckdb"


def _readable(spec: Spec, given: str | None) -> str | None:
    """The database to plan against: none is made if there is none yet."""
    database = _database(spec, given)
    if product(database) != "duckdb" or is_remote_database(database) or Path(database).exists():
        return database
    return _existing(given) if spec.source.table is not None else None


def _existing(database: str | None) -> str | None:
    if not database or product(database) != "duckdb" or is_remote_database(database):
        return database
    if not Path(database).exists():
        raise SpecError(f"there is no database {database!r}")
    return database


def _write(file: Path, text: str, ours: str | None = None) -> None:
    """Write a file, in place of none but one that begins as ours do."""
    if file.is_file():
        with file.open(encoding="utf-8", errors="replace") as older:
            if ours is None or older.readline().rstrip("\n") != ours:
                raise SpecError(f"{str(file)!r} is there already: name another file with -o")
    file.write_text(text, encoding="utf-8")


def _settings(resources: dict[str, Any]) -> dict[str, str | int]:
    return {name: value for name, value in resources.items() if value is not None}


def main() -> NoReturn:
    """Run a command; every error is told in words, with its exit code."""
    stopping.listen()
    try:
        cli.main(standalone_mode=False)
        sys.stdout.flush()
    except SqlanonError as error:
        _fail(error, error.exit_code)
    except click.ClickException as error:
        error = hinted(error, sys.argv)
        if "--json" in sys.argv:
            _fail(SpecError(error.format_message()), error.exit_code)
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _fail(InterruptedRunError("interrupted"), InterruptedRunError.exit_code)
    except (_ReaderGoneError, BrokenPipeError):
        _silence()
        sys.exit(READER_GONE)
    except OSError as error:
        if error.filename is None:  # the output itself
            _silence()
        what = "the output" if error.filename is None else repr(str(error.filename))
        _fail(EngineError(f"{what}: {error.strerror}"), EngineError.exit_code)
    except Exception as error:
        _fail(unexpected(error), EngineError.exit_code)
    finally:
        stopping.finish()
    sys.exit(0)


def _silence() -> None:
    """What is left to be written goes nowhere: it would fail again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(error: SqlanonError, code: int) -> NoReturn:
    stopping.finish()
    if "--json" in sys.argv:
        click.echo(json.dumps(views.error_object(error), ensure_ascii=False))
    else:
        click.echo(f"sqlanon: {error}", err=True)
    sys.exit(code)
