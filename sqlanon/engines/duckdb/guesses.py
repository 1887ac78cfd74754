"""Files that a query or a view reads as DuckDB guesses them: held to what they say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePath

from sqlanon.engines.duckdb.parquet_files import check_alike, check_values, columns_of
from sqlanon.engines.duckdb.text_copies import FileEngine, listed
from sqlanon.engines.duckdb.text_files import as_written
from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.files import PARTITION, ends_as_file, is_parquet, is_remote_file
from sqlanon.inputs.source import Source
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Sql, literal

# A text in quotes that no option follows: where options say how it is read, the user decides.
_PLAIN = re.compile(r"'((?:[^']|'')+)'(?!\s*,\s*\w+\s*(?:=|:))|\"([^\"]+)\"")
_NAMED = re.compile(r"'((?:[^']|'')+)'|\"([^\"]+)\"")
_MEND = "name the file as source.file, or say in the query"


def check_guesses(sql: str, needed: Collection[str] | None, engine: FileEngine) -> None:
    """Refuse a query or a view of which DuckDB's guesses change what is read of a file.

    A folder such as ``age=18-65`` would take the place of the file's own column, and a guessed
    type that of the text. Options of a file, as in ``read_csv('a.csv', all_varchar = true)``, leave
    nothing to guess: it is read as they say.

    Args:
        sql: the query, or the definition of the view.
        needed: the columns that will be read; by default all.
        engine: where it is read.

    Raises:
        SpecError: if they do.
    """
    for file, source, paths in _files(sql, engine):
        if source.is_json:
            what = f"DuckDB guesses the types of {file!r}, which may change its values"
            raise SpecError(Problem("source", f"{what}: {_MEND} read_json(…, columns = {{…}})"))
        if source.is_workbook:
            what = f"DuckDB takes the types of {file!r} from its first record"
            raise SpecError(Problem("source", f"{what}: name the file as source.file"))
        own = _own(source, paths, engine)
        _check_folders(file, paths, own)
        if source.is_text:
            _check_types(file, own, sql, needed, engine)
    for file, _, _ in _files(sql, engine, _NAMED):
        if is_parquet(file):  # no option but one keeps what DuckDB has no type for
            asked = None if needed is None else {*needed, *_named(file, sql, engine)}
            check_values(file, engine, asked, times="int96_as" not in sql.lower())


def _named(file: str, sql: str, engine: FileEngine) -> set[str]:
    names = columns_of(file, engine)
    return {name for name in names if _is_named(name, sql)}


def _is_named(name: str, sql: str) -> bool:
    return re.search(rf"\b{re.escape(name.lower())}\b", sql.lower()) is not None


def _check_types(
    file: str,
    own: Collection[Column],
    sql: str,
    needed: Collection[str] | None,
    engine: FileEngine,
) -> None:
    """Refuse a guessed type of what is text as the file writes it, and is read."""
    texts = {one.name.lower() for one in own if one.kind == "text"}
    asked = None if needed is None else {name.lower() for name in needed}
    for column in engine.describe(literal(file)):
        name = column.name.lower()
        if column.kind == "text" or name not in texts:
            continue
        if asked is None or name in asked or _is_named(name, sql):
            raise SpecError(
                Problem(
                    "source",
                    f"DuckDB guesses that {column.name!r} of {file!r} is of type {column.type}, "
                    f"which changes its values: {_MEND} read_csv(…, all_varchar = true) or "
                    "types = {…}",
                )
            )


def _files(
    sql: str, engine: FileEngine, named: re.Pattern[str] = _PLAIN
) -> Iterator[tuple[str, Source, list[str]]]:
    """The files and patterns of files of this machine that SQL names, and what there is of each."""
    for one, other in dict.fromkeys(named.findall(sql)):
        file = (one or other).replace("''", "'")
        read = ends_as_file(file) and not is_remote_file(file)
        if read and (paths := listed(file, engine)):
            yield file, Source(file=file), paths


def _own(source: Source, paths: Sequence[str], engine: FileEngine) -> list[Column]:
    """The columns that the files themselves have."""
    if source.is_text:
        return as_written(source, engine)[1]
    check_alike(paths, engine)
    read = Sql(f"read_parquet({literal(str(source.file))}, hive_partitioning = false)")
    return engine.describe(read)


def _check_folders(file: str, paths: Sequence[str], own: Collection[Column]) -> None:
    names = {column.name.lower(): column.name for column in own}
    for path in paths:
        for part in PurePath(path).parts[:-1]:
            said = PARTITION.fullmatch(part)
            if said and said[1].lower() in names:
                raise SpecError(
                    Problem(
                        "source",
                        f"DuckDB would read {names[said[1].lower()]!r} of {file!r} from the name "
                        f"of a folder, not from the file: {_MEND} hive_partitioning = false in "
                        "read_csv or read_parquet",
                    )
                )
