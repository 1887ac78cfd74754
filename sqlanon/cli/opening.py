"""The database that a command opens: its options, the same of all commands, and which it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, cast

import click

from sqlanon.api import Database
from sqlanon.cli.options import Command
from sqlanon.engines import Engine, open_engine
from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.files import is_remote_database
from sqlanon.progress import watching
from sqlanon.session import Listener
from sqlanon.source.source import table_named
from sqlanon.spec import Source, Spec, product
from sqlanon.spec.foreign import is_file_name, no_table
from sqlanon.sql.products import known_databases

_LONGEST = 255 - len(".wal")  # bytes of a file's name on common systems, with DuckDB's log
OF_FILE = "; a file is taken with --spec, or with --qi and perhaps --sensitive"


def database_of(spec: Spec, given: str | None) -> str:
    """The file the release goes to: as given, as declared, or named after the release."""
    database = given or spec.database
    if database is None and spec.source.table is not None:
        what = "the source is a table: name its database with --database NAME"
        raise SpecError(Problem("source", no_table(spec.source.table) or what))
    name = f"{table_named(spec.release, 'release').name}.duckdb"
    if database is None and len(os.fsencode(name)) > _LONGEST:
        what = "it is too long for the name of a file, and its database is named after it"
        raise SpecError(Problem("release", f"{what}: shorten it, or name the database"))
    return database or name


def holding(release: str, given: str | None, of_file: str = "") -> str | None:
    """The database that holds a release: as given, or the file that a run names after it.

    Args:
        release: its name.
        given: the database, if one is named.
        of_file: what a command takes a file with, to be said to who names one.

    Raises:
        SpecError: if there is no such file, or a file is named in place of a release.
    """
    if given is None and is_file_name(release):
        what = f"{release!r} is a file, and RELEASE is the name of a release in a database"
        raise SpecError(f"{what}: name it as its spec does, such as {_stem(release)!r}{of_file}")
    name = f"{table_named(release, 'release').name}.duckdb"
    if given is None and not Path(name).exists():
        what = f"there is no database {name!r} here: name the one that holds {release!r}"
        raise SpecError(f"{what} with --database NAME")
    return existing(given or name)


def beside(table: str, given: str | None) -> str | None:
    """The database of a table: as given, or the file that a run names after a release.

    Args:
        table: a table or a file.
        given: the database, if one is named.
    """
    if given is not None or is_remote_database(table) or "table" not in Source.read(table):
        return given
    name = f"{table_named(table, 'table').name}.duckdb"
    return name if Path(name).exists() else None


def held(release: str, given: str | None, of_run: bool) -> str | None:
    """The database of a release that a run made, or of any table.

    Raises:
        SpecError: if there is none, or a file is named in place of a release.
    """
    return holding(release, given, OF_FILE) if of_run else existing(beside(release, given))


def _stem(file: str) -> str:
    return Path(file).name.partition(".")[0]


def readable(spec: Spec, given: str | None) -> str | None:
    """The database to plan against: none is made if there is none yet."""
    database = database_of(spec, given)
    if product(database) != "duckdb" or is_remote_database(database) or Path(database).exists():
        return database
    return existing(given) if spec.source.table is not None else None


def existing(database: str | None) -> str | None:
    """The database that is named, which must be there if it is a file.

    Raises:
        SpecError: if there is no such file.
    """
    if not database or product(database) != "duckdb" or is_remote_database(database):
        return database
    if not Path(database).exists():
        raise SpecError(f"there is no database {database!r}")
    return database


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
