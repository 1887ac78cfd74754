"""Records of the client's, loaded into a temporary table of PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlanon.engines.loading import Batches
from sqlanon.engines.postgres.catalog import SYSTEM_COLUMNS
from sqlanon.engines.postgres.driver import PostgresDriver
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
    place, step = table.sql, "loading the source"
    for column in records.sent:
        if column.name in SYSTEM_COLUMNS:
            what = f"{column.name!r} is the name of a column of PostgreSQL's own: rename it"
            raise SpecError(Problem("source", what))
    names = [identifier(column.name) for column in records.sent]
    types = [_type(column.type) for column in records.sent]
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(names, types, strict=True))
    driver.execute(f"create temporary table {place} ({columns})", step)
    if names:
        copy = f"copy {place} ({', '.join(names)}) from stdin"
        driver.copy(copy, _held(records), step)
    driver.execute(f"analyze {place}", step)
    return place


def typed(columns: Sequence[Column]) -> Sql:
    """A FROM item without rows that has the columns of records, in the types they would have.

    They are called by their places: PostgreSQL may have no such names.
    """
    nulls = ", ".join(
        f"cast(null as {_type(column.type)}) as c{place}" for place, column in enumerate(columns)
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
