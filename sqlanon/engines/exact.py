"""Rows of a database as frames that hold every value as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def exact_frame(
    names: Sequence[str], rows: Sequence[Sequence[Any]], numbers: Collection[str]
) -> pd.DataFrame:
    """A pandas frame of rows, in which no number is rounded.

    Args:
        names: of its columns.
        rows: its cells.
        numbers: the columns whose cells are the text of decimal numbers. They become doubles if
            these hold all of them, and Python's decimals otherwise. Whole ones are integers.
    """
    import pandas as pd

    frame = pd.DataFrame(rows, columns=list(names))
    columns: Sequence[Sequence[Any]] = list(zip(*rows, strict=True))
    for name, cells in zip(names, columns, strict=False):
        if name in numbers:
            cells = _numbers(cells)
            frame[name] = list(cells)
        if frame[name].dtype == float and all(isinstance(one, int | None) for one in cells):
            frame[name] = pd.array(cells, dtype="Int64")  # next to a gap pandas has doubles
    return frame


def _numbers(cells: Sequence[str | None]) -> list[Any]:
    """Numbers of their text: integers if all are, else doubles, or decimals if one is rounded."""
    if all(one is None or re.fullmatch(r"-?\d+", one) for one in cells):
        return [None if one is None else int(one) for one in cells]
    exact = [None if one is None else Decimal(one) for one in cells]
    doubles = [None if one is None else float(one) for one in exact]
    is_held = all(
        one is None or not one.is_finite() or Decimal(repr(double)) == one
        for one, double in zip(exact, doubles, strict=True)
    )
    return list(doubles if is_held else exact)


def fits_arrow(cells: Collection[Any]) -> bool:
    """Whether Arrow holds all cells of a column as they are; it drops the offset of a time."""
    import pyarrow as pa

    if any(isinstance(one, time) and one.tzinfo is not None for one in cells):
        return False
    try:
        pa.array(cells, from_pandas=True)
    except (pa.ArrowException, OverflowError):
        return False
    return True
