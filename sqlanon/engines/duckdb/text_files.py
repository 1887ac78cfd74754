"""How DuckDB reads a text file: as declared, and what is found out so that no value changes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import duckdb

from sqlanon.errors import EngineError, Problem, SpecError, nearest_column
from sqlanon.spec.columns import Column
from sqlanon.spec.source import COLUMN_TYPES, Source
from sqlanon.sql import load_template
from sqlanon.sql.names import Sql, identifier, literal

if TYPE_CHECKING:
    from sqlanon.engines.duckdb.engine import DuckDBEngine


def file_item(source: Source) -> Sql:
    """The FROM item by which DuckDB reads files; text has a header line."""
    path = literal(source.file)
    if not source.is_text:
        return Sql(f"read_parquet({path})")
    options = ["header = true", "sample_size = -1"]
    if source.delimiter:
        options.append(f"delim = {literal(source.delimiter)}")
    if source.decimal:
        options.append(f"decimal_separator = {literal(source.decimal)}")
    if source.encoding:
        options.append(f"encoding = {literal(source.encoding)}")
    if source.nullstr:
        texts = ", ".join(map(literal, dict.fromkeys(("", *source.nullstr))))
        options.append(f"nullstr = [{texts}]")
    if source.columns:
        types = (
            f"{literal(name)}: {literal(COLUMN_TYPES.get(kind.lower(), kind))}"
            for name, kind in source.columns.items()
        )
        options.append(f"types = {{{', '.join(types)}}}")
    return Sql(f"read_csv({path}, {', '.join(options)})")


def as_written(source: Source, engine: DuckDBEngine) -> tuple[Sql, list[Column] | None]:
    """The item that reads a text file so that what is published is what the file says.

    DuckDB takes yes, t or TRUE for truth, and would write it true: such columns are read as text,
    and as booleans only where a file says true and false, or the spec says so.

    Returns:
        The item, and its columns; None if it cannot be read.

    Raises:
        SpecError: if a column whose type is declared is not in the file, or not of the type.
    """
    item = file_item(source)
    try:
        columns = engine.describe(item)
    except EngineError:
        _check_declared(source, engine)
        return item, None
    _check_values(source, item, engine)
    found = [
        one.name for one in columns if one.kind == "boolean" and one.name not in source.columns
    ]
    if not found:
        return item, columns
    counting = load_template("source/other_booleans", engine.dialect)
    as_text = file_item(_declaring(source, found))
    select = counting.render({"source": as_text}, {"columns": found})
    others = engine.fetch(select, 1, "reading the source").rows[0]
    words = [name for name, other in zip(found, others, strict=True) if other]
    text = COLUMN_TYPES["text"]
    columns = [Column(one.name, text, "text") if one.name in words else one for one in columns]
    return file_item(_declaring(source, words)), columns


def _declaring(source: Source, texts: list[str]) -> Source:
    columns = {**source.columns, **dict.fromkeys(texts, "text")}
    return source.model_copy(update={"columns": columns})


def _check_declared(source: Source, engine: DuckDBEngine) -> None:
    """Refuse types for columns that a file does not have."""
    try:
        names = [
            one.name
            for one in engine.describe(file_item(source.model_copy(update={"columns": {}})))
        ]
    except EngineError:
        return
    unknown = [name for name in source.columns if name not in names]
    if unknown:
        raise SpecError(
            [
                Problem(
                    f"source.columns.{name}",
                    "the file has no such column; "
                    + nearest_column(name, names, source.columns, certain=False),
                )
                for name in unknown
            ]
        )


def _check_values(source: Source, item: Sql, engine: DuckDBEngine) -> None:
    """Refuse types that a file's values do not have; the message shows none of them."""
    typed = [name for name, kind in source.columns.items() if kind != "text"]
    if not typed:
        return
    counts = ", ".join(f"count({identifier(name)})" for name in typed)

    def failure() -> str:
        try:
            engine.connection.execute(f"select {counts} from {item}").fetchall()
        except (duckdb.ConversionException, duckdb.InvalidInputException) as error:
            return str(error)
        return ""

    message = engine.driver.call(failure, "reading the source")
    column = re.search(r'Error when converting column "(.*)"\.', message)
    if column is not None and column[1] in typed:
        line = re.search(r"CSV Error on Line: (\d+)", message)
        raise SpecError(
            Problem(
                f"source.columns.{column[1]}",
                f"line {line[1] if line else '?'} of the file has a value that is no "
                f"{source.columns[column[1]]}: declare it text, or say in nullstr what stands for "
                "NULL",
            )
        )
