"""Files and frames as batches of text, read by DuckDB, for a database that cannot read them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import duckdb

from sqlanon.engines.duckdb.engine import DuckDBEngine
from sqlanon.engines.duckdb.messages import unreadable
from sqlanon.engines.duckdb.parquet_files import check_values
from sqlanon.errors import EngineError, SpecError
from sqlanon.inputs.source import Source
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Sql, identifier

_BATCH = 10_000
Texts = tuple[str | None, ...]


def check_parquet(
    file: str, by: str, show_errors: bool = False, needed: Collection[str] | None = None
) -> None:
    """Refuse Parquet files of which a database that reads them would change values.

    Raises:
        SpecError: if a column that is needed has such.
    """
    with reader(show_errors) as engine:
        check_values(file, engine, needed, by=by)


@dataclass(frozen=True)
class Batches:
    """Records on their way from a file or a frame: a batch at a time, looked at by nobody.

    Attributes:
        columns: their columns, with DuckDB's types.
        sent: those of them whose values are on their way; nothing reads the others.
        rows: each record's values of these, as text.
    """

    columns: list[Column]
    sent: list[Column]
    rows: Iterator[Texts]


@contextmanager
def reader(show_errors: bool = False) -> Iterator[DuckDBEngine]:
    """DuckDB in this process, for as long as the block lasts."""
    engine = DuckDBEngine()
    engine.driver.shows_errors = show_errors
    try:
        yield engine
    finally:
        engine.close()


@contextmanager
def batches(
    source: Source | Any, show_errors: bool = False, needed: Collection[str] | None = None
) -> Iterator[Batches]:
    """The records of a file or a glob of files, or of a frame.

    Args:
        source: the file or the frame.
        show_errors: whether DuckDB's messages are shown whole.
        needed: the columns whose values are sent; by default all.

    Raises:
        SpecError: if they cannot be read.
    """
    if isinstance(source, duckdb.DuckDBPyRelation):
        raise SpecError("a DuckDB relation is read by DuckDB alone: give its .df(), or a file")
    with reader(show_errors) as engine:
        if isinstance(source, Source):
            yield _read(engine, engine.scan(source, needed), needed)
        else:
            with engine.register(source) as item:
                yield _read(engine, item, needed)


def _read(engine: DuckDBEngine, item: Sql, needed: Collection[str] | None) -> Batches:
    try:
        columns = engine.columns(item)
    except EngineError as error:
        raise unreadable("source", item, error) from None
    sent = [column for column in columns if needed is None or column.name in needed]
    # A bare cast is pushed into the reader of a text file, which then yields the text as it stands
    # there: 31/12/2020, 1,5 or True.
    texts = ", ".join(
        f"case when {name} is not null then cast({name} as varchar) end"
        for name in (identifier(column.name) for column in sent)
    )

    select = f"select {texts} from {item}"

    def rows() -> Iterator[Texts]:
        try:
            found = engine.connection.execute(select)
            while batch := found.fetchmany(_BATCH):
                yield from batch
        except duckdb.Error as error:
            failed = engine.driver.failed(error, sql=select)
            raise unreadable("source", item, failed) from None

    return Batches(columns, sent, rows())


def arrow(source: Source, show_errors: bool = False) -> Any:
    """A text file as an Arrow table, in types that every database has.

    Raises:
        SpecError: if it cannot be read.
    """
    engine, item, select = DuckDBEngine(), Sql(""), ""
    engine.driver.shows_errors = show_errors
    try:
        item = engine.scan(source)
        names = ", ".join(
            identifier(column.name)
            if column.kind != "other"
            else f"cast({identifier(column.name)} as varchar) as {identifier(column.name)}"
            for column in engine.columns(item)
        )
        select = f"select {names} from {item}"
        return engine.connection.sql(select).to_arrow_table()
    except (EngineError, duckdb.Error) as error:
        if not isinstance(error, EngineError):
            error = engine.driver.failed(error, sql=select)
        raise unreadable("source", item, error) from None
    finally:
        engine.close()
