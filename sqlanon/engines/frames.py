"""Frames of a Python program: how a database reads them, and how its rows become one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import c_float
from datetime import time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.engines.messages import REFUSED
from sqlanon.errors import EngineError, Problem, SpecError
from sqlanon.inputs.files import own_database
from sqlanon.sql.names import identifier

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


_UNREAD = "has values that the database does not hold as they are"
OBJECTS = 2**31 - 1  # all of them say of which type a column is, and not the first thousand
_MICROSECONDS = ("INTERVAL", "TIMESTAMP WITH TIME ZONE")  # types without nanoseconds
_DAY = 24 * 60 * 60 * 10**6  # in microseconds
_FRAME = "give a frame, such as pandas.DataFrame(…), or a file"
_NAMED = "give it columns that are named by texts"


@contextmanager
def readable(frame: Any) -> Iterator[Any]:
    """The frame, without columns of types that no database has, such as a pandas interval.

    Such a column is left out as one without a role is. If it has a role, the error says what to do.

    Raises:
        SpecError: if nothing of it can be read, or two columns have one name.
    """
    kind, names = type(frame).__name__, names_of(frame)
    frame = _with_whole_codes(frame)
    disguised = _disguised(frame)
    if not disguised and _is_read(frame):
        with _cells_of(frame, names):
            yield frame
        return
    if not names or not all(isinstance(name, str) for name in names):
        raise SpecError(f"a {kind} cannot be read as a table: {_NAMED if names else _FRAME}")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SpecError(f"a {kind} cannot be read as a table: it has two columns {twice!r}")
    unread = [name for name in names if name in disguised or not _is_read(_part(frame, name))]
    left = _read_without(frame, unread)
    if left is None:
        unread += _unread_by_arrow(frame, unread)
        left = _read_without(frame, unread)
    if left is None:
        raise SpecError(f"a {kind} cannot be read as a table")
    try:
        with _cells_of(left, names_of(left)):
            yield left
    except SpecError as error:
        asked = next((name for name in unread if f".{name}:" in f"{error}:"), None)
        if asked is None or _UNREAD in str(error):  # said already, of the same frame given twice
            raise
        cast = "" if _is_arrow(frame) else ", by .astype(str)"
        raise SpecError(
            f"{error}; the frame's column {asked!r} {_UNREAD}: give it as text{cast}"
        ) from None


def _with_whole_codes(frame: Any) -> Any:
    """The frame with whole numbers for a category of such with gaps, which DuckDB makes doubles."""
    listed = getattr(getattr(frame, "dtypes", None), "items", None)
    kinds = list(listed()) if listed else []
    names = [
        name
        for name, kind in kinds
        if str(kind) == "category" and getattr(kind.categories.dtype, "kind", "") in "iu"
    ]
    whole: dict[str, Any] = {}
    for name in names:
        if isinstance(name, str) and [name for name, _ in kinds].count(name) == 1:
            codes, categories = frame[name].array.codes, frame[name].array.categories
            if (codes < 0).any():
                nullable = categories.to_series().convert_dtypes().array
                whole[name] = nullable.take(codes, allow_fill=True)
    return frame.assign(**whole) if whole else frame


def _of_arrow(frame: Any) -> list[str]:
    """The columns of a pandas frame whose cells Arrow keeps: next to one DuckDB reads all by it."""
    listed = getattr(getattr(frame, "dtypes", None), "items", None)
    kinds = listed() if listed else ()
    return [name for name, kind in kinds if type(kind).__name__ == "ArrowDtype"]


def _disguised(frame: Any) -> list[str]:
    """The columns that no database reads alone, and Arrow as others: a period as a number."""
    if not _of_arrow(frame):
        return []
    others = [name for name, kind in frame.dtypes.items() if not hasattr(kind, "byteorder")]
    return [name for name in others if not _is_read(_part(frame, name))]


def _unread_by_arrow(frame: Any, unread: Collection[str]) -> list[str]:
    """The other columns that the database reads alone, and not next to those of Arrow."""
    of_arrow = [name for name in _of_arrow(frame) if name not in unread]
    others = [name for name in names_of(frame) if name not in (*of_arrow, *unread)]
    return [name for name in others if of_arrow and not _is_read(_part(frame, of_arrow[0], name))]


def _read_without(frame: Any, unread: Collection[str]) -> Any:
    """The frame without some columns; nothing if the database does not read it."""
    rest = [name for name in names_of(frame) if name not in unread]
    left = _part(frame, *rest) if rest else None
    return left if left is not None and _is_read(left) else None


@contextmanager
def _cells_of(frame: Any, names: Sequence[Any]) -> Iterator[None]:
    """Where the database fails, name the columns with cells that it cannot read, if there are any.

    Raises:
        SpecError: if there are.
    """
    try:
        yield
    except (EngineError, SpecError) as error:
        asked = names if REFUSED in str(error) else ()
        unread = [
            name for name in asked if not _is_read(_part(frame, name), "max(hash(columns(*)))")
        ]
        if not unread:
            raise
        what = f"of the frame's column {unread[0]!r} some cells cannot be read"
        cure = "give all of them one type, and text that UTF-8 can write"
        raise SpecError(Problem("source", f"{what}: {cure}")) from None


def _is_arrow(frame: Any) -> bool:
    """Whether a frame is Arrow's, whose ``columns`` are cells and no names."""
    return type(frame).__module__.partition(".")[0] == "pyarrow"


