"""A report of a release for people to read."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from sqlanon.certificates.export import check_place
from sqlanon.cli.databases import holding
from sqlanon.cli.options import DATABASE, OVERWRITE, SHOW_ERRORS, reading
from sqlanon.engines import open_engine
from sqlanon.kept.content import held
from sqlanon.profile.beside import sections_beside
from sqlanon.reports.report import REPORT_ENDINGS
from sqlanon.reports.report import report as write
from sqlanon.spec import parse_source


@click.command()
@click.argument("release")
@DATABASE
@SHOW_ERRORS
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file, .html; by default RELEASE.html.",
)
@click.option(
    "--external",
    is_flag=True,
    help="For others: no figures of classes or sensitive values, no source, seed or SQL.",
)
@click.option(
    "--source",
    metavar="TABLE",
    help="What it was made of: adds its utility, and the risk before and after.",
)
@OVERWRITE
@reading("source")
def report(
    release: str,
    database: str | None,
    show_database_errors: bool,
    output: Path | None,
    external: bool,
    source: str | None,
    overwrite: bool,
) -> None:
    """Write what was declared for RELEASE and what was reached, as a page for people to read.

    It is one HTML file that needs nothing else: for a browser, and for paper. The source is read
    only if it is given.
    """
    file = output or Path(f"{release}.html")
    check_place(file, REPORT_ENDINGS, overwrite)
    opened = open_engine(holding(release, database), show_database_errors=show_database_errors)
    with closing(opened) as engine:
        past = held(release, engine)
        read = None if source is None else parse_source(source)
        beside = () if read is None else sections_beside(past, read, external)
        write(past, file, external, overwrite, beside)
    click.echo(f"Wrote {file}, {'to hand out' if external else 'for you alone'}.")
