"""The messages of DuckDB's errors that may be shown: never with a value of the data."""

from __future__ import annotations

import re
from dataclasses import replace

import duckdb

from sqlanon.engines.messages import CAUSES, Safe, is_known, safe_text
from sqlanon.engines.postgres.messages import SAFE as OF_POSTGRES
from sqlanon.errors import EngineError, Problem, ShortageError, SpecError, SqlanonError
from sqlanon.sql.names import Sql

# In place of DuckDB's own advice, to give up an order that a run counts on.
_MORE_MEMORY = "raise memory_limit (--memory-limit) or use fewer threads (--threads)"
_SIZES = r"[\d.]+ ?[KMGTP]?i?B?(?:ytes?)?"
_REST = r"(?:\n.*|!.*|\.\s.*)?"  # advice, with names of other things
_NAME = r'"?(?P<name>[^"\n]+?)"?'
_IN = ("IOException", "TransactionException", "InternalException", "Error", "FatalException")
_SAFE = (
    Safe(
        ("CatalogException",),
        rf'[\w ]*?(?P<what>Table|View|Schema|Type|Collation|Scalar Function|Table Function|'
        rf"Aggregate Function|Macro Function|Sequence|Index)(?: Function)? with name {_NAME} does "
        rf"not exist(?: because .*)?{_REST}",
        "there is no {what} {name}",
    ),
    Safe(
        ("CatalogException",),
        rf"(?P<what>Table|View|Schema|Index) with name {_NAME} already exists{_REST}",
        "a {what} {name} exists already",
    ),
    Safe(
        ("CatalogException",),
        rf"unrecognized configuration parameter {_NAME}{_REST}",
        "there is no setting {name}",
    ),
    Safe(
        ("BinderException",),
        rf'Referenced (?P<what>column|table) "(?P<name>[^"]+)" not found(?: in FROM .*)?{_REST}',
        "there is no {what} {name}",
    ),
    Safe(
        ("BinderException",),
        rf'Table "(?P<name>[^"]+)" does not have a column named "(?P<name2>[^"]+)"{_REST}',
        "the table {name} has no column {name2}",
    ),
    Safe(
        ("BinderException",),
        rf"No function matches the given name and argument types '(?P<name>\w+)\(.*{_REST}",
        "no function {name} takes arguments of these types: cast them",
    ),
    Safe(
        ("BinderException",),
        rf'column "(?P<name>[^"]+)" must appear in the GROUP BY clause .*{_REST}',
        "the column {name} must be grouped by, or aggregated",
    ),
    Safe(
        ("DependencyException",),
        r'Cannot (?:drop|alter) entry "(?P<name>[^"]+)" because there are entries that depend.*',
        "{name} cannot be dropped: other relations depend on it",
    ),
    Safe(
        ("ParserException",),
        rf'syntax error at or near "(?P<name>[^"]+)"{_REST}',
        "syntax error at or near {name}",
    ),
    Safe(("ParserException",), rf"syntax error at end of input{_REST}", "its SQL ends too early"),
    Safe(("ParserException", "BinderException"),
         rf"Max expression depth limit of \d+ exceeded{_REST}",
         "its SQL is nested too deeply: give fewer columns a role, or shorten a query"),
    Safe(
        ("TransactionException",),
        r"(?:TransactionContext Error: )?(?:Failed to commit: )?(?:Catalog write-write conflict|"
        r"Conflict on |write-write conflict|Cannot .* another transaction has).*",
        "another program changed the same relation meanwhile: run again",
    ),
    Safe(("TransactionException",), r"(?:TransactionContext Error: )?Current transaction is .*",
         "the transaction was broken off"),
    Safe(
        ("IOException",),
        rf'No files found that match the pattern "(?P<name>[^"]+)"{_REST}',
        "there is no file {name}",
    ),
    Safe(
        ("IOException",),
        r'Could not set lock on file "(?P<name>[^"]+)": .*',
        "the file {name} is open in another program",
    ),
    Safe(
        _IN,
        rf'.*?(?:file|directory|path) "(?P<name>[^"]+)".*?: (?P<why>{CAUSES})\W*',
        "the file {name}: {why}",
    ),
    Safe(_IN, r".*No space left on device.*", "no space left on the disk"),
    Safe(("NotImplementedException",), rf"Unknown TimeZone '(?P<name>[^'\n]+)'{_REST}",
         "unknown time zone {name}"),
    Safe(("InvalidInputException", "IOException"),
         rf"No magic bytes found at end of file '(?P<name>[^']+)'{_REST}"
         rf"|File '(?P<name2>[^']+)' too small to be a Parquet file{_REST}",
         "{name}{name2} is no Parquet file"),
    Safe(("IOException",),
         r".*(?:GZIP stream|frame descriptor|Data corruption detected|Src size is incorrect).*",
         "the file is not compressed as its name says, or it is cut off or followed by something"),
    Safe(("ResourceInUseException",), r"[^\n]*\bbusy\b[^\n]*",
         "the connection is busy in another thread: give each its own, by connection.cursor()"),
    Safe(("PermissionException",), r".*disabled by configuration.*",
         "its settings forbid files: enable_external_access, disabled_filesystems"),
    Safe(("HTTPException",), r".*\bHTTP (?:GET|HEAD|POST|PUT)\b.*", "a remote file cannot be read"),
)  # fmt: skip
_SERVED = [replace(one, kinds=("",)) for one in OF_POSTGRES]
# Words of DuckDB's about a text file, and what they mean; the rest of its message quotes a line.
_UNREADABLE = (
    (
        "not utf-8 encoded",
        "it is not encoded in UTF-8: say encoding, such as windows-1252 or latin-1",
    ),
    ("is not latin-1 encoded", "it is not encoded in latin-1: try encoding: windows-1252"),
    ("is not utf-16 encoded", "it is not encoded in UTF-16"),
    ("Expected Number of Columns", "it has other fields than the first line"),
    (
        "unterminated quote",
        "a quote is not closed, or something else than a delimiter stands after it; inside quotes "
        "a quote is written twice, or as escape says",
    ),
    (
        "state machine reached an invalid state",
        "its lines do not all end alike, or its quotes do not: a file has one end of line "
        "everywhere",
    ),
    ("Maximum line size", "it is too long"),
    (
        "Error when converting column",
        "a value is not of the type of its column: declare it text in the source's columns, or say "
        "in nullstr what stands for NULL",
    ),
)
_FIELDS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_CONVERTING = re.compile(
    r'Error when converting column "([^"\n]+)"\.|when casting from source column (.+?)(?:\n|$)'
)

