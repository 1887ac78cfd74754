"""How DuckDB reads a text file: every line of it, and every value as the file has it.

Values have the types that are declared, or the first that fits.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import duckdb

from sqlanon.engines.duckdb.messages import ragged, text_fault
from sqlanon.engines.duckdb.spill import SpillFolder
from sqlanon.engines.duckdb.text_copies import (
    CODECS,
    LINES,
    FileEngine,
    Files,
    Head,
    check_bytes,
    heads,
    listed,
)
from sqlanon.errors import EngineError, Problem, SpecError, nearest_column
from sqlanon.inputs.files import is_remote_file, partitions
from sqlanon.inputs.source import COLUMN_TYPES, Source
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Sql, literal
from sqlanon.sql.templates import load_template

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


_FIRST = 2000  # the records that are asked what a column may be, before all are
_TEXT = COLUMN_TYPES["text"]
_NO_TEXT = "\x1f\x1e\x1f\x1e"  # in no file; DuckDB takes at most four bytes


@dataclass(frozen=True)
class TextFile:
    """A text file, or several of one form, with all that DuckDB needs to read it without a guess.

    Attributes:
        files: the files.
        head: how each of them begins.
        partitions: DuckDB's types of the columns that the files' folders say.
    """

    files: Files
    head: Head
    partitions: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns: those of the files, and those that their folders say."""
        return (*self.head.names, *self.partitions)

    def item(
        self, types: Mapping[str, str], path: Sql | None = None, surplus: str | None = None
    ) -> Sql:
        """The FROM item that reads it.

        Args:
            types: DuckDB's types of columns that are not text.
            path: of one of the files, if not all are read.
            surplus: a name for a field more than the header line has, if lines are to be asked
                for one: NULL where a line has none.
        """
        source = self.files.source
        quote = source.quote or '"'
        names = [*self.head.names, *([] if surplus is None else [surplus])]
        columns = ", ".join(f"{literal(name)}: {literal(types.get(name, _TEXT))}" for name in names)
        options = [
            "auto_detect = false",
            "header = true",
            f"delim = {literal(self.head.delimiter)}",
            f"quote = {literal(quote)}",
            f"escape = {literal(source.escape or quote)}",
            "strict_mode = true",
        ]
        if surplus is not None:
            # In parallel DuckDB pads no line of a file whose fields hold line ends.
            options += ["null_padding = true", "parallel = false"]
        if self.head.skip:
            options.append(f"skip = {self.head.skip}")
        if source.decimal:
            options.append(f"decimal_separator = {literal(source.decimal)}")
        if source.thousands:
            options.append(f"thousands = {literal(source.thousands)}")
        if source.dates:
            options.append(f"dateformat = {literal(source.dates)}")
        if self.files.encoding:
            options.append(f"encoding = {literal(self.files.encoding)}")
        if surplus is not None:
            options.append(f"nullstr = {literal(_NO_TEXT)}")  # what is empty is there
        elif source.nullstr:
            texts = ", ".join(map(literal, dict.fromkeys(("", *source.nullstr))))
            options.append(f"nullstr = [{texts}]")
        options += [f"columns = {{{columns}}}", *partitioned(self.partitions, types)]
        return Sql(f"read_csv({path or self.files.item}, {', '.join(options)})")


def partitioned(partitions: Mapping[str, str], types: Mapping[str, str]) -> list[str]:
    """The options by which DuckDB reads what folders say, or does not.

    Args:
        partitions: the type of each column that they say.
        types: those that are declared, which count in their place.
    """
    if not partitions:
        return ["hive_partitioning = false"]
    said = ", ".join(
        f"{literal(name)}: {types.get(name, kind)}" for name, kind in partitions.items()
    )
    return ["hive_partitioning = true", "hive_types_autocast = false", f"hive_types = {{{said}}}"]


