"""A first hierarchy for text of many values: a file for somebody to group them in."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from io import StringIO
from typing import Any

from sqlanon.domains.lines import ROOT
from sqlanon.engines import Engine
from sqlanon.session import Session
from sqlanon.source.source import inspect_source
from sqlanon.spec import Column, Source
from sqlanon.sql.names import Sql

FOLDER = "hierarchies"
MOST = 1_000  # values that somebody can be expected to group by hand


def grouped(
    columns: Sequence[Column], k: int, source: Source, engine: Engine, item: Sql | None = None
) -> dict[str, tuple[dict[str, Any], str]]:
    """A file for each column: a line for every value, the rare ones in one group.

    The values that k records have stand for themselves, so that only they can be distinguished.

    Args:
        columns: text.
        k: how many records make a value frequent.
        source: the table.
        engine: where it is read.
        item: a FROM item in the source's place.

    Returns:
        By the column's name how a spec declares it, and the file's text. A column is left out if
        none of its values is frequent, for it is nearly a key; if it has more than can be grouped
        by hand; or one that no line of a file can hold.

    Raises:
        EngineError: if the database fails.
    """
    released, _ = inspect_source(source, engine, item=item)
    session, found = Session(engine), dict[str, tuple[dict[str, Any], str]]()
    files: set[str] = set()
    for one in columns:
        params = {"column": one.name, "most": MOST + 1}
        rows = session.fetch("report/frequent", {"released": released}, params, MOST + 1).rows
        counts = {value: int(records) for value, records, _ in rows if value is not None}
        frequent = any(records >= k for records in counts.values())
        if not frequent or len(counts) > MOST or not all(map(_fits, counts)):
            continue
        file = _file(one.name, files)
        files.add(file)
        declared = {"file": f"{FOLDER}/{file}"}
        if any(";" in value for value in counts):
            declared["delimiter"] = ","
        found[one.name] = (declared, _text(counts, k))
    return found


def _fits(value: str) -> bool:
    """Whether a line of a file can hold it, so that it is read back as it is."""
    return bool(value) and value == value.strip() and value.isprintable() and value != ROOT


def _text(counts: Mapping[str, int], k: int) -> str:
    rare = "(rare)"
    while rare in counts:
        rare = f"({rare})"
    text = StringIO()
    lines = csv.writer(text, lineterminator="\n")
    for value, records in sorted(counts.items()):
        lines.writerow([value, value if records >= k else rare, ROOT])
    return text.getvalue()


def _file(name: str, taken: Collection[str]) -> str:
    """A file's name for a column: safe everywhere, and no other column's."""
    stem = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "column"
    file, number = f"{stem}.csv", 1
    while file in taken:
        number += 1
        file = f"{stem}_{number}.csv"
    return file
