"""Where the records of a spec are, and how a text file is read.

YAML makes values of words without quotes, whose text may be another than the one there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from sqlanon.common.fields import Declared, UnquotedTruth, Whole
from sqlanon.inputs import files


class UnquotedInt(int):
    """A whole number that was written otherwise: 02134, 1_000 or 12:30."""

    written: str
    read: str


class UnquotedFloat(float):
    """A number that was written otherwise: 1.10 or .5."""

    written: str
    read: str


def unquoted(value: Any, written: str) -> Any:
    """A value of a spec that still knows its text, if a database would write it otherwise.

    Args:
        value: what YAML makes of the text.
        written: the text, which stands there without quotes.
    """
    if not isinstance(value, bool | int | float) or as_text(value) == written:
        return value
    if isinstance(value, bool):
        return UnquotedTruth(value, written)
    kept: UnquotedFloat | UnquotedInt
    kept = UnquotedFloat(value) if isinstance(value, float) else UnquotedInt(value)
    kept.written, kept.read = written, as_text(value)
    return kept


def as_text(value: Any) -> str:
    """A value of a spec as a database writes it.

    Raises:
        ValueError: if it stands in the spec without quotes, and its text there is another.
    """
    if isinstance(value, UnquotedInt | UnquotedFloat | UnquotedTruth):
        raise ValueError(
            f"it must be a text: put it into quotes; YAML reads {value.written} as {value.read}"
        )
    if value is None:
        raise ValueError("it must be a text: put it into quotes; without them it is nothing")
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_plain(value: Any) -> bool:
    """Whether a value of a spec has a text."""
    return isinstance(value, str | int | float | date | UnquotedTruth)


def _texts(value: Any) -> Any:
    """Let one text stand for a list of one, and numbers for their text."""
    listed = value if isinstance(value, list | tuple) else [value]
    has_texts = all(one is None or is_plain(one) for one in listed)
    return tuple(as_text(one) for one in listed) if has_texts else value


def _column_type(value: Any) -> str:
    """The type of a column in a text file: one of our words, or a name that DuckDB knows."""
    if not isinstance(value, str) or not re.fullmatch(
        r"\w[\w ]*(\(\d+(, *\d+)?\))?", value.strip()
    ):
        raise ValueError(
            f"it must be a type: {', '.join(COLUMN_TYPES)}, or DuckDB's, such as decimal(9, 2)"
        )
    return value.strip()


# The words for the types of a text file's columns, and what DuckDB calls them.
COLUMN_TYPES = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "boolean": "BOOLEAN",
}
# Words that stand for a missing value by themselves, in small letters.
MISSING_WORDS = (
    "?", "", "na", "n/a", "#n/a", "nan", "null", "nil", ".", "-", "--", "missing", "unknown",
    "not available", "not applicable", "refused", "don't know", "keine angabe", "k.a.",
    "unbekannt", "inconnu", "non renseigné", "desconocido", "sin dato", "no sabe",
)  # fmt: skip
TEXT_SETTINGS = (
    "delimiter",
    "quote",
    "escape",
    "skip",
    "columns",
    "decimal",
    "thousands",
    "dates",
    "encoding",
    "nullstr",
)
WORKBOOK_SETTINGS = ("sheet", "skip", "columns", "nullstr")
Encoding = Literal["utf-8", "utf-16", "utf-16-be", "utf-32", "latin-1", "windows-1252"]
COPIED = ("utf-16-be", "utf-32", "windows-1252")  # read as a copy in UTF-8, for DuckDB has none
ColumnType = Annotated[str, BeforeValidator(_column_type)]


def _has_columns(value: Mapping[Any, Any], settings: set[str]) -> bool:
    """Whether a mapping holds records, column by column, and no setting of a source."""
    lists = all(isinstance(one, Collection) and not isinstance(one, str) for one in value.values())
    return bool(value) and lists and not settings & value.keys()


Texts = Annotated[
    tuple[str, ...],
    BeforeValidator(_texts),
    WithJsonSchema(
        {"type": ["array", "string", "number"], "items": {"type": ["string", "number"]}}
    ),
]


class ReadAs(str):
    """The name of a text file, with the settings of a source by which it is read."""

    __slots__ = ("settings",)
    settings: dict[str, Any]

    def __new__(cls, name: str, settings: dict[str, Any]) -> ReadAs:
        """A name with its settings."""
        made = super().__new__(cls, name)
        made.settings = settings
        return made


class Source(Declared):
    """Where the records are: a file or files, a table or view, or a query.

    Attributes:
        held: whether a program holds them, so that nothing is named.
    """

    held: ClassVar[bool] = False

    file: str | None = Field(
        default=None,
        description="a CSV, TSV, JSON, Excel or Parquet file, a pattern such as data/*.csv, or a "
        "folder of CSV, TSV or Parquet files",
    )
    sheet: str | None = Field(
        default=None, description="the sheet of an Excel workbook, if several have cells"
    )
    table: str | None = Field(default=None, description="a table or view of the database")
    query: str | None = Field(default=None, description="one SELECT")
    delimiter: str | None = Field(
        default=None, min_length=1, max_length=1, description="what separates a text file's fields"
    )
    quote: str | None = Field(
        default=None,
        min_length=1,
        max_length=1,
        description="the quote around a text file's field that holds the delimiter; \" by default",
    )
    escape: str | None = Field(
        default=None,
        min_length=1,
        max_length=1,
        description="the sign before a quote inside quotes; by default the quote itself",
    )
    skip: Whole = Field(
        default=0,
        ge=0,
        description="how many lines of a text file, or rows of a sheet, stand before the header",
    )
    columns: dict[str, ColumnType] = Field(
        default={},
        description="the types of columns of a text, JSON or Excel file that are not to be found "
        "out: text, integer, number, date, timestamp, boolean, or a type of DuckDB's such as "
        "decimal(9, 2)",
    )
    decimal: Literal[".", ","] | None = Field(
        default=None, description="a text file's decimal sign"
    )
    thousands: str | None = Field(
        default=None,
        min_length=1,
        max_length=1,
        description="what a text file's numbers have between thousands",
    )
    dates: str | None = Field(
        default=None,
        min_length=2,
        description="how a text file writes dates, such as %d.%m.%Y; by default %Y-%m-%d",
    )
    encoding: Encoding | None = Field(default=None, description="of a text file; utf-8 by default")
    nullstr: Texts = Field(
        default=(),
        description="the texts that stand for NULL in a text file, besides the empty field",
    )

    @model_validator(mode="after")
    def _one(self) -> Source:
        named = [part for part in (self.file, self.table, self.query) if part is not None]
        if len(named) != (0 if self.held else 1):
            raise ValueError("it must name one of file, table or query")
        given = [name for name in TEXT_SETTINGS if getattr(self, name)]
        taken, instead = self._taken
        others = ", ".join(name for name in given if name not in taken)
        if others:
            raise ValueError(f"{others}: for a text file alone, such as CSV{instead}")
        if self.sheet is not None and not self.is_workbook:
            raise ValueError(f"sheet: for a workbook alone, a file that ends in {files.WORKBOOK}")
        signs = [text for text in (self.delimiter, self.quote, self.thousands) if text is not None]
        if len(set(signs)) < len(signs) or (self.thousands or "") == (self.decimal or "."):
            raise ValueError("delimiter, quote, thousands and decimal must be different signs")
        if self.dates is not None and not re.search("%[dejmbBy]", self.dates, re.IGNORECASE):
            raise ValueError(f"dates: {self.dates!r} is no form of a date, such as %d.%m.%Y")
        return self

    @property
    def _taken(self) -> tuple[Sequence[str], str]:
        """The settings that it may have, and the words for them where it may not have others."""
        if self.is_text:
            return TEXT_SETTINGS, ""
        if self.is_json:
            return ("columns",), "; JSON takes columns"
        if self.is_workbook:
            return WORKBOOK_SETTINGS, "; a workbook takes sheet, skip, columns and nullstr"
        return (), ""

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.table or self.file or "query"

    @property
    def is_text(self) -> bool:
        """Whether it is a file, or files, whose types are not written in it."""
        return self.file is not None and files.is_text(self.file)

    @property
    def is_json(self) -> bool:
        """Whether it is JSON: a file or files of objects, whose keys are the columns."""
        return self.file is not None and files.is_json(self.file)

    @property
    def is_workbook(self) -> bool:
        """Whether it is a sheet of an Excel workbook."""
        return self.file is not None and files.is_workbook(self.file)

    @property
    def is_named(self) -> bool:
        """Whether its columns surely have names: the first line of a text file may be a record."""
        return self.query is None and not self.is_text and not self.is_workbook

    def sayable(self, names: Iterable[str]) -> list[str]:
        """Those of the names of its columns that are no values of the data.

        A query that pivots makes names of values: only names that stand in its own text are safe.
        """
        query = self.query or ""
        pivots = re.search("pivot", query, re.IGNORECASE) is not None
        return [name for name in names if not pivots or name in query]

    def located(self, folder: Path) -> Source:
        """The same, where a relative path counts from a folder."""
        if self.file is None or files.is_remote_file(self.file):
            return self
        return self.model_copy(update={"file": str(folder / Path(self.file).expanduser())})

    @classmethod
    def read(cls, value: Any) -> Any:
        """Take a bare text for a query, a file or a table, by what it looks like."""
        if isinstance(value, ReadAs):
            return {**cls.read(str(value)), **value.settings}
        if isinstance(value, Path):
            return {"file": str(value)}
        if isinstance(value, Mapping) and _has_columns(value, set(cls.model_fields)):
            raise ValueError(
                "a mapping of columns is no source: give a frame, such as pandas.DataFrame(columns)"
            )
        if not isinstance(value, str):
            return value
        text = value.strip()
        if text.lower().split(None, 1)[:1] in (["select"], ["with"], ["from"]):
            return {"query": text}
        if files.is_remote_database(text):
            raise ValueError(
                "that is a database: name a table of it as the source, and it as the database"
            )
        if files.ends_as_file(text) or "/" in text or "*" in text:
            return {"file": text}
        return {"table": text}


class Frame(Source):
    """Records that a Python program holds: a frame, or a relation of its own connection."""

    held: ClassVar[bool] = True

    frame: Literal[True] = True

    @property
    def name(self) -> str:
        """Its name in messages."""
        return "frame"