def as_written(
    source: Source, engine: FileEngine, needed: Collection[str] | None = None
) -> tuple[Sql, list[Column]]:
    """The item that reads a text file so that what is read is what the file says.

    A column has another type than text only if it is declared, or if each of its values, written
    back by that type, is the text of the file; all lines are asked.

    Args:
        source: the file, or the files.
        engine: reads it.
        needed: the columns that will be read; by default all.

    Raises:
        SpecError: if the file is no text of its encoding; if not every line has the fields of the
            first; if it may be read in more than one way; if a column whose type is declared is
            not in it, or a value is not of the type, or could be so only by rounding.
    """
    remote = source.file is not None and is_remote_file(source.file)
    names = listed(str(source.file), engine)
    if not remote:
        for name in names:
            check_bytes(name, source.encoding)
    elif source.encoding in CODECS:
        what = "is read of local files alone: make a copy, or save it as UTF-8"
        raise SpecError(Problem("source.encoding", f"{source.encoding} {what}"))
    folder = SpillFolder()
    try:
        files = Files(source, names)
        if source.encoding in CODECS:
            files = files.copied(folder.path / "decoded")
        likely = _likely(files, engine)
        if not remote and any(files.breaks(likely)):
            files = files.copied(folder.path / "even", likely)
        item, columns = _typed(files, likely, engine, needed)
        return (engine.keep_text(item) if files.copies else item), columns
    finally:
        folder.remove()


def _typed(
    files: Files, likely: Sequence[list[Head]], engine: FileEngine, needed: Collection[str] | None
) -> tuple[Sql, list[Column]]:
    source, file = files.source, _opened(files, likely, engine)
    names = file.head.names
    said = partitions(str(source.file), files.paths, names)
    file = replace(file, partitions=dict.fromkeys(said, _TEXT))
    _check_declared(source, file.names, engine)
    texts = file.item({})
    asked: list[tuple[str, dict[str, Any]]] = []  # of every column, what it may be
    for name in file.names:
        kind = source.columns.get(name)
        if kind is not None:
            declared = declared_form(COLUMN_TYPES.get(kind.lower(), kind), source)
            asked.append((name, {**declared, "name": name, "declared": kind}))
    open_ = [name for name in names if name not in source.columns]
    asked += _possible(file, open_, engine)
    found = _misfits(texts, [entry for _, entry in asked], source, engine)
    types = {name: kind for name, kind in said.items() if name not in source.columns}
    wrong: list[tuple[str, dict[str, Any]]] = []
    read = None if needed is None else {name.lower() for name in needed}
    for (name, entry), misfits in zip(asked, found, strict=True):
        is_read = read is None or name.lower() in read
        if misfits and ("declared" in entry or (entry["form"] == "text" and is_read)):
            wrong.append((name, entry))
        elif not misfits and entry["form"] != "text" and name not in types:
            types[name] = entry["type"]
    if wrong:
        raise SpecError([_problem(file, name, entry, engine) for name, entry in wrong])
    _check_last_fields(file, engine)
    item = file.item(types)
    written = file.head.written
    return item, [
        replace(column, written=written.get(column.name)) for column in engine.describe(item)
    ]


def _likely(files: Files, engine: FileEngine) -> list[list[Head]]:
    """How each file may begin."""
    named = zip(files.paths, files.names, strict=True)
    return [heads(_first_lines(files, path, engine), files.source, name) for path, name in named]


def _opened(files: Files, likely: Sequence[list[Head]], engine: FileEngine) -> TextFile:
    """The files as they can be read, in the one way there is."""
    shared = [head for head in likely[0] if all(head in others for others in likely[1:])]
    if not shared:
        at = next(
            number
            for number, others in enumerate(likely)
            if not any(head in others for head in likely[0])
        )
        raise SpecError(
            Problem(
                "source",
                f"the header line of {files.names[at]!r} is not that of {files.names[0]!r}: "
                "files that are read together name the same columns in the same order",
            )
        )
    possible = [TextFile(files, head) for head in shared]
    readable = [file for file in possible if _is_readable(file, engine)] if len(shared) > 1 else []
    if len(readable) > 1:
        signs_ = " or ".join(repr(file.head.delimiter) for file in readable)
        what = f"its fields may be separated by {signs_}: say which as delimiter"
        raise SpecError(Problem("source", what))
    return next(iter(readable or possible))


