"""Files and frames of a published relation: no value changes on the way from DuckDB and back."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from sqlanon.errors import SpecError
from sqlanon.spec.columns import NUMBERS, Column
from sqlanon.sql.names import Sql, identifier, literal

# An empty text stands in quotes, and NULL without: so a reader can tell them apart.
# Quotes, then a sign by which a spreadsheet knows a formula.
_FORMULA = r"^'*[=+\-@\t\r]"
_ESCAPED, _REST = r"^'('*[=+\-@\t\r])", r"\1"
NO_TEXT = (*NUMBERS, "boolean", "date", "timestamp")  # kinds whose cells are never escaped
_DIGITS = sys.float_info.dig  # so many digits of any decimal number survive in a double
_TEXT = "delim ',', quote '\"', escape '\"', nullstr ''"

# Of nested values pandas has doubles for numbers, the codes of an enum, and Python's objects.
_NEVER_NESTED = (
    r"\bU?HUGEINT\b|\bBIGNUM\b|\bBIT\b|\bENUM\(|\bTIME WITH TIME ZONE|(TIME ZONE|TIMESTAMPTZ_NS)\["
)
_FINER = r"\.[0-9]{6}[0-9]*[1-9]"  # than a microsecond
_CHANGED_NESTED = (
    (r"\bDATE\b|\bTIMESTAMP", r"infinity|\(BC\)|[0-9]{5}-[0-9]{2}-"),
    (r"_NS\b", _FINER),
    (r"\bINTERVAL\b", "year|month"),
)
_FIRST_DATE, _LAST_DATE = "date '290000-01-01 (BC)'", "date '290000-12-31'"  # that pandas has


def copying(select: str, file: Path) -> str:
    """The statement that writes what a SELECT yields: Parquet, or CSV with a header line."""
    how = "format parquet" if is_parquet(file) else f"format csv, header true, {_TEXT}"
    return f"copy ({select}) to {literal(str(file.absolute()))} ({how})"


def kept(column: Column, file: Path, escaped: bool = False) -> str:
    """A column as it is written to a file, so that its values stay what they are.

    Parquet has no integers of 128 bits, and DuckDB would write doubles. A number with more digits
    than a decimal becomes NULL, which is found when the file is read back. So does an interval that
    is negative, which DuckDB refuses to write.

    Args:
        column: the column.
        file: what is written.
        escaped: whether text that a spreadsheet would take for a formula is escaped.
    """
    name = identifier(column.name)
    if escaped:
        cell: str = name
        if column.kind not in NO_TEXT:
            text, quote = f"cast({name} as varchar)", literal("'")
            is_formula = f"regexp_matches({text}, {literal(_FORMULA)})"
            cell = f"case when {is_formula} then {quote} || {text} else {text} end"
        return f"{cell} as {identifier(escape_formula(column.name))}"
    if is_parquet(file) and column.type in ("HUGEINT", "UHUGEINT"):
        return f"try_cast({name} as decimal(38, 0)) as {name}"
    if is_parquet(file) and re.search(r"\bINTERVAL\b", column.type):
        return f"case when not contains(cast({name} as varchar), '-') then {name} end as {name}"
    return name


def escape_formula(text: str) -> str:
    """A text with a quote before it if a spreadsheet would take it for a formula.

    Such a text that begins with quotes already gets one more, so that each can be taken off again.
    """
    return f"'{text}" if re.match(_FORMULA, text) else text


def unescape_formula(text: str) -> str:
    """The text that was escaped so."""
    return re.sub(_ESCAPED, _REST, text)


def unescaped(name: str) -> str:
    """The expression of a column's text as it was before it was escaped."""
    column = identifier(name)
    return f"regexp_replace({column}, {literal(_ESCAPED)}, {literal(_REST)}) as {column}"


@dataclass(frozen=True)
class Framed:
    """How a pandas frame holds a column of DuckDB's, if it does not hold all its values.

    Attributes:
        beyond: the condition of a value that pandas would round, refuse, or take for another.
        read: how the cells of a column with such a value are read from their text.
        within: the type as which a column without such a value is read, if not its own.
    """

    beyond: str
    read: Callable[[str], object] = str
    within: str = ""


