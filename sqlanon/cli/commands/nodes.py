"""The choices of levels that a search judged, and another one of them published."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from sqlanon.cli import views
from sqlanon.cli.options import AS_JSON, OVERWRITE, Opening, holding, opens_database, writes
from sqlanon.cli.output import echo_object, next_command
from sqlanon.cli.views import show_table, terminal
from sqlanon.errors import SpecError
from sqlanon.spec import shown
from sqlanon.uses.certificates.export import check_target
from sqlanon.uses.reports.nodes import Nodes
from sqlanon.uses.reports.report import REPORT_ENDINGS

_ROWS = 40


@click.command()
@click.argument("release")
@click.option(
    "--publish", type=int, metavar="N", help="Publish choice N: run the spec with its levels."
)
@click.option(
    "--as",
    "name",
    metavar="NAME",
    help="The name of the release of choice N; by default RELEASE_node_N.",
)
@writes("Write the choices as a page too, .html, with a map of them.", "--html")
@OVERWRITE
@opens_database(resources=True)
@AS_JSON
def nodes(
    release: str,
    publish: int | None,
    name: str | None,
    html: Path | None,
    overwrite: bool,
    opening: Opening,
    as_json: bool,
) -> None:
    """Show the choices of levels that the search for RELEASE judged, and publish another one.

    A method that searches for levels (optimal, samarati, incognito, datafly) keeps what it found of
    each: what it loses, how many records it leaves out, and whether it holds. They are for the
    publisher. With --publish the spec of the run is run again with the levels of one choice, and
    passes the gate like any other; RELEASE stays.
    """
    if name is not None and publish is None:
        raise SpecError("--as names what --publish N publishes: say which choice")
    if html is not None:
        check_target(html, REPORT_ENDINGS, overwrite)
    database = holding(release, opening.database)
    with opening.open(database) as db:
        found = db.nodes(release)
        if html is not None:
            found.write(html, overwrite)
        if publish is not None:
            made = db.run(found.spec(publish, name))
            if as_json:
                echo_object(views.release_object(made))
            else:
                views.show_release(made, shown(database or ""))
            return
    if as_json:
        echo_object(found.as_object())
        return
    _show(found, release)
    if html is not None:
        click.echo(f"Wrote {html}, for you alone.")


def _show(found: Nodes, release: str) -> None:
    """The first choices, and how another one is published."""
    console = terminal()
    show_table(console, found.table(_ROWS))
    if len(found.nodes) > _ROWS:
        console.print(
            f"{_ROWS} of {len(found.nodes):,} are shown; --json and --html have more.",
            highlight=False,
        )
    console.print(
        "Level 0 is the values as they are. Of a choice that fails, the loss and the records are "
        "the least that is known.",
        highlight=False,
    )
    others = [node for node in found.holding if not node.chosen]
    if others:
        command = next_command("nodes", release, "--publish", str(others[0].number))
        console.print(f"To publish another one: {escape(command)}", highlight=False, soft_wrap=True)