def names_of(frame: Any) -> list[Any]:
    """The names of a frame's columns; none of what is no frame."""
    if _is_arrow(frame):
        return list(getattr(getattr(frame, "schema", None), "names", ()))
    return list(getattr(frame, "columns", ()))


def _part(frame: Any, *names: str) -> Any:
    """Some columns of a frame; nothing of what can be read once alone."""
    if not _is_arrow(frame):
        return frame[list(names)]
    return frame.select(list(names)) if hasattr(frame, "select") else None


def _is_read(frame: Any, what: str = "") -> bool:
    """Whether a database takes a frame as it is, or can read something of it."""
    connection = own_database().cursor()
    try:
        connection.execute(f"set pandas_analyze_sample = {OBJECTS}")
        connection.register("frame", frame)
        asked = f"select {what} from frame" if what else "describe select * from frame"
        rows = connection.execute(asked).fetchall()
    except (duckdb.Error, TypeError, ValueError):
        return False
    finally:
        connection.close()
    if what:
        return True
    types = {str(name): str(kind) for name, kind, *_ in rows}
    return _is_kept(frame, types) and not _is_cut(frame, types)


def _is_kept(frame: Any, types: Mapping[str, str]) -> bool:
    """Whether the database's types hold all Python objects of a pandas frame as they are.

    Decimals of more than 38 digits, and integers next to fractions, become doubles. So do the
    integers of a categorical column with gaps.
    """
    named = getattr(getattr(frame, "dtypes", None), "items", None)
    return all(
        _is_held(cell, types[str(name)])
        for name, kind in (named() if named else ())
        if str(kind) in ("object", "category")
        and types.get(str(name)) in ("DOUBLE", "FLOAT", "TIMESTAMP", *_MICROSECONDS)
        for cell in (frame[name] if str(kind) == "object" else kind.categories)
    )


def _is_held(cell: Any, kind: str) -> bool:
    if kind in ("TIMESTAMP", *_MICROSECONDS):
        parts = (getattr(cell, "nanosecond", 0), getattr(cell, "nanoseconds", 0))
        return not any(part > 0 for part in parts)  # of no time they are NaN
    if not isinstance(cell, float | Decimal | int):
        return True
    try:
        double = float(cell)
        if kind == "FLOAT" and double == double and c_float(double).value != double:
            return False
        if isinstance(cell, Decimal):
            return not cell.is_finite() or Decimal(repr(double)) == cell
        return not isinstance(cell, int) or int(double) == cell
    except OverflowError:
        return False


def _is_cut(frame: Any, types: Mapping[str, str]) -> bool:
    """Whether a column has nanoseconds, of which the database's type has none."""
    names = names_of(frame)
    kinds = {name: types.get(str(name), "") for name in names}
    asked = [name for name in names if any(text in kinds[name] for text in _MICROSECONDS)]
    return any(names.count(name) > 1 or _is_finer(frame, name) for name in asked)


