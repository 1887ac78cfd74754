"""Published cells as values that a program calculates with: intervals, their ends or middle."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal

from sqlanon.errors import SpecError

if TYPE_CHECKING:
    import pandas as pd

Cells = Literal["text", "interval", "mid", "bounds"]
AS_PUBLISHED: Cells = "text"
_INTERVAL = re.compile(r"\[(?P<low>[^,\[\]]+), (?P<high>[^,\[\]()]+)(?P<end>[\])])")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2}(\.\d+)?)?")
_NOTHING = "*"  # a cell that says nothing


def usable(frame: pd.DataFrame, columns: Iterable[str], cells: Cells) -> pd.DataFrame:
    """A frame whose intervals of numbers and dates are values, and no text.

    A column is changed if all of its cells are intervals, single numbers or dates, ``*`` or NULL.
    The last two are missing values there. Where every cell is a single value, the column has
    numbers or dates with any ``cells``. Any other text is a category.

    Args:
        frame: the published rows.
        columns: the names of the quasi-identifiers' columns.
        cells: what a cell becomes: ``interval``, a ``pandas.Interval``; ``mid``, the middle of it,
            a number or a ``pandas.Timestamp``; or ``bounds``, its two ends, in two columns that
            end in ``_min`` and ``_max``.

    Raises:
        SpecError: if ``cells`` is none of these.
    """
    import pandas as pd

    if cells not in _MADE:
        known = ", ".join(repr(one) for one in (AS_PUBLISHED, *_MADE))
        raise SpecError(f"cells={cells!r} is not known: say one of {known}")
    generalized, changed = set(columns), {}
    for name in frame.columns:
        column = frame[name]
        found = _values(column) if name in generalized else None
        if found is None:
            is_label = name in generalized and any(isinstance(one, str) for one in column)
            changed[name] = column.astype("category") if is_label else column
            continue
        made = _MADE[cells]
        if all(low == high for low, high, _ in found.values()):
            made = {"": _middle}
        for ending, value in made.items():
            values = {text: value(*ends) for text, ends in found.items()}
            # Intervals stay objects: of both kinds of ends pandas makes no array of its own.
            kind = object if value is _interval else None
            listed = [values.get(one) for one in column]
            end = f"{name}{ending}"
            while ending and end in frame.columns:
                end += "_"  # a column of the release is called so
            changed[end] = pd.Series(listed, index=frame.index, dtype=kind)
    return pd.DataFrame(changed, index=frame.index)


def _values(column: pd.Series[Any]) -> dict[str, _Ends] | None:
    """The ends of every cell of a column; None if it has others, or only those of nothing."""
    known = {one for one in column.unique() if isinstance(one, str)} - {_NOTHING}
    read = {text: found for text in known if (found := _read(text)) is not None}
    return read if read and read.keys() == known else None


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


def _low(low: Any, high: Any, closed: str) -> Any:
    return low


def _high(low: Any, high: Any, closed: str) -> Any:
    return high


# The columns that a column becomes: the end of the name of each, and how its cells are made.
_MADE: dict[str, dict[str, Callable[..., Any]]] = {
    "interval": {"": _interval},
    "mid": {"": _middle},
    "bounds": {"_min": _low, "_max": _high},
}
