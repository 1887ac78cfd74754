"""How DuckDB reads a text file: every line of it, and every value as the file has it."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.engines.duckdb.messages import text_fault
from sqlanon.engines.duckdb.spill import SpillFolder
from sqlanon.engines.duckdb.text_heads import LINES, Head, check_bytes, heads
from sqlanon.engines.duckdb.text_types import TYPES, declared_form, forms, signs
from sqlanon.errors import Problem, SpecError, nearest_column
from sqlanon.spec.addresses import is_remote_file
from sqlanon.spec.columns import Column
from sqlanon.spec.files import matching, partitions, pattern_of
from sqlanon.spec.source import COLUMN_TYPES, COPIED, Source
from sqlanon.sql import load_template
from sqlanon.sql.names import Sql, literal

if TYPE_CHECKING:
    from sqlanon.engines.duckdb.engine import DuckDBEngine

_FIRST = 2000  # the records that are asked what a column may be, before all are
_CODECS = dict(zip(COPIED, ("utf-16-be", "utf-32", "cp1252"), strict=True))  # Python's names
_TEXT = COLUMN_TYPES["text"]
_CHUNK = 1 << 20


@dataclass(frozen=True)
class TextFile:
    """A text file, or several of one form, as DuckDB is told to read it: nothing is guessed.

    Attributes:
        source: what is declared.
        path: what DuckDB is told: a path, a pattern or several paths.
        files: all the paths that are.
        head: how each of them begins.
        partitions: DuckDB's types of the columns that the files' folders say.
    """

    source: Source
    path: Sql
    files: tuple[str, ...]
    head: Head
    partitions: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns: those of the files, and those that their folders say."""
        return (*self.head.names, *self.partitions)

    def item(self, types: Mapping[str, str], path: Sql | None = None) -> Sql:
        """The FROM item that reads it.

        Args:
            types: DuckDB's types of columns that are not text.
            path: of one of the files, if not all are read.
        """
        source, quote = self.source, self.source.quote or '"'
        columns = ", ".join(
            f"{literal(name)}: {literal(types.get(name, _TEXT))}" for name in self.head.names
        )
        options = [
            "auto_detect = false",
            "header = true",
            f"delim = {literal(self.head.delimiter)}",
            f"quote = {literal(quote)}",
            f"escape = {literal(source.escape or quote)}",
            "strict_mode = true",
        ]
        if self.head.skip:
            options.append(f"skip = {self.head.skip}")
        if source.decimal:
            options.append(f"decimal_separator = {literal(source.decimal)}")
        if source.thousands:
            options.append(f"thousands = {literal(source.thousands)}")
        if source.dates:
            options.append(f"dateformat = {literal(source.dates)}")
        if source.encoding and source.encoding not in _CODECS:
            options.append(f"encoding = {literal(source.encoding)}")
        if source.nullstr:
            texts = ", ".join(map(literal, dict.fromkeys(("", *source.nullstr))))
            options.append(f"nullstr = [{texts}]")
        options += [f"columns = {{{columns}}}", *partitioned(self.partitions, types)]
        return Sql(f"read_csv({path or self.path}, {', '.join(options)})")


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


def parquet_item(source: Source, said: Mapping[str, str]) -> Sql:
    """The FROM item by which DuckDB reads Parquet files.

    Args:
        source: the files.
        said: DuckDB's types of the columns that their folders say.
    """
    options = partitioned(said, {})
    return Sql(f"read_parquet({literal(_pattern(str(source.file)))}, {', '.join(options)})")


def parquet(source: Source, engine: DuckDBEngine) -> Sql:
    """The FROM item that reads Parquet files, and the columns that their folders say."""
    file, plain = str(source.file), parquet_item(source, {})
    files = _files(file, engine)
    if files == [file]:
        return plain
    own = [column.name for column in engine.describe(plain)]
    return parquet_item(source, partitions(file, files, own))


def as_written(source: Source, engine: DuckDBEngine) -> tuple[Sql, list[Column]]:
    """The item that reads a text file so that what is read is what the file says.

    A column has another type than text only if it is declared, or if each of its values, written
    back by that type, is the text of the file; all lines are asked.

    Raises:
        SpecError: if the file is no text of its encoding; if not every line has the fields of the
            first; if it may be read in more than one way; if a column whose type is declared is
            not in it, or a value is not of the type, or could be so only by rounding.
    """
    remote = source.file is not None and is_remote_file(source.file)
    files = _files(str(source.file), engine)
    if not remote:
        for file in files:
            check_bytes(file, source.encoding)
    if source.encoding not in _CODECS:
        return _typed(source, literal(_pattern(str(source.file))), files, engine)
    if remote:
        what = "is read of local files alone: make a copy, or save it as UTF-8"
        raise SpecError(Problem("source.encoding", f"{source.encoding} {what}"))
    folder = SpillFolder()
    try:
        copies = _in_utf_8(files, _CODECS[source.encoding], folder.path)
        listed = Sql(f"[{', '.join(map(literal, copies))}]")
        item, columns = _typed(source, listed, copies, engine)
        return engine.keep_text(item), columns
    finally:
        folder.remove()


