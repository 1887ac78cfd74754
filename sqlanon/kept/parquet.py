"""Rows of text as a Parquet file that also has a text as metadata, by an embedded DuckDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from sqlanon.sql.names import identifier, literal


def as_parquet(
    names: Sequence[str], rows: Sequence[Sequence[str | None]], metadata: Mapping[str, str]
) -> bytes:
    """A Parquet file.

    Args:
        names: of its columns, which are text.
        rows: what it holds, in this order.
        metadata: the texts that it keeps next to them, by a name of letters and ``_``.
    """
    columns = [[row[place] for row in rows] for place in range(len(names))]
    read = ", ".join(
        f"unnest(cast(${place} as varchar[])) as {identifier(name)}"
        for place, name in enumerate(names, 1)
    )
    kept = ", ".join(f"{name}: {literal(text)}" for name, text in metadata.items())
    with TemporaryDirectory(prefix=".sqlanon-") as folder, duckdb.connect() as connection:
        file = Path(folder, "rows.parquet")
        connection.execute(f"create table written as select {read}", columns)
        connection.execute(
            f"copy written to {literal(str(file))} (format parquet, kv_metadata {{{kept}}})"
        )
        return file.read_bytes()


def of_parquet(file: Path, name: str, most: int) -> tuple[str, list[list[str | None]]] | None:
    """The content that `as_parquet` wrote: one text of the metadata, and the rows.

    Args:
        file: the file.
        name: of the text.
        most: how many rows are read; a file with more is none of ours.

    Returns:
        Both; None if it is no Parquet file, it has no such text, or its rows are no text.
    """
    with duckdb.connect() as connection:
        try:
            kept = connection.execute(
                "select decode(value) from parquet_kv_metadata($1) where decode(key) = $2",
                [str(file), name],
            ).fetchall()
            rows = connection.execute(
                f"from read_parquet($1) limit {most + 1}", [str(file)]
            ).fetchall()
        except duckdb.Error:
            return None
    is_text = all(cell is None or isinstance(cell, str) for row in rows for cell in row)
    if len(kept) != 1 or len(rows) > most or not is_text:
        return None
    return kept[0][0], [list(row) for row in rows]
