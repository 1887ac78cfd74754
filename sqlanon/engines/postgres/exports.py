"""Files of a published relation: as text from PostgreSQL, then typed by DuckDB."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlanon.engines.duckdb.engine import DuckDBEngine
from sqlanon.engines.duckdb.exports import copying, exported_item, kept
from sqlanon.engines.postgres.driver import PostgresDriver
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Sql, identifier

_STEP = "writing a file"
# What DuckDB calls the types; all others are text to it.
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

    The text that the server sends lies beside it, in a folder of its own, for as long as this
    takes.
    """
    names = ", ".join(identifier(one.name) for one in columns)
    with TemporaryDirectory(prefix=".sqlanon-", dir=file.parent) as folder:
        text = Path(folder) / "text.csv"
        # As text like the hash of a certificate: without the blanks that a char(n) ends in.
        texts = ", ".join(f"cast({identifier(one.name)} as text)" for one in columns)
        driver.copy_out(f"copy (select {texts} from {table}) to stdout (format csv)", text, _STEP)
        engine = DuckDBEngine()
        engine.driver.shows_errors = driver.shows_errors
        try:
            item = exported_item(text, {one.name: _type(one.type) for one in columns}, header=False)
            if escaped:
                names = ", ".join(kept(one, file, escaped=True) for one in columns)
            engine.driver.execute(copying(f"select {names} from {item}", file), _STEP)
        finally:
            engine.close()


def _type(postgres_type: str) -> str:
    found = ((re.fullmatch(form, postgres_type), name) for form, name in _TYPES)
    return next(match.expand(name) for match, name in found if match)
