"""Releases side by side."""

from __future__ import annotations

from pathlib import Path

import click

from sqlanon.cli import options
from sqlanon.cli.figures import show_comparison
from sqlanon.cli.output import echo_object
from sqlanon.errors import SpecError
from sqlanon.spec import Source
from sqlanon.spec.foreign import is_file_name
from sqlanon.uses.comparison.comparison import Comparison, check_page


@click.command()
@click.argument("releases", nargs=-1, required=True, metavar="RELEASE RELEASE …")
@options.of_any_table
@click.option("--reference", metavar="TABLE", help="The table that t of a file is measured to.")
@click.option(
    "--attacks", is_flag=True, help="Attack each as well, and set what is found side by side."
)
@click.option("--external", metavar="TABLE", help="A table of persons for the attacks.")
@click.option(
    "--utility", is_flag=True, help="Measure as well what each is good for: reads its source."
)
@click.option(
    "--source",
    metavar="TABLE",
    help="The source of all, where it is not the table that their runs read.",
)
@options.writes("Write them as a page too, .html.", "--html")
@options.OVERWRITE
@options.opens_database(resources=True)
@options.AS_JSON
@options.reading("reference", "external", "source")
def compare(
    releases: tuple[str, ...],
    spec: Path | None,
    qi: list[str] | None,
    sensitive: list[str] | None,
    reference: str | None,
    attacks: bool,
    external: str | None,
    utility: bool,
    source: str | None,
    html: Path | None,
    overwrite: bool,
    opening: options.Opening,
    as_json: bool,
) -> None:
    """Set releases side by side: what each reached and cost, and in what they were asked otherwise.

    A RELEASE is the name of one that a run made, in --database or in the file that its run named
    after it; its metrics are read, and nothing is measured again. With --spec or --qi files and
    tables that no run made are measured, as sqlanon check does. --attacks and --utility add what
    sqlanon attack and sqlanon utility find of each.
    """
    if len(releases) < 2:
        raise SpecError("name two releases or more")
    if html is not None:
        check_page(html, overwrite)
    found = Comparison(())
    for name in releases:
        with opening.open(_where(name, opening.database, spec is None and qi is None)) as db:
            found = found.beside(
                db.compare(
                    name,
                    spec=spec,
                    quasi_identifiers=qi,
                    sensitive=sensitive,
                    reference=reference,
                    attacks=attacks,
                    external=external,
                    utility=utility,
                    source=source,
                )
            )
    if html is not None:
        found.write(html, overwrite)
    if as_json:
        echo_object(found.as_object())
        return
    show_comparison(found)
    if html is not None:
        click.echo(f"Wrote {html}, for you alone.")


def _where(name: str, given: str | None, of_runs: bool) -> str | None:
    """The database of a release, or of another table; none of a file."""
    if of_runs:
        return options.holding(name, given, "; a file is taken with --spec, or with --qi")
    if is_file_name(name) or "table" not in Source.read(name):
        return None
    return options.existing(options.beside(name, given))