def framed(column: str, type_name: str) -> Framed | None:
    """The values of a column that pandas does not hold; None of a type that it holds whole."""
    name = identifier(column)
    if re.search(r"\[|STRUCT\(|MAP\(|UNION\(", type_name):
        return _nested(name, type_name)
    if type_name in ("HUGEINT", "UHUGEINT"):
        return Framed(f"try_cast({name} as bigint) is null and {name} is not null", int, "bigint")
    if type_name == "BIGNUM":
        return Framed("true", int)
    decimal = re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", type_name)
    if decimal is not None and int(decimal[1]) > _DIGITS:
        whole = int(decimal[2]) <= _DIGITS  # else any digit may lie beyond a double's
        limit = f"1{'0' * (_DIGITS - int(decimal[2]))}" if whole else "0"
        return Framed(f"abs({name}) >= {limit}", Decimal)
    if type_name == "TIMESTAMPTZ_NS":  # DuckDB would leave out the zone, and `isfinite` has no such
        shorter = f"cast({name} as timestamptz)"
        beyond = f"not isfinite({shorter}) or cast({shorter} as timestamptz_ns) <> {name}"
        return Framed(beyond, within="timestamptz")
    if type_name == "DATE":
        return Framed(f"not isfinite({name}) or {name} not between {_FIRST_DATE} and {_LAST_DATE}")
    if type_name.startswith("TIMESTAMP"):
        return Framed(f"not isfinite({name})")
    if type_name == "TIME_NS":
        return Framed(f"cast(cast({name} as time) as time_ns) <> {name}")
    if type_name == "INTERVAL":
        return Framed(f"datepart('year', {name}) <> 0 or datepart('month', {name}) <> 0")
    return Framed("true") if type_name in ("TIME WITH TIME ZONE", "BIT") else None


def _nested(name: str, type_name: str) -> Framed | None:
    """The same of a list, a struct or a map, by the text of its cells: more of it may be text."""
    digits = [int(found) for found in re.findall(r"DECIMAL\((\d+),", type_name)]
    if re.search(_NEVER_NESTED, type_name) or any(number > _DIGITS for number in digits):
        return Framed("true")
    found = [text for type_, text in _CHANGED_NESTED if re.search(type_, type_name)]
    text = f"cast({name} as varchar)"
    return Framed(f"regexp_matches({text}, {literal('|'.join(found))})") if found else None


def arrow_text(column: str, type_name: str) -> str | None:
    """The condition under which an Arrow table gets a column's text; None of what it holds whole.

    Arrow has no offset of a time, no type for bits and none for an integer of 39 digits: DuckDB
    drops the first, and gives other values for the rest, also within lists and structs.
    """
    if type_name in ("HUGEINT", "UHUGEINT"):
        name = identifier(column)
        return f"try_cast({name} as decimal(38, 0)) is null and {name} is not null"
    return "true" if re.search(r"TIME WITH TIME ZONE|\bBIT\b|\bU?HUGEINT\b", type_name) else None


def is_parquet(file: Path) -> bool:
    """Whether a file is Parquet, by its name."""
    return file.suffix.lower() == ".parquet"


@dataclass(frozen=True)
class Dialect:
    """How a CSV file is written that holds what was exported: as an export is, unless it says so.

    Attributes:
        delimiter: what separates its fields.
        quote: what its fields may stand in.
        escape: what stands before a quote within quotes; by default the quote itself.
        nullstr: what stands for NULL, besides the empty field.
        skip: how many lines stand before the header line.
        encoding: its encoding.
    """

    delimiter: str = ","
    quote: str = '"'
    escape: str | None = None
    nullstr: tuple[str, ...] = ()
    skip: int = 0
    encoding: str = "utf-8"

    @property
    def options(self) -> str:
        """The same for DuckDB's reader."""
        texts = ", ".join(map(literal, dict.fromkeys(("", *self.nullstr))))
        nulls = f"[{texts}]" if self.nullstr else texts
        skip = f"skip = {self.skip}, " if self.skip else ""
        coded = "" if self.encoding == "utf-8" else f"encoding = {literal(self.encoding)}, "
        return (
            f"{skip}{coded}delim = {literal(self.delimiter)}, quote = {literal(self.quote)}, "
            f"escape = {literal(self.escape or self.quote)}, "
            f"nullstr = {nulls}, "
        )


AS_EXPORTED = Dialect()


def exported_item(
    file: Path, types: Mapping[str, str], header: bool = True, dialect: Dialect = AS_EXPORTED
) -> Sql:
    """The FROM item that reads such a file back, an empty text as empty and NULL as NULL.

    It reads this file and no other: no sign of its path is a pattern, and no folder a column.

    Args:
        file: what was written.
        types: the columns of a CSV file in order, and what they are read as; Parquet has its own.
        header: whether a CSV file has a header line.
        dialect: how a CSV file is written.

    Raises:
        SpecError: if DuckDB cannot read a file of that path.
    """
    path = literal(_path(file))
    if is_parquet(file):
        return Sql(f"read_parquet({path}, hive_partitioning = false)")
    columns = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in types.items())
    return Sql(
        f"read_csv({path}, header = {str(header).lower()}, auto_detect = false, "
        f"hive_partitioning = false, {dialect.options}allow_quoted_nulls = false, "
        f"columns = {{{columns}}})"
    )


def _path(file: Path) -> str:
    """The pattern that one file alone fits."""
    path = str(file.absolute())
    if "\\" in path and re.search(r"[*?[]", path):
        what = "DuckDB reads no path with both a backslash and one of * ? [: rename it"
        raise SpecError(f"{str(file)!r}: {what}")
    return re.sub(r"[*?[]", r"[\g<0>]", path)
