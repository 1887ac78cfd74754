"""Published cells as values that a program calculates with: intervals, or the middle of each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from sqlanon.errors import SpecError

if TYPE_CHECKING:
    import pandas as pd

Cells = Literal["text", "interval", "mid"]
AS_PUBLISHED: Cells = "text"
_INTERVAL = re.compile(r"\[(?P<low>[^,\[\]]+), (?P<high>[^,\[\]()]+)(?P<end>[\])])")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2}(\.\d+)?)?")
_NOTHING = "*"  # a cell that says nothing


def usable(frame: pd.DataFrame, columns: Iterable[str], cells: Cells) -> pd.DataFrame:
    """A frame whose intervals of numbers and dates are values, and no text.

    A column is changed if all of its cells are intervals, single numbers or dates, ``*`` or NULL;
    what stands for nothing is missing. Other columns stay as they are.

    Args:
        frame: the published rows.
        columns: the names of the quasi-identifiers' columns.
        cells: what a cell becomes: ``interval``, a ``pandas.Interval``; or ``mid``, the middle of
            it, a number or a ``pandas.Timestamp``.

    Raises:
        SpecError: if ``cells`` is none of these.
    """
    import pandas as pd

    made = {"interval": _interval, "mid": _middle}.get(cells)
    if made is None:
        raise SpecError(f"cells={cells!r} is not known: say 'text', 'interval' or 'mid'")
    changed = frame.copy()
    for name in columns:
        known = {one for one in frame[name].unique() if isinstance(one, str)} - {_NOTHING}
        read = {text: found for text in known if (found := _read(text)) is not None}
        if not read or read.keys() != known:
            continue
        values = {text: made(*found) for text, found in read.items()}
        # Intervals stay objects: of both kinds of ends pandas makes no array of its own.
        kind = object if made is _interval else None
        column = [values.get(one) for one in frame[name]]
        changed[name] = pd.Series(column, index=frame.index, dtype=kind)
    return changed


_Ends = tuple[Any, Any, Literal["left", "both"]]


def _read(text: str) -> _Ends | None:
    """The ends of a cell and which of them it holds; None if it is no interval and no value."""
    found = _INTERVAL.fullmatch(text)
    low, high = (found["low"], found["high"]) if found else (text, text)
    ends = [_end(low), _end(high)]
    if None in ends or type(ends[0]) is not type(ends[1]):
        return None
    return ends[0], ends[1], "left" if found and found["end"] == ")" else "both"


def _end(text: str) -> Any:
    import pandas as pd

    if _NUMBER.fullmatch(text):
        return float(text)
    return pd.Timestamp(text) if _DATE.fullmatch(text) else None


def _interval(low: Any, high: Any, closed: Literal["left", "both"]) -> Any:
    import pandas as pd

    return pd.Interval(low, high, closed=closed)


def _middle(low: Any, high: Any, closed: str) -> Any:
    return low + (high - low) / 2