def _is_finer(frame: Any, name: Any) -> bool:
    """Whether a column has nanoseconds.

    Of what can be read once alone that is unknown, and true where its type has some.
    """
    if not _is_arrow(frame):
        column = frame[name]
        if hasattr(column, "to_arrow"):  # polars
            return _has_nanoseconds(column.to_arrow())
        if type(column.dtype).__name__ != "ArrowDtype":
            parts = getattr(column, "dt", None)  # none of Python's objects
            found = getattr(parts, "nanosecond", getattr(parts, "nanoseconds", None))
            return found is not None and bool((found > 0).any())
        column = column.array.__arrow_array__()
    elif not hasattr(frame, "column"):
        return _has_nanoseconds(frame.schema.field(name).type)
    else:
        column = frame.column(name)
    return _has_nanoseconds(column)


def _has_nanoseconds(found: Any) -> bool:
    """Whether a column of Arrow, or a type of Arrow where no column is known, has nanoseconds."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(found, pa.ChunkedArray):
        return any(map(_has_nanoseconds, found.chunks))
    cells = None if isinstance(found, pa.DataType) else found
    kind = found if cells is None else found.type
    if pa.types.is_dictionary(kind):
        return _has_nanoseconds(kind.value_type if cells is None else cells.dictionary)
    if pa.types.is_interval(kind):
        return cells is None or any(
            cell.nanoseconds % 1000 for cell in cells.to_pylist() if cell is not None
        )
    if getattr(kind, "unit", "") == "ns":
        if cells is None:
            return True
        numbers = cells.cast(pa.int64())
        whole = pc.multiply(pc.divide(numbers, 1000), 1000)
        return bool(pc.any(pc.not_equal(whole, numbers)).as_py())
    if cells is None:
        return any(_has_nanoseconds(kind.field(index).type) for index in range(kind.num_fields))
    if pa.types.is_struct(kind):
        return any(map(_has_nanoseconds, cells.flatten()))
    if pa.types.is_map(kind):
        return _has_nanoseconds(cells.keys) or _has_nanoseconds(cells.items)
    inside = kind.num_fields == 1 and hasattr(cells, "flatten")
    return inside and _has_nanoseconds(cells.flatten())


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
        if frame[name].dtype == float and all(isinstance(cell, int | None) for cell in cells):
            frame[name] = pd.array(cells, dtype="Int64")  # next to a gap pandas has doubles
    return frame


def _numbers(cells: Sequence[str | None]) -> list[Any]:
    """Numbers of their text: integers if all are, else doubles, or decimals if one is rounded."""
    if all(cell is None or re.fullmatch(r"-?\d+", cell) for cell in cells):
        return [None if cell is None else int(cell) for cell in cells]
    exact = [None if cell is None else Decimal(cell) for cell in cells]
    doubles = [None if one is None else float(one) for one in exact]
    is_held = all(
        one is None or not one.is_finite() or Decimal(repr(double)) == one
        for one, double in zip(exact, doubles, strict=True)
    )
    return list(doubles if is_held else exact)


def held_by_polars(table: pa.Table) -> pa.Table:
    """An Arrow table with text for columns that polars does not take, or of which it loses cells.

    It has no intervals of months, and no time of day 24:00.
    """
    import pyarrow.compute as pc

    def is_lost(field: pa.Field) -> bool:
        if "interval" in str(field.type):
            return True
        if str(field.type) != "time64[us]":
            return False
        return bool(pc.any(pc.equal(table[field.name].cast("int64"), _DAY)).as_py())

    names = [field.name for field in table.schema if is_lost(field)]
    if not names:
        return table
    cells = ", ".join(f"cast({name} as varchar) as {name}" for name in map(identifier, names))
    connection = own_database().cursor()
    try:
        connection.register("lost", table)
        return connection.sql(f"select * replace ({cells}) from lost").to_arrow_table()
    finally:
        connection.close()


def fits_arrow(cells: Collection[Any]) -> bool:
    """Whether Arrow holds all cells of a column as they are; it drops the offset of a time."""
    import pyarrow as pa

    if any(isinstance(cell, time) and cell.tzinfo is not None for cell in cells):
        return False
    try:
        pa.array(cells, from_pandas=True)
    except (pa.ArrowException, OverflowError):
        return False
    return True
