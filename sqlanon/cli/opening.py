"""The options by which a command opens its database: the same of all commands, in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, cast

import click

from sqlanon.api import Database
from sqlanon.cli.options import Command
from sqlanon.engines import Engine, open_engine
from sqlanon.progress import watching
from sqlanon.session import Listener
from sqlanon.sql.products import known_databases

_DATABASE = click.option(
    "--database",
    metavar="NAME",
    help=f"The database of the source or of the release: {known_databases()}.",
)
_SHOW_ERRORS = click.option(
    "--show-database-errors",
    is_flag=True,
    help="Show the database's own messages whole, to find a fault: they may quote the data.",
)
_QUIET = click.option("--quiet", is_flag=True, help="No progress.")
_RESOURCES = (
    click.option("--temp-directory", metavar="DIR", help="Where to spill to."),
    click.option("--threads", type=click.IntRange(1, 1024), help="How many threads to use."),
    click.option("--memory-limit", metavar="SIZE", help="Such as 4GB; spills to disk beyond."),
)
_SETTINGS = ("memory_limit", "threads", "temp_directory")


@dataclass(frozen=True)
class Opening:
    """How a command opens its database.

    Attributes:
        database: what ``--database`` names.
        show_database_errors: whether the database's messages are shown whole.
        quiet: whether no progress is shown.
        settings: the database's settings.
    """

    database: str | None = None
    show_database_errors: bool = False
    quiet: bool = False
    settings: dict[str, str | int] = field(default_factory=dict)

    @contextmanager
    def open(self, database: str | None) -> Iterator[Database]:
        """A database, opened by what is first done in it, and closed at the end.

        Args:
            database: its name; where None, the one that a spec names, or in memory.
        """
        with (
            self.watching() as listener,
            Database(
                database,
                settings=self.settings,
                progress=listener or False,
                show_database_errors=self.show_database_errors,
            ) as opened,
        ):
            yield opened

    @contextmanager
    def engine(self, database: str | None) -> Iterator[Engine]:
        """The engine of a database, for what takes more than one call."""
        opened = open_engine(database, None, self.settings, self.show_database_errors)
        with closing(opened) as engine:
            yield engine

    @contextmanager
    def watching(self) -> Iterator[Listener | None]:
        """The listener that shows how the command comes along."""
        with watching(not self.quiet, log=True) as listener:
            yield listener


def opens_database(progress: bool = True, resources: bool = False) -> Callable[[Command], Command]:
    """The options of a command that opens a database; it is given them as ``opening``.

    Args:
        progress: whether it shows progress.
        resources: whether it lets users bound what is used.
    """

    def decorated(command: Command) -> Command:
        @wraps(command)
        def opens(*args: Any, **given: Any) -> Any:
            settings = {name: given.pop(name) for name in _SETTINGS if name in given}
            opening = Opening(
                given.pop("database"),
                given.pop("show_database_errors"),
                given.pop("quiet", True) or given.get("as_json", False),
                {name: value for name, value in settings.items() if value is not None},
            )
            return command(*args, opening=opening, **given)

        options = [*(_RESOURCES if resources else ()), *([_QUIET] if progress else [])]
        found = cast(Command, opens)
        for option in (*options, _SHOW_ERRORS, _DATABASE):
            found = option(found)
        return found

    return decorated
