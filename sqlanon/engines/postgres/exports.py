"""Files of a published relation: as text from PostgreSQL, then typed by DuckDB."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlanon.engines.duckdb.engine import DuckDBEngine
from sqlanon.engines.duckdb.exports import copying, exported_item, is_parquet, kept
from sqlanon.engines.postgres.driver import PostgresDriver
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Sql, identifier

_STEP = "writing a file"
# DuckDB's names of the types; all other types are text to it. In a text file dates are no other
# than text, and PostgreSQL's are written as DuckDB's are, but for those before Christ, which DuckDB
# would not read.
_TYPES = (
    (r"smallint|integer|bigint|date|boolean|real", r"\g<0>"),
    (r"double precision", "double"),
    (r"numeric(\((?:[0-9]|[12][0-9]|3[0-8]),\d+\))", r"decimal\1"),
    (r"timestamp(\(\d\))? without time zone", "timestamp"),
    (r".*", "varchar"),
)


def export(
    driver: PostgresDriver,
    table: Sql,
    columns: Sequence[Column],
    file: Path,
    escaped: bool = False,
) -> None:
    """Write columns of a table to a file, so that it is byte for byte the file DuckDB writes.

    The text that the server sends lies next to it, in a folder of its own, for as long as this
    takes.
    """
    names = ", ".join(identifier(one.name) for one in columns)
    with TemporaryDirectory(prefix=".sqlanon-", dir=file.parent) as folder:
        text = Path(folder) / "text.csv"
        # As text like the hash of a certificate: without the blanks that a char(n) ends in.
        texts = ", ".join(_text(one) if is_parquet(file) else _plain(one) for one in columns)
        driver.copy_out(f"copy (select {texts} from {table}) to stdout (format csv)", text, _STEP)
        engine = DuckDBEngine()
        engine.driver.shows_errors = driver.shows_errors
        try:
            types = {one.name: _type(one, file) for one in columns}
            item = exported_item(text, types, header=False)
            if escaped:
                names = ", ".join(kept(one, file, escaped=True) for one in columns)
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


def _type(column: Column, file: Path) -> str:
    if column.kind in ("date", "timestamp") and not is_parquet(file):
        return "varchar"
    found = ((re.fullmatch(form, column.type), name) for form, name in _TYPES)
    return next(match.expand(name) for match, name in found if match)