# Those that read what is elsewhere.
_EXTENSIONS = ("aws", "azure", "ducklake", "httpfs", "motherduck")


def needed_extension(error: Exception) -> str | None:
    """Which extension of DuckDB's is missing, if that is what an error says."""
    found = re.search(r"extension ['\"]?(\w+)", str(error))
    name = found[1] if found else ""
    if name not in _EXTENSIONS:
        return None
    return (
        f"DuckDB needs its extension {name!r} for this, which is not installed and cannot be "
        f"fetched: run `install {name}` in DuckDB where there is a network, or make a local copy "
        "and name that"
    )


def held_elsewhere(error: Exception) -> str | None:
    """Which process has the file of a database open, if that is what an error says."""
    text = str(error)
    if "Could not set lock on file" not in text and "used by another process" not in text:
        return None
    found = re.search(r"\(PID (\d+)\)", text)
    holder = f"another process ({found[1]})" if found else "another process"
    return (
        f"{holder} has it open, and DuckDB lets no other process in while one may write: wait for "
        "its end or close the database there, or work with a copy or another file"
    )


_UNTYPED = re.compile(r'Mismatch Type Error: Invalid type in column "(.+?)": (?:column|expected) ')
_NO_TIME = re.compile(
    r"Conversion Error: (?:invalid (?:date|time|timestamp) field format|"
    r"(?:date|time|timestamp) field value out of range): "
)


def untyped(error: Exception) -> str | None:
    """The fault of an attached SQLite database, whose cells may be of any type.

    No query of the user's raises such an error, so that its name is that of a column.
    """
    column = _UNTYPED.match(str(error))
    if column is None and not _NO_TIME.match(str(error)):
        return None
    where, what = "a column of dates or times", "is none as DuckDB reads it"
    if column is not None:
        where = f"its column {column[1]}"
        what = "has another type than the column was declared with"
    return (
        f"SQLite keeps values of any type in {where}, and one {what}: correct it there, or read "
        "all of its columns as text (set sqlite_all_varchar = true) and cast them in a query"
    )


