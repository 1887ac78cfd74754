"""How Spark reads a text file: its types found out so that no value changes."""

from __future__ import annotations

from typing import Any

from sqlanon.spec.source import Source

_OPTIONS = {"header": True, "multiLine": True, "escape": '"'}
# A text that its inferred type would write otherwise: True, and a number that begins with 0.
_OTHERWISE = {
    "boolean": "not in ('true', 'false')",
    "int": "rlike '^[-+]?0[0-9]'",
    "bigint": "rlike '^[-+]?0[0-9]'",
}


def text_frame(session: Any, source: Source) -> Any:
    """A frame that reads text files, whose first line names the columns.

    By default the delimiter is the comma, semicolon, tab or bar that stands there most often.
    """
    delimiter = source.delimiter
    if delimiter is None:
        first = session.read.text(source.file).first()
        delimiter = max(",;\t|", key=lambda sign: first[0].count(sign) if first else 0)
    read = session.read.format("csv").options(sep=delimiter, **_OPTIONS)
    frame = read.option("inferSchema", True).load(source.file)
    doubtful = [(name, kind) for name, kind in frame.dtypes if kind in _OTHERWISE]
    if not doubtful:
        return frame
    counts = [
        f"count(case when {_quoted(name)} {_OTHERWISE[kind]} then 1 end) as c{place}"
        for place, (name, kind) in enumerate(doubtful)
    ]
    others = read.option("inferSchema", False).load(source.file).selectExpr(*counts).first()
    texts = {name for (name, _), other in zip(doubtful, others, strict=True) if other}
    if not texts:
        return frame
    types = ", ".join(
        f"{_quoted(name)} {'string' if name in texts else kind}" for name, kind in frame.dtypes
    )
    return read.schema(types).load(source.file)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
