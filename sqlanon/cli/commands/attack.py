"""The attacks on a release: what a reader could find out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sqlanon.cli import options
from sqlanon.cli.figures import show_attacked
from sqlanon.cli.output import echo_object
from sqlanon.uses.attacks.findings import Attacked


def attacked_object(found: Attacked) -> dict[str, Any]:
    """The findings of an attack, for programs."""
    return {
        "release": found.release,
        "persons": found.persons,
        "findings": [finding.as_object() for finding in found.findings],
        "notes": dict(found.notes),
        "kept": [str(relation) for relation in found.relations],
        "remarks": list(found.remarks),
    }


@click.command()
@click.argument("release")
@click.option(
    "--external", metavar="TABLE", help="A table of persons: a file, or a table of the database."
)
@click.option(
    "--source", metavar="TABLE", help="The source of a release of groups: a file, or a table."
)
@click.option(
    "--background",
    metavar="TABLE",
    help="A reader's knowledge: quasi-identifiers, a sensitive attribute, probability.",
)
@options.columns_option(
    "--on",
    about="The columns that it knows: quasi-identifiers, by default all, and insensitive columns; "
    "of slices, with --source alone, sensitive columns as well.",
)
@click.option("--keep", is_flag=True, help="Keep the findings of every class and person.")
@options.of_any_table
@options.SUPPRESSED
@options.opens_database()
@options.AS_JSON
@options.reading("release", "external", "source", "background")
def attack(
    release: str,
    external: str | None,
    source: str | None,
    background: str | None,
    on: list[str] | None,
    keep: bool,
    spec: Path | None,
    qi: list[str] | None,
    sensitive: list[str] | None,
    suppressed: tuple[str, ...],
    opening: options.Opening,
    as_json: bool,
) -> None:
    """Attack RELEASE as its readers could, and count the findings.

    RELEASE is the name of a release that a run made, or with --spec or --qi any table or file.
    Linking and membership need --external, a table of persons under the source's column names. The
    source itself is the worst case. For a release of groups, --source counts the tuples that the
    groups allow and no record has. --background tells how sure a reader is who knows more. Only
    --keep writes anything.
    """
    database = options.held(release, opening.database, of_run=spec is None and qi is None)
    with opening.open(database) as db:
        found = db.attack(
            release,
            external=external,
            source=source,
            background=background,
            on=on,
            keep=keep,
            spec=spec,
            quasi_identifiers=qi,
            sensitive=sensitive,
            suppressed=suppressed,
        )
    if as_json:
        echo_object(attacked_object(found))
    else:
        show_attacked(found)
