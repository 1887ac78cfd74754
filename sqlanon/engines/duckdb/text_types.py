"""The types that values of a text file may have: those that are tried, and those declared."""

from __future__ import annotations

import re
from typing import Any

from sqlanon.inputs.source import Source

# Whole numbers, and numbers, as they are declared: a number that begins with 0 is a code.
_WHOLE = r"^[-+]?(0|[1-9][0-9]*)$"
_NUMBER = r"^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$"
_TIMESTAMP = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([T ]([01][0-9]|2[0-3]):[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6}0*)?)?Z?)?$"
)
# How values of a declared type are written, for a message.
TYPES = {
    "integer": " as whole numbers are written, such as 12 (not 12.0, 012 or 1e3)",
    "number": " that can be kept exactly",
    "date": " and nothing else: dates are written as 2024-03-05, or as dates says",
    "timestamp": " such as 2024-03-05 14:30:00",
}


def forms(digits: int | None, source: Source) -> list[dict[str, Any]]:
    """The types that a column may have by itself, the one that it has if several fit first.

    Args:
        digits: how many digits stand behind the sign of decimals, if always so many.
        source: what is declared of the file.
    """
    numbers = [("integer", "BIGINT"), ("number", "DOUBLE"), ("binary", "DOUBLE")]
    found: list[dict[str, Any]] = [{"form": form, "type": type_} for form, type_ in numbers]
    if digits and digits <= 17:
        decimal = {"form": "decimal", "type": f"DECIMAL(18,{digits})", "digits": digits}
        found.append({**decimal})
    if source.dates:
        found.append({"form": "formatted date", "type": "DATE", "dates": source.dates})
    else:
        found.append({"form": "date", "type": "DATE"})
    found.append({"form": "timestamp", "type": "TIMESTAMP"})
    found.append({"form": "boolean", "type": "BOOLEAN"})
    return found


def declared_form(type_: str, source: Source) -> dict[str, Any]:
    """The form by which a value that a declared type keeps is known from one that it would change.

    Args:
        type_: DuckDB's.
        source: what else is declared of the file.
    """
    upper = re.sub(r"\s", "", type_.upper())
    one: dict[str, Any] = {"type": type_}
    decimal = re.fullmatch(r"(?:DECIMAL|NUMERIC|DEC)(?:\((\d+)(?:,(\d+))?\))?", upper)
    if upper in ("VARCHAR", "TEXT", "STRING", "CHAR", "BPCHAR"):
        return {**one, "form": "text"}
    if re.fullmatch(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|INT\d|SHORT|LONG", upper):
        return {**one, "form": "declared number", "pattern": _WHOLE}
    if decimal is not None:
        scale = int(decimal[2] or 0) if decimal[1] else 3
        behind = rf"(\.[0-9]{{0,{scale}}}0*)?"
        pattern = rf"^[-+]?((0|[1-9][0-9]*){behind}|\.[0-9]{{1,{max(scale, 1)}}}0*)$"
        return {**one, "form": "declared number", "pattern": pattern}
    if upper in ("DOUBLE", "DOUBLEPRECISION", "FLOAT8", "FLOAT", "FLOAT4", "REAL"):
        digits = 6 if upper in ("FLOAT", "FLOAT4", "REAL") else 15
        form = {"form": "declared binary", "pattern": _NUMBER, "digits": digits}
        return {**one, **form}
    if upper == "DATE":
        dates = source.dates
        return {**one, "form": "declared format" if dates else "date", "dates": dates}
    if upper in ("TIMESTAMP", "DATETIME"):
        return {**one, "form": "declared timestamp", "pattern": _TIMESTAMP}
    if upper in ("BOOLEAN", "BOOL", "LOGICAL"):
        return {**one, "form": "declared boolean"}
    return {**one, "form": "declared"}


def signs(source: Source) -> dict[str, Any]:
    """The signs that a file's numbers are written with, for a template."""
    decimal, thousands = source.decimal or ".", source.thousands
    if thousands is None:
        return {"decimal": decimal, "thousands": None, "grouped": None}
    sign, point = re.escape(thousands), re.escape(decimal)
    behind = f"({point}[0-9]*)?"
    grouped = rf"^[-+]?([0-9]{{1,3}}({sign}[0-9]{{3}})+|[0-9]+){behind}$"
    return {"decimal": decimal, "thousands": thousands, "grouped": grouped}
