"""How a sheet of an Excel workbook is read: a row of names, and a record in every row below it.

DuckDB's own reader takes the types of the first record for all, and a date further down for the
number of its day. Here every cell says its own type.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice, pairwise
from typing import Any

import pandas as pd

from sqlanon.engines.duckdb.json_files import EXACT, namesakes, types_of, unknown
from sqlanon.engines.duckdb.text_copies import FileEngine
from sqlanon.errors import Problem, SpecError, nearest
from sqlanon.inputs.files import is_remote_file, matching
from sqlanon.inputs.source import COLUMN_TYPES, Source
from sqlanon.sql.names import Sql, identifier

_BATCH = 50_000  # rows that are on their way at once
_TEXT = COLUMN_TYPES["text"]
_FORMS = {bool: "truth values", float: "numbers", str: "text", date: "dates", datetime: "dates"}
_TYPES = {"truth values": "BOOLEAN", "text": _TEXT}


@dataclass
class _Column:
    """A column of a sheet, and the facts on the cells that were read of it.

    Attributes:
        letter: Excel's name of it.
        name: its name in the row of names; empty if it has none.
        at: its place in a row.
        kinds: the Python types of its cells.
        whole: whether every number is a whole one that a bigint holds.
    """

    letter: str
    name: str
    at: int
    kinds: set[type] = field(default_factory=set)
    whole: bool = True

    def taken(self, cell: Any, nulls: Collection[str]) -> str | None:
        """The text of a cell, which is counted; None of an empty cell, and of a code for NULL."""
        is_whole = isinstance(cell, float) and cell.is_integer() and abs(cell) <= EXACT
        text = str(int(cell)) if is_whole else str(cell)
        if isinstance(cell, bool):
            text = text.lower()
        if not text or text in nulls:
            return None
        self.kinds.add(type(cell))
        self.whole &= is_whole or not isinstance(cell, float)
        return text

    @property
    def type(self) -> str:
        """DuckDB's type of the column.

        Raises:
            ValueError: if its cells are of no one type.
        """
        forms = sorted({_FORMS.get(kind, "times of day or durations") for kind in self.kinds})
        if len(forms) > 1 or not self.kinds <= _FORMS.keys():
            raise ValueError(f"it has {' and '.join(forms)}, which are no one type of a column")
        if forms == ["numbers"]:
            return "BIGINT" if self.whole else "DOUBLE"
        if forms == ["dates"]:
            return "TIMESTAMP" if datetime in self.kinds else "DATE"
        return _TYPES[forms[0]] if forms else _TEXT


def workbook_item(source: Source, engine: FileEngine, needed: Collection[str] | None = None) -> Sql:
    """The FROM item of a copy of a sheet, as a temporary table.

    The first row that is not empty names the columns. Text stays text. Numbers are whole numbers
    where all are, and else doubles. An error, such as #N/A, is NULL as an empty cell is.

    Args:
        source: the file, and which sheet.
        engine: holds the copy.
        needed: the columns that will be read; by default all.

    Raises:
        SpecError: if the file is no such workbook; if several sheets hold cells, and the source
            names none; if a column has no name, or that of another; if a row between records or a
            column between others is empty, or cells are merged; if cells of a column are of no one
            type, and the source does not declare it; or if a cell is not of the declared type.
    """
    sheet = _sheet(source)
    columns, rows = _table(source, sheet)
    named = _named(columns, source)
    copy = _copied(named, rows, source, engine)
    texts = [(column, identifier(column.letter)) for column in named]
    types, problems = types_of(texts, source, copy, engine, needed)
    if problems:
        raise SpecError(problems)
    cells = ", ".join(
        f"cast({text} as {types[column.name]}) as {identifier(column.name)}"
        for column, text in texts
    )
    return Sql(f"(select {cells} from {copy})")


def _sheet(source: Source) -> Any:
    """The sheet that is named, or the only one with cells that is not hidden."""
    file = str(source.file)
    if is_remote_file(file):
        raise SpecError(Problem("source", "a workbook is read of a local file: make a copy"))
    files = matching(file)
    if len(files) > 1:
        what = f"{file!r} stands for {len(files)} workbooks, and a source is a sheet of one"
        raise SpecError(Problem("source", f"{what}: name it"))
    try:
        import python_calamine
    except ImportError:
        what = "a workbook needs python-calamine: install sqlanon's extra 'excel', or save the "
        raise SpecError(Problem("source", f"{what}sheet as a CSV file")) from None
    try:
        book = python_calamine.load_workbook(files[0])
        shown = python_calamine.SheetVisibleEnum.Visible
        kind = python_calamine.SheetTypeEnum.WorkSheet
        listed = [sheet for sheet in book.sheets_metadata if sheet.typ == kind]
        read = [sheet.name for sheet in listed if source.sheet in (None, sheet.name)]
        sheets = {name: book.get_sheet_by_name(name) for name in read}
    except (python_calamine.CalamineError, OSError):
        what = "the file is no workbook, or it is encrypted: save the sheet as a CSV file"
        raise SpecError(Problem("source", what)) from None
    if source.sheet is not None:
        if source.sheet not in sheets:
            hint = nearest(source.sheet, [sheet.name for sheet in listed])
            raise SpecError(Problem("source.sheet", f"there is no sheet {source.sheet!r}; {hint}"))
        return sheets[source.sheet]
    filled = [sheet.name for sheet in listed if sheet.visible == shown and sheets[sheet.name].end]
    if len(filled) != 1:
        what = f"{len(filled)} sheets have cells: {', '.join(map(repr, filled))}"
        what = f"{what}; name one by sheet" if filled else "no sheet has cells"
        raise SpecError(Problem("source.sheet", what))
    return sheets[filled[0]]


def _table(source: Source, sheet: Any) -> tuple[list[_Column], Iterator[tuple[int, list[Any]]]]:
    """The columns by the row of names, and the rows below it with their numbers."""
    rows = enumerate(sheet.iter_rows(), 1)
    below = islice(rows, source.skip, None)
    at, head = next(((at, row) for at, row in below if any(map(_is_filled, row))), (0, []))
    if not head:
        raise SpecError(Problem("source", "the sheet has no row of names"))
    merged = [(top + 1, end + 1) for (top, _), (end, _) in sheet.merged_cell_ranges or ()]
    for top, end in merged:
        if end >= at:
            what = f"cells of rows {top} to {end} are merged, so that not every record has its own"
            raise SpecError(Problem("source", f"{what}: undo it and fill all of them in"))
    if any(_is_filled(cell) and not isinstance(cell, str) for cell in head):
        what = f"row {at} has cells that are no text, and is to name the columns"
        raise SpecError(Problem("source", f"{what}: give the sheet a row of names"))
    first = sheet.start[1]
    columns = [_Column(_letters(first + n), cell.strip(), n) for n, cell in enumerate(head)]
    return columns, below


def _named(columns: Sequence[_Column], source: Source) -> list[_Column]:
    """The columns that have names, which name no other column, and all that are declared."""
    named = [column for column in columns if column.name]
    names = [column.name for column in named]
    problems = []
    for before, column in pairwise(named):
        if column.at > before.at + 1:
            what = (
                f"no name stands between columns {before.letter} and {column.letter}, which may be"
            )
            mend = "delete what is between them, or name it"
            problems.append(Problem("source", f"{what} of two tables: {mend}"))
    for several in namesakes(names):
        what = f"several columns are called {several[0]!r}, upper and lower case alike"
        problems.append(Problem("source", f"{what}: rename them"))
    problems += unknown(source, names, "the sheet has no such column")
    if problems:
        raise SpecError(problems)
    return named


def _copied(
    columns: Sequence[_Column],
    rows: Iterator[tuple[int, list[Any]]],
    source: Source,
    engine: FileEngine,
) -> Sql:
    """A temporary table of the records' texts, whose columns are called by their letters."""
    records = _records(columns, rows, frozenset(source.nullstr))
    letters = [column.letter for column in columns]
    copy: Sql | None = None
    while batch := list(islice(records, _BATCH)):
        frame = pd.DataFrame(batch, columns=letters, dtype="string")
        with engine.register(frame) as item:
            texts = ", ".join(
                f"cast({identifier(letter)} as varchar) as {identifier(letter)}"
                for letter in letters
            )
            select = f"select {texts} from {item}"
            if copy is None:
                copy = engine.keep_text(Sql(f"({select})"))
            else:
                engine.driver.execute(f"insert into {copy} {select}", "reading the source")
    if copy is None:
        raise SpecError(Problem("source", "the sheet has no records after its row of names"))
    return copy


def _records(
    columns: Sequence[_Column], rows: Iterator[tuple[int, list[Any]]], nulls: Collection[str]
) -> Iterator[list[str | None]]:
    """The texts of the records, one after the other, up to the last that is not empty."""
    empty, named = 0, {column.at for column in columns}
    for at, row in rows:
        if not any(map(_is_filled, row)):
            empty = empty or at
            continue
        if empty:
            what = f"row {empty} is empty, and the rows below it may be no records"
            raise SpecError(Problem("source", f"{what}: delete it, or these"))
        for index, cell in enumerate(row):
            if index not in named and _is_filled(cell):
                what = f"row {at} has a cell in a column that the row of names leaves empty"
                mend = "name it, or say by skip how many rows stand before the row of names"
                raise SpecError(Problem("source", f"{what}: {mend}"))
        yield [column.taken(row[column.at], nulls) for column in columns]


def _is_filled(cell: Any) -> bool:
    return not (isinstance(cell, str) and not cell.strip())


def _letters(at: int) -> str:
    """Excel's name of a column: A to Z, then AA and so on."""
    found = ""
    at += 1
    while at:
        at, last = divmod(at - 1, 26)
        found = chr(65 + last) + found
    return found
