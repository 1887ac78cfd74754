"""Tables that a transaction of PostgreSQL fills, from files and for them.

Records of the client's are loaded into a temporary table. A published relation is written to files
as text from PostgreSQL, then typed by DuckDB. PostgreSQL locks every table that a transaction makes
for as long as it lasts, and has room for some thousands. So a work table that is dropped is
emptied, and filled again if its columns are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from secrets import token_hex

from sqlanon.common.files import temporary_folder
from sqlanon.engines.duckdb.engine import DuckDBEngine
from sqlanon.engines.duckdb.exports import copying, exported_item, is_parquet, kept
from sqlanon.engines.loading import Batches
from sqlanon.engines.postgres.catalog import SYSTEM_COLUMNS
from sqlanon.engines.postgres.driver import Described, PostgresDriver
from sqlanon.errors import Problem, SpecError
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Relation, Sql, identifier

# The types that hold DuckDB's values, by the form of their names; text holds all others.
_TYPES = (
    (r"U?TINYINT|SMALLINT", "smallint"),
    (r"USMALLINT|INTEGER", "integer"),
    (r"UINTEGER|BIGINT", "bigint"),
    (r"U?(BIG|HUGE)INT", "numeric(39,0)"),
    (r"DECIMAL(\(.*\))", r"numeric\1"),
    (r"FLOAT", "real"),
    (r"DOUBLE", "double precision"),
    (r"DATE", "date"),
    (r"TIMESTAMP WITH TIME ZONE", "timestamp with time zone"),
    (r"TIMESTAMP.*", "timestamp"),
    (r"BOOLEAN", "boolean"),
    (r".*", "text"),
)
_HOLDS = "its column {!r} holds {}, or give the column no role"
_MICROSECONDS = 6  # digits behind the point


def load(driver: PostgresDriver, table: Relation, records: Batches) -> Sql:
    """Make a temporary table of records; the item of a FROM clause that reads it.

    Raises:
        SpecError: if PostgreSQL cannot hold a column's name, or a text in it.
    """
    name, step = table.sql, "loading the source"
    for column in records.sent:
        if column.name in SYSTEM_COLUMNS:
            what = f"{column.name!r} is the name of a column of PostgreSQL's own: rename it"
            raise SpecError(Problem("source", what))
    names = [identifier(column.name) for column in records.sent]
    types = [_type(column.type) for column in records.sent]
    columns = ", ".join(f"{column} {kind}" for column, kind in zip(names, types, strict=True))
    driver.execute(f"create temporary table {name} ({columns})", step)
    if names:
        copy = f"copy {name} ({', '.join(names)}) from stdin"
        driver.copy(copy, _held(records), step)
    driver.execute(f"analyze {name}", step)
    return name


def typed(columns: Sequence[Column]) -> Sql:
    """A FROM item without rows that has the columns of records, in the types they would have.

    They are called by their places: PostgreSQL may have no such names.
    """
    nulls = ", ".join(
        f"cast(null as {_type(column.type)}) as c{index}" for index, column in enumerate(columns)
    )
    return Sql(f"(select {nulls} limit 0)")


def _held(records: Batches) -> Iterator[tuple[str | None, ...]]:
    """The records, none of which holds what PostgreSQL cannot."""
    for row in records.rows:
        for column, value in zip(records.sent, row, strict=True):
            if value is not None and "\0" in value:
                what = "NUL characters, which text in PostgreSQL cannot: take them out"
                raise SpecError(Problem("source", _HOLDS.format(column.name, what)))
            if value is not None and column.type == "TIMESTAMP_NS" and _is_finer(value):
                what = "times to the nanosecond, which PostgreSQL rounds: round them, or give text"
                raise SpecError(Problem("source", _HOLDS.format(column.name, what)))
        yield row


def _is_finer(instant: str) -> bool:
    """Whether a time is written to more than the microsecond."""
    return len(instant.partition(".")[2].rstrip("0")) > _MICROSECONDS


def _type(duckdb_type: str) -> str:
    found = ((re.fullmatch(form, duckdb_type), name) for form, name in _TYPES)
    return next(match.expand(name) for match, name in found if match)


class TransactionTables:
    """The tables that a transaction has made, emptied and set aside, each by its full name."""

    def __init__(self, driver: PostgresDriver) -> None:
        self._driver = driver
        self._forms: dict[Relation, Described | None] = {}  # None: nobody has asked yet
        self._emptied: set[Relation] = set()
        self._aside: dict[Relation, Relation] = {}

    def make(self, relation: Relation, select: str, step: str) -> int | None:
        """A work table of a SELECT; how many rows it has."""
        run, name = self._driver.execute, relation.sql
        if not self.empty(relation):
            run(f"drop table if exists {name}", step)
        elif not self._has_form(relation, self._driver.described(select, step), step):
            self.remove(relation)
        if relation in self._forms:
            made = run(f"insert into {name}\n{select}", step).made
        else:
            made = run(f"create temporary table {name} as\n{select}", step).made
            self._forms[relation] = None
        self._emptied.discard(relation)
        run(f"analyze {name}", step)
        return made

    def _has_form(self, relation: Relation, form: Described, step: str) -> bool:
        """Whether a work table has such columns."""
        known = self._forms[relation]
        if known is None:
            known = self._driver.described(f"select * from {relation.sql}", step)
            self._forms[relation] = known
        return known == form

    def remove(self, relation: Relation) -> None:
        """Drop a work table that was only emptied: its name is wanted for something else."""
        if relation in self._forms:
            del self._forms[relation]
            self._emptied.discard(relation)
            self._driver.execute(f"drop table {relation.sql}")

    def empty(self, relation: Relation) -> bool:
        """Empty a work table, if it is one of this transaction."""
        if relation in self._forms and relation not in self._emptied:
            self._driver.execute(f"truncate {relation.sql}")
            self._emptied.add(relation)
        return relation in self._forms

    def set_aside(self, relation: Relation) -> None:
        """Rename a table that is replaced: a view of it may be replaced only after it."""
        aside = Relation(f"sqlanon_old_{token_hex(8)}", relation.path)
        self._driver.execute(f"alter table {relation.sql} rename to {identifier(aside.name)}")
        self._aside[relation] = aside

    def drop_spare(self) -> None:
        """Drop what was set aside, and what was emptied."""
        for relation, aside in self._aside.items():
            self._driver.execute(f"drop table {aside.sql}", f"replacing {relation}")
        if self._emptied:
            emptied = ", ".join(relation.sql for relation in self._emptied)
            self._driver.execute(f"drop table {emptied}")


_STEP = "writing a file"
# DuckDB's names of the types; all other types are text to it. In a text file dates are no other
# than text, and PostgreSQL's are written as DuckDB's are, but for those before Christ, which DuckDB
# would not read.
_TYPES_OF_FILES = (
    (r"smallint|integer|bigint|date|boolean|real", r"\g<0>"),
    (r"double precision", "double"),
    (r"numeric(\((?:[0-9]|[12][0-9]|3[0-8]),\d+\))", r"decimal\1"),
    (r"timestamp(\(\d\))? without time zone", "timestamp"),
    (r".*", "varchar"),
)


def export(
    driver: PostgresDriver, table: Sql, columns: Sequence[Column], file: Path, escaped: bool = False
) -> None:
    """Write columns of a table to a file, so that it is byte for byte the file DuckDB writes.

    The text that the server sends lies next to it, in a folder of its own, for as long as this
    takes.
    """
    names = ", ".join(identifier(column.name) for column in columns)
    with temporary_folder(file.parent) as folder:
        text = folder / "text.csv"
        # As text like the hash of a certificate: without the blanks that a char(n) ends in.
        texts = ", ".join(
            _text(column) if is_parquet(file) else _plain(column) for column in columns
        )
        driver.copy_out(f"copy (select {texts} from {table}) to stdout (format csv)", text, _STEP)
        engine = DuckDBEngine()
        engine.driver.shows_errors = driver.shows_errors
        try:
            types = {column.name: _type_of_file(column, file) for column in columns}
            item = exported_item(text, types, header=False)
            if escaped:
                names = ", ".join(kept(column, file, escaped=True) for column in columns)
            engine.driver.execute(copying(f"select {names} from {item}", file), _STEP)
        finally:
            engine.close()


def _plain(column: Column) -> str:
    return f"cast({identifier(column.name)} as text)"


def _text(column: Column) -> str:
    """A column as text that DuckDB reads in its own type."""
    if column.kind in ("date", "timestamp"):
        return f"regexp_replace({_plain(column)}, '^(\\S+)( \\S+)? BC$', '\\1 (BC)\\2')"
    return _plain(column)


def _type_of_file(column: Column, file: Path) -> str:
    if column.kind in ("date", "timestamp") and not is_parquet(file):
        return "varchar"
    found = ((re.fullmatch(form, column.type), name) for form, name in _TYPES_OF_FILES)
    return next(match.expand(name) for match, name in found if match)