def _pattern(file: str) -> str:
    try:
        return pattern_of(file)
    except ValueError as error:
        raise SpecError(Problem("source", str(error))) from None


def _files(file: str, engine: DuckDBEngine) -> list[str]:
    """The files of a source; those at an address are listed where they are, by a pattern."""
    if not is_remote_file(file):
        return matching(file)
    if "*" not in file:
        return [file]
    select = f"select file from glob({literal(file)}) order by file"
    return [one for (one,) in _rows(select, engine)] or [file]


def _in_utf_8(files: Sequence[str], codec: str, folder: Path) -> list[str]:
    """Copies of files in UTF-8, in a private folder."""
    copies = []
    for number, file in enumerate(files):
        copy = folder / f"{number}.csv"
        try:
            with (
                codecs.open(file, encoding=codec) as read,
                copy.open("w", encoding="utf-8", newline="") as written,
            ):
                while text := read.read(_CHUNK):
                    written.write(text)
        except UnicodeError:
            what = f"the file {file!r} is not encoded so"
            raise SpecError(Problem("source.encoding", what)) from None
        copies.append(str(copy))
    return copies


def _typed(
    source: Source, path: Sql, files: Sequence[str], engine: DuckDBEngine
) -> tuple[Sql, list[Column]]:
    file = _opened(source, path, files, engine)
    names = file.head.names
    said = partitions(str(source.file), files, names)
    file = replace(file, partitions=dict.fromkeys(said, _TEXT))
    _check_declared(source, file.names)
    texts = file.item({})
    asked: list[tuple[str, dict[str, Any]]] = []  # of every column, what it may be
    for name in file.names:
        kind = source.columns.get(name)
        if kind is not None:
            declared = declared_form(COLUMN_TYPES.get(kind.lower(), kind), source)
            asked.append((name, {**declared, "name": name, "declared": kind}))
    open_ = [name for name in names if name not in source.columns]
    asked += _possible(file, open_, engine)
    found = _misfits(texts, [one for _, one in asked], source, engine)
    types = {name: kind for name, kind in said.items() if name not in source.columns}
    wrong: list[tuple[str, dict[str, Any]]] = []
    for (name, one), misfits in zip(asked, found, strict=True):
        if misfits and ("declared" in one or one["form"] == "text"):
            wrong.append((name, one))
        elif not misfits and one["form"] != "text" and name not in types:
            types[name] = one["type"]
    if wrong:
        raise SpecError([_problem(file, name, one, engine) for name, one in wrong])
    item = file.item(types)
    return item, engine.describe(item)


def _opened(source: Source, path: Sql, files: Sequence[str], engine: DuckDBEngine) -> TextFile:
    """The files as they can be read, in the one way there is."""
    likely = [heads(_first_lines(source, file, engine), source) for file in files]
    shared = [one for one in likely[0] if all(one in others for others in likely[1:])]
    if not shared:
        place = next(
            at for at, others in enumerate(likely) if not any(one in others for one in likely[0])
        )
        raise SpecError(
            Problem(
                "source",
                f"the header line of {files[place]!r} is not that of {files[0]!r}: files that are "
                "read together name the same columns in the same order",
            )
        )
    files_ = [TextFile(source, path, tuple(files), head) for head in shared]
    readable = [one for one in files_ if _is_readable(one, engine)] if len(shared) > 1 else []
    if len(readable) > 1:
        signs_ = " or ".join(repr(one.head.delimiter) for one in readable)
        what = f"its fields may be separated by {signs_}: say which as delimiter"
        raise SpecError(Problem("source", what))
    file = next(iter(readable or files_))
    if file.head.same:
        one, other = file.head.same
        what = f"columns {one} and {other} of {files[0]!r} have one name: give each its own in the "
        what += "header line, or put one before the first line if that is a record"
        raise SpecError(Problem("source", what))
    return file


