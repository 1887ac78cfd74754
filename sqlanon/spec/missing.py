"""Codes that stand for NULL: as the SQL of the values that a column is compared with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from sqlanon.sql.names import Sql, literal

if TYPE_CHECKING:
    from sqlanon.spec.columns import Column

_NUMBER = r"[-+]?\d+(\.\d+)?"


def codes(column: Column, texts: Sequence[str]) -> tuple[Sql, ...]:
    """The codes of a column as SQL.

    Raises:
        ValueError: if the column can hold no such value.
    """
    return tuple(_code(column, text) for text in texts)


def _code(column: Column, text: str) -> Sql:
    kind = column.kind
    if kind in ("text", "label"):
        return literal(text)
    if kind in ("integer", "decimal"):
        if not re.fullmatch(_NUMBER if kind == "decimal" else r"[-+]?\d+", text):
            what = "a number" if kind == "decimal" else "a whole number"
            raise ValueError(f"the code {text!r} is not {what}, as the column's values are")
        return Sql(text)
    if kind == "number":
        if not re.fullmatch(_NUMBER, text):
            raise ValueError(f"the code {text!r} is not a number, as the column's values are")
        return Sql(f"cast({literal(text)} as {column.type})")
    if kind in ("date", "timestamp"):
        try:
            (date if kind == "date" else datetime).fromisoformat(text)
        except ValueError:
            what = f"the code {text!r} is no {kind}, such as 1900-01-01"
            raise ValueError(what) from None
        return Sql(f"cast({literal(text)} as {kind})")
    raise ValueError(
        f"a column of type {column.shown_type} has no codes: make them NULL in a query"
    )
