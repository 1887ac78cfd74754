"""The files that a source's path, pattern or folder stands for, and what their folders say.

An address names a file or a database that is elsewhere; DuckDB reads it by an extension.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from datetime import date
from functools import cache
from pathlib import Path, PurePath

import duckdb

_FILE = re.compile(r"(https?|s3[an]?|gs|gcs|r2|hf|azure|az|abfss?)://.+", re.DOTALL | re.IGNORECASE)
_DATABASE = re.compile(r"(md|motherduck|ducklake):.*", re.DOTALL)


def is_remote_file(name: str) -> bool:
    """Whether a name is the address of a file, or files, that are not in a folder here."""
    return _FILE.fullmatch(name) is not None


def is_remote_database(name: str) -> bool:
    """Whether it is the address of a database that DuckDB attaches: MotherDuck, or a DuckLake."""
    return _DATABASE.fullmatch(name) is not None


def without_query(name: str) -> str:
    """An address without what follows its path, which may be a token."""
    if is_remote_file(name) or is_remote_database(name):
        return name.partition("?")[0]
    return name


ENDINGS = (".parquet", ".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".tsv.zst", ".txt")
JSON_ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
WORKBOOK = ".xlsx"
_ANY = re.compile(r"[*?\[]")
PARTITION = re.compile(r"([^=]+)=(.*)", re.DOTALL)
_NULL = "__HIVE_DEFAULTPARTITION__"


def ends_as_file(name: str) -> bool:
    """Whether a name, or a pattern, ends as files do that a source may have."""
    return name.lower().endswith((*ENDINGS, *JSON_ENDINGS, WORKBOOK))


def pattern_of(file: str) -> str:
    """The path or pattern that DuckDB reads: of a folder, that of all its files of one ending.

    Of a file that is there, though its name has signs of a pattern, the pattern of it alone.

    Raises:
        ValueError: if a folder has files of several endings that a source may have, or none.
    """
    if is_remote_file(file):
        return file
    if Path(file).is_file():
        # DuckDB reads no path with both a backslash and a sign of a pattern that stands for itself.
        return file if "\\" in file else _ANY.sub(r"[\g<0>]", file)
    if not Path(file).is_dir():
        return file
    there = {_ending(path.name) for path in Path(file).rglob("*") if path.is_file()} - {None}
    if len(there) != 1:
        json = next((path.suffix for path in Path(file).rglob("*") if is_json(path.name)), None)
        has = f"files of {len(there)} kinds" if there else "no CSV, TSV or Parquet file"
        mend = "*.csv" if there or not json else f"{PurePath(file) / f'*{json}'}"
        raise ValueError(f"the folder {file!r} has {has}: name files by a pattern, such as {mend}")
    return str(PurePath(file) / "**" / f"*{there.pop()}")


def matching(file: str) -> list[str]:
    """The files that a path, a pattern or a folder stands for, as DuckDB finds them, in order.

    Raises:
        ValueError: as `pattern_of` does.
    """
    # A file that is there is none of a pattern's, though a folder is called data[2024].
    if Path(file).is_file():
        return [file]
    select = "select file from glob(?) order by file"
    found = own_database().cursor().execute(select, [pattern_of(file)]).fetchall()
    return [os.path.normpath(name) for (name,) in found]  # some versions write ./a.csv


def is_text(file: str) -> bool:
    """Whether the types of a file's columns are not written in it."""
    try:
        pattern = pattern_of(file)
    except ValueError:  # it is refused where it is read
        pattern = file
    return not (is_parquet(pattern) or is_json(pattern) or is_workbook(pattern))


def is_parquet(file: str) -> bool:
    """Whether a path or a pattern is of Parquet files."""
    return without_query(file).lower().endswith(".parquet")


def is_json(file: str) -> bool:
    """Whether a path or a pattern is of JSON files."""
    return without_query(file).lower().endswith(JSON_ENDINGS)


def is_workbook(file: str) -> bool:
    """Whether a path is of an Excel workbook."""
    return file.lower().endswith(WORKBOOK)


def partitions(file: str, files: Sequence[str], own: Collection[str]) -> dict[str, str]:
    """The columns that the folders of a pattern's files say, ``year=2024``, with their types.

    A path says nothing of a file that is named by itself, nor does what stands before the first
    sign of a pattern. Where a file has a column of the name, the file's own counts, and folders
    say nothing at all.

    Args:
        file: the source's path, pattern or folder.
        files: what it stands for.
        own: the columns of the files.

    Returns:
        DuckDB's type of each: whole numbers and dates if each value is written as such a type
        writes it, else text.
    """
    if not files or Path(file).is_file():
        return {}
    pattern = file if is_remote_file(file) or not Path(file).is_dir() else f"{file}/**"
    parts = PurePath(pattern).parts
    fixed = next((at for at, part in enumerate(parts) if _ANY.search(part)), len(parts))
    said = [
        {
            match[1]: match[2]
            for part in PurePath(text).parts[fixed:-1]
            if (match := PARTITION.fullmatch(part))
        }
        for text in files
    ]
    names = set(said[0]).intersection(*said[1:])
    every = {
        match[1].lower()
        for text in files
        for part in PurePath(text).parts[:-1]
        if (match := PARTITION.fullmatch(part))
    }
    if every & {name.lower() for name in own}:
        return {}
    return {name: _type([entry[name] for entry in said]) for name in sorted(names)}


def _type(values: Sequence[str]) -> str:
    known = [value for value in values if value != _NULL]
    if all(re.fullmatch(r"0|-?[1-9]\d{0,17}", value, re.ASCII) for value in known):
        return "BIGINT"
    return "DATE" if all(map(_is_date, known)) else "VARCHAR"


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _ending(name: str) -> str | None:
    fitting = [ending for ending in ENDINGS if name.lower().endswith(ending)]
    return max(fitting, key=len, default=None)


@cache
def own_database() -> duckdb.DuckDBPyConnection:
    """A DuckDB of this process that holds nothing: asked what a pattern finds or a frame is."""
    return duckdb.connect()
