"""What a reader of a release could find out."""

from __future__ import annotations

from pathlib import Path

import click

from sqlanon import api
from sqlanon.cli import objects
from sqlanon.cli.attacks import show_attacked
from sqlanon.cli.databases import beside, existing, holding
from sqlanon.cli.options import AS_JSON, DATABASE, QUIET, SHOW_ERRORS
from sqlanon.cli.output import echo_object
from sqlanon.progress import watching

_OF_FILE = "; a file is attacked with --spec, or with --qi and perhaps --sensitive"


@click.command()
@click.argument("release")
@click.option(
    "--external", metavar="TABLE", help="A table of persons: a file, or a table of the database."
)
@click.option("--on", metavar="A,B,…", help="The quasi-identifiers that it tells; by default all.")
@click.option("--keep", is_flag=True, help="Keep what is found of every class and person.")
@click.option("--spec", type=click.Path(path_type=Path), help="The spec that RELEASE is of.")
@click.option("--qi", metavar="A,B,…", help="The quasi-identifiers of a table without a spec.")
@click.option("--sensitive", metavar="C,…", help="Its sensitive attributes.")
@DATABASE
@SHOW_ERRORS
@AS_JSON
@QUIET
def attack(
    release: str,
    external: str | None,
    on: str | None,
    keep: bool,
    spec: Path | None,
    qi: str | None,
    sensitive: str | None,
    database: str | None,
    show_database_errors: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Attack RELEASE as its readers could, and count what is found out.

    RELEASE is the name of a release that a run made; or with --spec or --qi any table or file.
    Linking and membership need --external, a table of persons under the source's names of the
    columns: the source itself is the worst case. Nothing is written without --keep.
    """
    of_run = spec is None and qi is None
    held = holding(release, database, _OF_FILE) if of_run else existing(beside(release, database))
    with watching(not (as_json or quiet), log=True) as listener:
        found = api.attack(
            release,
            external=external,
            on=_names(on),
            keep=keep,
            spec=spec,
            quasi_identifiers=_names(qi),
            sensitive=_names(sensitive),
            database=held,
            progress=listener or False,
            show_database_errors=show_database_errors,
        )
    if as_json:
        echo_object(objects.attacked_object(found))
    else:
        show_attacked(found)


def _names(given: str | None) -> list[str] | None:
    return None if given is None else [name.strip() for name in given.split(",") if name.strip()]