def _first_lines(files: Files, path: str, engine: FileEngine) -> list[str | None]:
    """The first lines of a file, each as a whole: no separator parts it."""
    lines = _lines(files, literal(path))
    rows = _rows(f"select line from {lines} limit {LINES + files.source.skip}", engine)
    return [line for (line,) in rows]


def _lines(files: Files, path: Sql) -> Sql:
    """The FROM item that reads the lines of files whole."""
    coded = f", encoding = {literal(files.encoding)}" if files.encoding else ""
    return Sql(
        f"read_csv({path}, auto_detect = false, header = false, delim = {literal(_NO_TEXT)}, "
        f"quote = '', escape = '', strict_mode = false, columns = {{'line': 'VARCHAR'}}{coded})"
    )


def _check_last_fields(file: TextFile, engine: FileEngine) -> None:
    """Refuse a line with a field more than the header line, though it is empty.

    DuckDB drops such a field. Most files have no line that ends in one, and are asked no more.
    """
    quote = file.files.source.quote or '"'
    ends = (file.head.delimiter, f"{file.head.delimiter}{quote}{quote}")
    ending = " or ".join(f"suffix(line, {literal(end)})" for end in ends)
    lines = _lines(file.files, file.files.item)
    ((is_any,),) = _rows(f"select coalesce(bool_or({ending}), false) from {lines}", engine)
    if not is_any:
        return
    names = file.head.names
    more = next(name for name in map("more{}".format, count()) if name not in names)
    found = _first_line(file, {"form": "nothing", "name": more, "type": _TEXT}, engine, more)
    if found is not None:
        raise SpecError(Problem("source", ragged(*found, len(names) + 1, len(names))))


def _is_readable(file: TextFile, engine: FileEngine) -> bool:
    try:
        _rows(f"select count(*) from {file.item({})}", engine)
    except SpecError:
        return False
    return True


def _rows(select: str, engine: FileEngine, named: int | None = None) -> list[Any]:
    """The rows of a SELECT from a text file.

    Args:
        select: the SELECT.
        engine: where it runs.
        named: how many columns the header line names, if more are read.

    Raises:
        SpecError: if the file cannot be read: which line, and why.
    """

    def take() -> list[Any]:
        try:
            found: list[Any] = engine.connection.execute(select).fetchall()
            return found
        except duckdb.InvalidInputException as error:
            fault = text_fault(error, named)
            if fault is None:
                raise
            raise SpecError(Problem("source", fault)) from None

    return engine.driver.call(take, "reading the source", select)


def _possible(
    file: TextFile, names: Sequence[str], engine: FileEngine
) -> list[tuple[str, dict[str, Any]]]:
    """The types that each column may have by its first values: narrowest first, text last."""
    if not names:
        return []
    first = Sql(f"(select * from {file.item({})} limit {_FIRST})")
    decimal = file.files.source.decimal or "."
    counting = load_template("source/digits", engine.dialect)
    select = counting.render({"source": first}, {"columns": list(names), "decimal": decimal})
    (row,) = _rows(select, engine)
    width = len(names)
    asked: list[tuple[str, dict[str, Any]]] = []
    for index, name in enumerate(names):
        values, least, most = row[index], row[width + index], row[2 * width + index]
        digits = most if values and least == most else None
        if not values:
            asked.append((name, {"form": "nothing", "name": name, "type": _TEXT}))
        asked += [(name, {**entry, "name": name}) for entry in forms(digits, file.files.source)]
    misfits = _misfits(first, [entry for _, entry in asked], file.files.source, engine)
    return [pair for pair, misfit in zip(asked, misfits, strict=True) if not misfit] + [
        (name, {"form": "text", "name": name, "type": _TEXT}) for name in names
    ]


