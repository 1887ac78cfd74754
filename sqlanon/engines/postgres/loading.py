"""Records of the client's, loaded into a temporary table of PostgreSQL."""

from __future__ import annotations

import re

from sqlanon.engines.loading import Batches
from sqlanon.engines.postgres.driver import PostgresDriver
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


def load(driver: PostgresDriver, table: Relation, records: Batches) -> Sql:
    """Make a temporary table of records; the item of a FROM clause that reads it."""
    place, step = table.sql, "loading the source"
    names = [identifier(column.name) for column in records.columns]
    types = [_type(column.type) for column in records.columns]
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(names, types, strict=True))
    driver.execute(f"create temporary table {place} ({columns})", step)
    driver.copy(f"copy {place} ({', '.join(names)}) from stdin", records.rows, step)
    driver.execute(f"analyze {place}", step)
    return place


def _type(duckdb_type: str) -> str:
    found = ((re.fullmatch(form, duckdb_type), name) for form, name in _TYPES)
    return next(match.expand(name) for match, name in found if match)
