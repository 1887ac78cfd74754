"""Published cells as values that a program calculates with: intervals, or the middle of each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from sqlanon.errors import SpecError

if TYPE_CHECKING:
    import pandas as pd

Cells = Literal["text", "interval", "mid"]
CELLS: tuple[Cells, ...] = ("text", "interval", "mid")
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
        cells: what a cell becomes: ``interval``, a ``pandas.Interval``; ``mid``, the middle of it,
            a number or a ``pandas.Timestamp``; or ``text``, as it is published.

    Raises:
        SpecError: if ``cells`` is none of these.
    """
    import pandas as pd

    if cells not in CELLS:
        raise SpecError(f"cells={cells!r} is not known: say {', '.join(map(repr, CELLS))}")
    if cells == "text":
        return frame
    changed = frame.copy()
    for name in columns:
        known = {one for one in frame[name].unique() if isinstance(one, str)} - {_NOTHING}
        read = {text: found for text in known if (found := _read(text)) is not None}
        if not read or read.keys() != known:
            continue
        values = {text: _value(found, cells) for text, found in read.items()}
        made = [values.get(one) for one in frame[name]]
        if cells == "mid":
            changed[name] = pd.Series(made, index=frame.index)
        else:
            changed[name] = pd.Series(made, index=frame.index, dtype=object)
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


def _value(found: _Ends, cells: Cells) -> Any:
    import pandas as pd

    low, high, closed = found
    return pd.Interval(low, high, closed=closed) if cells == "interval" else low + (high - low) / 2
