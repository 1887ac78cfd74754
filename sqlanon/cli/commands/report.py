"""A report of a release for people to read."""

from __future__ import annotations

from pathlib import Path

import click

from sqlanon.cli.options import OVERWRITE, Opening, holding, opens_database, reading, writes
from sqlanon.uses.certificates.export import check_target
from sqlanon.uses.reports.report import REPORT_ENDINGS


@click.command()
@click.argument("release")
@opens_database(progress=False)
@writes("The file, .html; by default RELEASE.html.")
@click.option(
    "--external",
    is_flag=True,
    help="For others: no figures of classes or sensitive values, no source, seed or SQL.",
)
@click.option(
    "--source",
    metavar="TABLE",
    help="The release's source: adds its utility, and the risk before and after.",
)
@OVERWRITE
@reading("source")
def report(
    release: str,
    opening: Opening,
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
    check_target(file, REPORT_ENDINGS, overwrite)
    with opening.open(holding(release, opening.database)) as db:
        db.report(release, file, source=source, external=external, overwrite=overwrite)
    click.echo(f"Wrote {file}, {'to hand out' if external else 'for you alone'}.")
