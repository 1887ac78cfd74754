"""Which database a command opens."""

from __future__ import annotations

import os
from pathlib import Path

from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.addresses import is_remote_database
from sqlanon.source.source import table_named
from sqlanon.spec import Source, Spec, product
from sqlanon.spec.foreign import is_file_name, no_table

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
