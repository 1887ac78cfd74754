"""Values that YAML makes of words without quotes, and whose text is another than the one there."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlanon.fields import UnquotedTruth


class UnquotedInt(int):
    """A whole number that was written otherwise: 02134, 1_000 or 12:30."""

    written: str
    read: str


class UnquotedFloat(float):
    """A number that was written otherwise: 1.10 or .5."""

    written: str
    read: str


def unquoted(value: Any, written: str) -> Any:
    """A value of a spec that still knows its text, if a database would write it otherwise.

    Args:
        value: what YAML makes of the text.
        written: the text, which stands there without quotes.
    """
    if not isinstance(value, bool | int | float) or as_text(value) == written:
        return value
    if isinstance(value, bool):
        return UnquotedTruth(value, written)
    kept: UnquotedFloat | UnquotedInt
    kept = UnquotedFloat(value) if isinstance(value, float) else UnquotedInt(value)
    kept.written, kept.read = written, as_text(value)
    return kept


def as_text(value: Any) -> str:
    """A value of a spec as a database writes it.

    Raises:
        ValueError: if it stands in the spec without quotes, and its text there is another.
    """
    if isinstance(value, UnquotedInt | UnquotedFloat | UnquotedTruth):
        raise ValueError(
            f"it must be a text: put it into quotes; YAML reads {value.written} as {value.read}"
        )
    if value is None:
        raise ValueError("it must be a text: put it into quotes; without them it is nothing")
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_plain(value: Any) -> bool:
    """Whether a value of a spec has a text."""
    return isinstance(value, str | int | float | date | UnquotedTruth)
