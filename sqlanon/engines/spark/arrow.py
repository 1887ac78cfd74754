"""Arrow tables in types that Spark has."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql.pandas.types import from_arrow_type

from sqlanon.errors import Problem, SpecError

# Types that Spark lacks, by name, and others that hold each of their values.
_EQUALLY = {
    "uint8": pa.int16(),
    "uint16": pa.int32(),
    "uint32": pa.int64(),
    "uint64": pa.decimal128(20),
    "date64[ms]": pa.date32(),
    "string_view": pa.string(),
    "binary_view": pa.binary(),
}


def in_types_of_spark(table: pa.Table, needed: Collection[str] | None = None) -> pa.Table:
    """The same table; a column of a type that Spark lacks is left out, as one without a role is.

    Args:
        table: the table.
        needed: the columns that are read; by default all.

    Raises:
        SpecError: if one of these holds a time that is finer than Spark's type, which cuts it.
    """
    names, columns = [], []
    for field, column in zip(table.schema, table.columns, strict=True):
        kind = _equal_type(field.type)
        try:
            from_arrow_type(kind)
            column = column.cast(kind)
        except PySparkException:
            continue
        except pa.ArrowInvalid:
            if needed is None or field.name in needed:
                of_date = pa.types.is_date64(field.type)
                times = "times of day in dates" if of_date else "times to the nanosecond"
                what = f"its column {field.name!r} holds {times}, which Spark cuts"
                cure = "round them, give text, or give the column no role"
                raise SpecError(Problem("source", f"{what}: {cure}")) from None
            continue
        names.append(field.name)
        columns.append(column)
    return pa.Table.from_arrays(columns, names=names)


def _equal_type(kind: Any) -> Any:
    """A type that Spark has, which holds the same values; of nanoseconds, that of microseconds."""
    if pa.types.is_dictionary(kind):
        return _equal_type(kind.value_type)
    if getattr(kind, "unit", None) == "ns":
        if pa.types.is_timestamp(kind):
            return pa.timestamp("us", kind.tz)
        return pa.time64("us") if pa.types.is_time64(kind) else pa.duration("us")
    return _EQUALLY.get(str(kind), kind)