# Messages of an attached PostgreSQL; the second of two is given where a transaction was open.
_OF_SERVER = re.compile(r'": (?:ERROR|FATAL):  ([^\n]*)')
_TAKEN = (
    r'relation "[^"]+" already exists|'
    r'duplicate key value violates unique constraint "pg_(?:type_typname|class_relname)_nsp_index"'
)


def safe_message(error: Exception, known: str) -> str | None:
    """The text that may be said of an error; None if it has no form that is safe.

    Args:
        error: DuckDB's error.
        known: the statement, and the names of files of ours.
    """
    kind = type(error).__name__
    text = re.sub(r"^[A-Z][\w ]*? Error: ", "", str(error)).split("\n\nLINE ")[0]
    needed = needed_extension(error)
    if needed is not None:
        return needed
    if isinstance(error, duckdb.OutOfMemoryException):
        sizes = re.search(rf"\({_SIZES}/{_SIZES} used\)", text)
        return f"Out of Memory {sizes[0] if sizes else ''}".strip() + f": {_MORE_MEMORY}"
    served = _OF_SERVER.search(text)
    if served is not None:  # of an attached PostgreSQL, which says no code
        unquoted = known.replace('"', "")  # as the server writes a name of two parts
        return safe_text(served[1], "", _SERVED, f"{known}\n{unquoted}")
    return safe_text(text, kind, _SAFE, known)


def is_taken_there(error: Exception) -> bool:
    """Whether an attached PostgreSQL says that somebody else made a table of the same name."""
    served = _OF_SERVER.search(str(error))
    return served is not None and re.fullmatch(_TAKEN, served[1]) is not None


def kind_of(error: Exception, known: str) -> str:
    """The kind of an error, the column where known, and of a file the line and the fault."""
    text = str(error)
    line = re.match(r"[\w ]+: CSV Error on Line: (\d+)$", text, re.MULTILINE)
    why = [said for words, said in _UNREADABLE if words in text][:1]
    found = _CONVERTING.search(text)
    column = (found[1] or found[2]).strip() if found else ""
    about = [f"column {column.rpartition('.')[2]}"] if is_known(column, known) else []
    lines = [f"line {line[1]}"] if line else []
    parts = [type(error).__name__, ", ".join([*lines, *about]), *why]
    return ": ".join(part for part in parts if part)


def text_fault(error: Exception, named: int | None = None) -> str | None:
    """The fault in the text of a CSV file, if an error is about one; no value of it.

    Args:
        error: DuckDB's error.
        named: how many columns the header line names, if more were declared to DuckDB.
    """
    text = str(error)
    why = next((said for words, said in _UNREADABLE if words in text), None)
    if why is None:
        return None
    line = re.search(r"CSV Error on Line: (\d+)", text)
    fields = _FIELDS.search(text)
    if fields is not None:
        return ragged(
            line[1] if line else None, "the file", int(fields[2]), named or int(fields[1])
        )
    return f"{f'line {line[1]} of the file' if line else 'the file'} cannot be read: {why}"


def ragged(line: int | str | None, file: str, found: int, expected: int) -> str:
    """The message about a line that has not as many fields as the header line.

    Args:
        line: its number, if it is known.
        file: what the file is called.
        found: how many fields it has.
        expected: how many the header line has.
    """
    where = file if line is None else f"line {line} of {file}"
    noun = "field" if found == 1 else "fields"
    return (
        f"{where} has {found} {noun}, the first {expected}: every line must have as many as the "
        "header line, with fields that hold the delimiter in quotes; lines before the header line "
        "are passed over by skip"
    )


def unreadable(where: str, item: Sql, error: EngineError) -> SqlanonError:
    """The error of a source that cannot be read; of a file, also how to see why.

    A shortage of memory or room is no fault of the source.
    """
    if isinstance(error, ShortageError):
        return error
    # The text that follows the path of an address may be a token.
    shown = re.sub(r"(://[^'?]*)\?[^']*", r"\1?…", item)
    statement = f": select * from {shown}" if item.startswith("read_") else ""
    return SpecError(Problem(where, f"it cannot be read: {error}{statement}"))
