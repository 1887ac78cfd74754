"""Whether a file holds what it was written from: read back, and compared by its hash."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlanon.engines import DuckDBEngine, Engine
from sqlanon.engines.duckdb.exports import (
    AS_EXPORTED,
    Dialect,
    exported_item,
    is_parquet,
    unescaped,
)
from sqlanon.errors import Problem, SpecError
from sqlanon.kept.content import content_of
from sqlanon.spec import Column
from sqlanon.sql.names import Relation, Sql


def cells_of(
    file: Path, names: Sequence[str], escaped: bool = False, dialect: Dialect = AS_EXPORTED
) -> Sql:
    """The FROM item that reads an exported file's cells as they are certified.

    Args:
        file: CSV or Parquet.
        names: the columns of a CSV file, in order.
        escaped: whether its text was escaped for spreadsheets.
        dialect: how a CSV file is written.

    Raises:
        SpecError: if DuckDB cannot read its path.
    """
    types = {} if is_parquet(file) else dict.fromkeys(names, "varchar")
    item = exported_item(file, types, dialect=dialect)
    if not escaped:
        return item
    return Sql(f"(select {', '.join(map(unescaped, names))} from {item})")


def check_written(
    file: Path,
    relation: Relation,
    columns: Sequence[Column],
    engine: Engine,
    escaped: bool = False,
) -> None:
    """Refuse a file that does not hold the cells of the relation that it was written from.

    Args:
        file: as it was written.
        relation: what it was written from.
        columns: of it, in order.
        engine: where the relation is.
        escaped: whether its text was escaped for spreadsheets.

    Raises:
        SpecError: naming the column that differs.
        EngineError: if a database fails.
    """
    names = [one.name for one in columns]
    cells, reader = cells_of(file, names, escaped), DuckDBEngine()
    try:

        def differs(some: list[str]) -> bool:
            return content_of(relation, some, engine) != content_of(cells, some, reader)

        if not differs(names):
            return
        at_fault = next((one for one in columns if differs([one.name])), None)
    finally:
        reader.close()
    ending = file.suffix.lower()
    if at_fault is None:
        what = f"read back, the {ending} file is not what it was written from: export it again"
    else:
        other = "cast it to text or a number in a query"
        if is_parquet(file):
            other = f"export to .csv, or {other}"
        what = (
            f"a {ending} file does not hold the column {at_fault.name!r}, of type "
            f"{at_fault.shown_type}, as it is, so that none was written: {other}"
        )
    raise SpecError(Problem("release", what))
