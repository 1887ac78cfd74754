"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from sqlanon.sql.products import known_databases

Command = TypeVar("Command", bound=Callable[..., Any])

DATABASE = click.option(
    "--database",
    metavar="NAME",
    help=f"What holds the source or the release: {known_databases()}.",
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
SHOW_ERRORS = click.option(
    "--show-database-errors",
    is_flag=True,
    help="Show the database's own messages whole, to find a fault: they may quote the data.",
)
AFTER = click.option(
    "--after",
    multiple=True,
    metavar="RELEASE",
    help="An earlier release of the same persons: what readers of both can find out is held too. "
    "Those that it came after count as well.",
)
OVERWRITE = click.option("--overwrite", is_flag=True, help="Replace files that are there.")
ESCAPE_FORMULAS = click.option(
    "--escape-formulas",
    is_flag=True,
    help="In .csv put a quote before text that a spreadsheet would take for a formula.",
)
QUIET = click.option("--quiet", is_flag=True, help="No progress.")


def of_any_table(command: Command) -> Command:
    """The options that say what the columns of a table are that no run made."""
    for option in (
        click.option("--sensitive", metavar="C,…", help="Its sensitive attributes."),
        click.option("--qi", metavar="A,B,…", help="The quasi-identifiers of a table without one."),
        click.option(
            "--spec", type=click.Path(path_type=Path), help="The spec that RELEASE is of."
        ),
    ):
        command = option(command)
    return command


def names(given: str | None) -> list[str] | None:
    """Names that are separated by commas."""
    return None if given is None else [name.strip() for name in given.split(",") if name.strip()]


def resources(command: Command) -> Command:
    """The options that bound what a run may use."""
    for option in (
        click.option("--memory-limit", metavar="SIZE", help="Such as 4GB; spills to disk beyond."),
        click.option("--threads", type=click.IntRange(1, 1024), help="How many threads to use."),
        click.option("--temp-directory", metavar="DIR", help="Where to spill to."),
    ):
        command = option(command)
    return command


def settings(given: Mapping[str, Any]) -> dict[str, str | int]:
    """The database's settings that the options of `resources` ask for."""
    return {name: value for name, value in given.items() if value is not None}
