"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

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
AFTER = click.option(
    "--after",
    multiple=True,
    metavar="RELEASE",
    help="An earlier release of the same persons: what readers of both can find out is held too. "
    "Those that it came after count as well.",
)
OVERWRITE = click.option("--overwrite", is_flag=True, help="Replace files that are there.")
QUIET = click.option("--quiet", is_flag=True, help="No progress.")


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