def _misfits(
    item: Sql, asked: Sequence[Mapping[str, Any]], source: Source, engine: FileEngine
) -> tuple[int, ...]:
    """Of how many values each is not so, that is asked."""
    if not asked:
        return ()
    template = load_template("source/misfits", engine.dialect)
    columns = [_parameters(entry, source) for entry in asked]
    select = template.render({"source": item}, {"columns": columns})
    (found,) = _rows(select, engine)
    return tuple(found)


def _parameters(one: Mapping[str, Any], source: Source) -> dict[str, Any]:
    """The parameters by which a template asks whether a column fits a type."""
    return {**signs(source), **one, "type": Sql(one["type"])}


def _check_declared(source: Source, names: Sequence[str], engine: FileEngine) -> None:
    """Refuse types for columns that a file does not have, and types that DuckDB does not have."""
    for name, kind in source.columns.items():
        try:
            engine.driver.execute(f"select cast(null as {COLUMN_TYPES.get(kind.lower(), kind)})")
        except EngineError:
            known = ", ".join(COLUMN_TYPES)
            what = f"{kind!r} is no type: give {known}, or DuckDB's, such as decimal(9, 2)"
            raise SpecError(Problem(f"source.columns.{name}", what)) from None
    unknown = [name for name in source.columns if name not in names]
    if unknown:
        raise SpecError(
            [
                Problem(
                    f"source.columns.{name}",
                    "the file has no such column; "
                    + nearest_column(name, names, source.columns, certain=False),
                )
                for name in unknown
            ]
        )


def _problem(file: TextFile, name: str, one: Mapping[str, Any], engine: FileEngine) -> Problem:
    """The first line whose value is not of the declared type; the message shows none of it."""
    found = _first_line(file, one, engine)
    if found is None:
        raise AssertionError("a value was counted that is not found")
    line, of_file = found
    if one["form"] == "text":
        what = f"line {line} of {of_file} has a value with a NUL sign, which no text has"
        return Problem("source", what)
    kind = one["declared"]
    return Problem(
        f"source.columns.{name}",
        f"line {line} of {of_file} has a value that is no {kind}{TYPES.get(kind.lower(), '')}: "
        "declare it text, or say in nullstr what stands for NULL",
    )


def _with_blank_lines(file: TextFile, path: str, line: int, engine: FileEngine) -> int:
    """The number of a line, if blank lines are counted as well, which are no records.

    Args:
        file: the files.
        path: of the one that it is a line of.
        line: its number without the blank lines that stand between records.
        engine: where it is read.
    """
    if len(file.head.names) == 1:  # a blank line is a record then
        return line
    template = load_template("source/line_of_file", engine.dialect)
    params = {"before": file.head.before, "line": line, "quote": file.files.source.quote or '"'}
    select = template.render({"lines": _lines(file.files, literal(path))}, params)
    ((found,),) = _rows(select, engine)
    return line if found is None else int(found)


def _first_line(
    file: TextFile, one: Mapping[str, Any], engine: FileEngine, surplus: str | None = None
) -> tuple[int, str] | None:
    """The first line whose value is not what is asked, and the file that it is of; None if none.

    Args:
        file: the files.
        one: what is asked of a column.
        engine: where they are read.
        surplus: the name of a field that is read beyond those that have names.
    """
    files = file.files
    template = load_template("source/first_misfit", engine.dialect)
    column = _parameters(one, files.source)
    params = {"column": column, "columns": list(file.head.names), "before": file.head.before}
    for name, path in zip(files.names, files.paths, strict=True):
        select = template.render({"source": file.item({}, literal(path), surplus)}, params)
        ((line,),) = _rows(select, engine, len(file.head.names))
        if line is not None:
            line = _with_blank_lines(file, path, int(line), engine)
            return line, "the file" if len(files.names) == 1 else repr(name)
    return None