def _first_lines(source: Source, file: str, engine: DuckDBEngine) -> list[str | None]:
    """The lines of a file from its beginning, whatever separates their fields."""
    encoding = source.encoding if source.encoding not in _CODECS else None
    coded = f", encoding = {literal(encoding)}" if encoding else ""
    # No text has the sign by which these lines would be separated into fields.
    item = (
        f"read_csv({literal(file)}, auto_detect = false, header = false, delim = '\x1f', "
        f"quote = '', escape = '', strict_mode = false, columns = {{'line': 'VARCHAR'}}{coded})"
    )
    rows = _rows(f"select line from {item} limit {LINES + source.skip}", engine)
    return [line for (line,) in rows]


def _is_readable(file: TextFile, engine: DuckDBEngine) -> bool:
    try:
        _rows(f"select count(*) from {file.item({})}", engine)
    except SpecError:
        return False
    return True


def _rows(select: str, engine: DuckDBEngine) -> list[Any]:
    """The rows of a SELECT from a text file.

    Raises:
        SpecError: if the file cannot be read: which line, and why.
    """

    def take() -> list[Any]:
        try:
            found: list[Any] = engine.connection.execute(select).fetchall()
            return found
        except duckdb.InvalidInputException as error:
            fault = text_fault(error)
            if fault is None:
                raise
            raise SpecError(Problem("source", fault)) from None

    return engine.driver.call(take, "reading the source", select)


def _possible(
    file: TextFile, names: Sequence[str], engine: DuckDBEngine
) -> list[tuple[str, dict[str, Any]]]:
    """What columns may be by their first values, the narrowest type first; text at the end."""
    if not names:
        return []
    first = Sql(f"(select * from {file.item({})} limit {_FIRST})")
    decimal = file.source.decimal or "."
    counting = load_template("source/digits", engine.dialect)
    select = counting.render({"source": first}, {"columns": list(names), "decimal": decimal})
    (row,) = _rows(select, engine)
    width = len(names)
    asked: list[tuple[str, dict[str, Any]]] = []
    for place, name in enumerate(names):
        values, least, most = row[place], row[width + place], row[2 * width + place]
        digits = most if values and least == most else None
        if not values:
            asked.append((name, {"form": "nothing", "name": name, "type": _TEXT}))
        asked += [(name, {**one, "name": name}) for one in forms(digits, file.source)]
    misfits = _misfits(first, [one for _, one in asked], file.source, engine)
    return [pair for pair, misfit in zip(asked, misfits, strict=True) if not misfit] + [
        (name, {"form": "text", "name": name, "type": _TEXT}) for name in names
    ]


def _misfits(
    item: Sql, asked: Sequence[Mapping[str, Any]], source: Source, engine: DuckDBEngine
) -> tuple[int, ...]:
    """Of how many values each is not so, that is asked."""
    if not asked:
        return ()
    template = load_template("source/misfits", engine.dialect)
    columns = [_parameters(one, source) for one in asked]
    select = template.render({"source": item}, {"columns": columns})
    (found,) = _rows(select, engine)
    return tuple(found)


def _parameters(one: Mapping[str, Any], source: Source) -> dict[str, Any]:
    """What is asked of a column, as a template reads it."""
    return {**signs(source), **one, "type": Sql(one["type"])}


def _check_declared(source: Source, names: Sequence[str]) -> None:
    """Refuse types for columns that a file does not have."""
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


def _problem(file: TextFile, name: str, one: Mapping[str, Any], engine: DuckDBEngine) -> Problem:
    """The first line whose value is not of the declared type; the message shows none of it."""
    line, which = _line(file, one, engine)
    of_file = "the file" if len(file.files) == 1 else repr(which)
    if one["form"] == "text":
        what = f"line {line} of {of_file} has a value with a NUL sign, which no text has"
        return Problem("source", what)
    kind = one["declared"]
    return Problem(
        f"source.columns.{name}",
        f"line {line} of {of_file} has a value that is no {kind}{TYPES.get(kind.lower(), '')}: "
        "declare it text, or say in nullstr what stands for NULL",
    )


def _line(file: TextFile, one: Mapping[str, Any], engine: DuckDBEngine) -> tuple[int, str]:
    template = load_template("source/first_misfit", engine.dialect)
    for path in file.files:
        item = file.item({}, literal(path))
        column = _parameters(one, file.source)
        params = {"column": column, "columns": list(file.head.names), "before": file.head.skip + 1}
        select = template.render({"source": item}, params)
        ((line,),) = _rows(select, engine)
        if line is not None:
            return int(line), path
    raise AssertionError("a value was counted that is not found")
