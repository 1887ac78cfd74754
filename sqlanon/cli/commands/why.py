"""What keeps the classes of a release large."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict

import click
from rich.markup import escape

from sqlanon.cli.databases import holding
from sqlanon.cli.options import AS_JSON, DATABASE, SHOW_ERRORS
from sqlanon.cli.output import echo_object
from sqlanon.cli.tables import blank, show_sample, terminal
from sqlanon.engines import open_engine
from sqlanon.release.recorded import recorded
from sqlanon.release.why import Why
from sqlanon.release.why import why as look


@click.command()
@click.argument("release")
@DATABASE
@SHOW_ERRORS
@AS_JSON
def why(release: str, database: str | None, show_database_errors: bool, as_json: bool) -> None:
    """Show what keeps the classes of RELEASE as large as they are: which models, and where.

    It is for the publisher: it shows figures of single classes.
    """
    opened = open_engine(holding(release, database), show_database_errors=show_database_errors)
    with closing(opened) as engine:
        found = look(recorded(release, engine))
    if as_json:
        echo_object(asdict(found))
    else:
        _show(found)


def _show(found: Why) -> None:
    console = terminal()
    right = ("asked for", "reached", "classes at it", "records")
    table = blank(f"{found.release}: {found.classes:,} classes", ("model", "of", *right), right)
    for one in found.edges:
        reached = "" if one.reached is None else f"{one.reached:.4g}"
        of = escape(one.attribute or "every class")
        table.add_row(one.title, of, one.asked, reached, f"{one.classes:,}", f"{one.records:,}")
    table.add_row("none of these", "", "", "", f"{found.free_classes:,}", f"{found.free_records:,}")
    console.print(table)
    names = list(found.largest[0].cells) if found.largest else []
    rows = [
        (
            one.class_id,
            f"{one.records:,}",
            "; ".join(_title(found, place) for place in one.edges) or "none",
            *one.cells.values(),
        )
        for one in found.largest
    ]
    show_sample(console, "The largest classes", ("class", "records", "at", *names), rows)


def _title(found: Why, place: int) -> str:
    edge = found.edges[place]
    return f"{edge.title} of {edge.attribute}" if edge.attribute else edge.title
