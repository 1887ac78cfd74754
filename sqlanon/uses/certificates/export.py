"""Files of a release for its readers: the published relations, and what their columns are.

Each file is read back, and held by its hash to what it was written from.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sqlanon.common.files import Replaces, appearing, check_folder, check_free
from sqlanon.engines import DuckDBEngine, Engine
from sqlanon.engines.duckdb import exports
from sqlanon.errors import Problem, SpecError
from sqlanon.record.content import content_of
from sqlanon.record.dictionary import ColumnFacts
from sqlanon.record.recorded import Recorded, compared_with_source
from sqlanon.source.source import check_spares
from sqlanon.spec import Column
from sqlanon.sql.names import Relation, Sql


def cells_of(
    file: Path,
    names: Sequence[str],
    escaped: bool = False,
    dialect: exports.Dialect = exports.AS_EXPORTED,
) -> Sql:
    """The FROM item that reads an exported file's cells as they are certified.

    Args:
        file: CSV or Parquet.
        names: the columns of a CSV file, in order.
        escaped: whether its text was escaped for spreadsheets.
        dialect: how a CSV file is written.

    Raises:
        SpecError: if DuckDB cannot read its path.
    """
    types = {} if exports.is_parquet(file) else dict.fromkeys(names, "varchar")
    item = exports.exported_item(file, types, dialect=dialect)
    if not escaped:
        return item
    return Sql(f"(select {', '.join(map(exports.unescaped, names))} from {item})")


def check_written(
    file: Path, relation: Relation, columns: Sequence[Column], engine: Engine, escaped: bool = False
) -> None:
    """Refuse a file that does not hold the cells of the relation that it was written from.

    Args:
        file: as it was written.
        relation: what it was written from.
        columns: of it, in order.
        engine: where the relation is.
        escaped: whether its text was escaped for spreadsheets.

    Raises:
        SpecError: naming the column that differs.
        EngineError: if a database fails.
    """
    names = [column.name for column in columns]
    cells, reader = cells_of(file, names, escaped), DuckDBEngine()
    try:

        def differs(some: list[str]) -> bool:
            return content_of(relation, some, engine) != content_of(cells, some, reader)

        if not differs(names):
            return
        at_fault = next((column for column in columns if differs([column.name])), None)
    finally:
        reader.close()
    ending = file.suffix.lower()
    if at_fault is None:
        what = f"read back, the {ending} file is not what it was written from: export it again"
    else:
        other = "cast it to text or a number in a query"
        if exports.is_parquet(file):
            other = f"export to .csv, or {other}"
        what = (
            f"a {ending} file does not hold the column {at_fault.name!r}, of type "
            f"{at_fault.shown_type}, as it is, so that none was written: {other}"
        )
    raise SpecError(Problem("release", what))


ENDINGS = (".csv", ".parquet")
_BESIDE = ".dictionary.csv"  # what the name of a data dictionary ends in
_ESCAPED = (
    "a quote ' stands before text that begins with = + - @ tab or return, perhaps after quotes: "
    "take one off"
)
_AGAINST_SOURCE = (
    "; {} compares a class with the whole source, the records that were left out included: the "
    "file by itself gives other values"
)
_DICTIONARY = ("relation", "column", "type", "role", "published_as", "meaning")


def check_file(file: Path, replace: bool, besides: Iterable[str] = ("",)) -> None:
    """Refuse a file that a release cannot be written to, before anything is done.

    Args:
        file: of the release itself.
        replace: whether files that are there may be replaced.
        besides: how the names of the published relations end, as far as they are known.

    Raises:
        SpecError: if its name has another ending; if nothing can be written to its folder; if it or
            a file of its relations is there and not to be replaced; or if something that is no data
            dictionary stands where its own would.
    """
    check_target(file, ENDINGS, replace)
    for path in files_of(file, besides):
        check_free(path, _replaces(replace))


def files_of(file: Path, besides: Iterable[str]) -> list[Path]:
    """All files of a release that is written to a file.

    Args:
        file: of the release itself.
        besides: the relations for readers, by what their names end in.
    """
    return [*(beside_file(file, beside) for beside in besides), _dictionary(file)]


def check_target(file: Path, endings: Sequence[str], replace: bool) -> None:
    """Refuse a file that cannot be written, before anything is done.

    Raises:
        SpecError: if its name has another ending, nothing can be written to its folder, or it is
            there and not to be replaced.
    """
    if file.suffix.lower() not in endings:
        raise SpecError(f"{str(file)!r}: the name of the file must end in {' or '.join(endings)}")
    check_folder(file)
    check_free(file, _replaces(replace))


def check_writes(engine: Engine) -> None:
    """Refuse a database that can write no file here.

    Raises:
        SpecError: if it is Spark.
    """
    if not engine.writes_files:
        raise SpecError(
            f"{engine.driver.product} writes files where its executors are, and none here: write "
            "the release with its own DataFrame.write; from DuckDB and PostgreSQL it is exported"
        )


def export(
    recorded: Recorded, file: Path, replace: bool = False, escape_formulas: bool = False
) -> tuple[Path, ...]:
    """Write a release to files: its relations for readers, and a data dictionary.

    Nothing else is written: no class report, no metrics, no run. Files appear whole, or not at
    all, and only once each was read back and found to hold what the release does.

    Args:
        recorded: the release.
        file: of the release itself: CSV or Parquet, by its name's ending. Relations that are
            published with it go to files next to it, such as ``release__sensitive.csv``, and the
            dictionary to ``release.dictionary.csv``.
        replace: whether files that are there may be replaced.
        escape_formulas: put a quote before text that a spreadsheet would take for a formula.

    Returns:
        The files, the release first and the dictionary last.

    Raises:
        SpecError: if the file cannot be of a release or hold its cells as they are, or its database
            can write none.
        EngineError: if the database fails.
    """
    check_file(file, replace)
    check_escapable(file, escape_formulas)
    check_writes(recorded.engine)
    engine, relations = recorded.engine, recorded.relations
    files = [beside_file(file, beside) for beside in relations]
    asked = [*files, _dictionary(file)]
    read, against = recorded.source_files, compared_with_source(recorded.measures)
    for path in asked:
        check_spares(path, read)
    with appearing(asked, _replaces(replace), handed_out=True) as (*targets, dictionary):
        rows: list[Sequence[str]] = []
        for (beside, columns), target in zip(relations.items(), targets, strict=True):
            relation = recorded.named(beside)
            there = recorded.columns_there(relation)
            written: list[Column] = [there[column.name] for column in columns]
            engine.export(relation, written, target, escape_formulas)
            check_written(target, relation, written, engine, escape_formulas)
            rows += (
                _described(relation.name, column, there[column.name], escape_formulas, against)
                for column in columns
            )
        with dictionary.open("w", encoding="utf-8", newline="") as opened:
            csv.writer(opened, lineterminator="\n").writerows([_DICTIONARY, *rows])
    return (*files, _dictionary(file))


def check_escapable(file: Path, escape_formulas: bool) -> None:
    """Refuse to escape what no spreadsheet takes for a formula.

    Raises:
        SpecError: if the file is no CSV.
    """
    if escape_formulas and file.suffix.lower() != ".csv":
        raise SpecError(f"{str(file)!r}: formulas are escaped in .csv alone: Parquet has types")


def _described(
    relation: str,
    column: ColumnFacts,
    there: Column,
    escaped: bool,
    against: Mapping[str, Sequence[str]],
) -> tuple[str, ...]:
    """A line of the data dictionary."""
    means = column.means
    if column.role == "sensitive" and column.name in against:
        means += _AGAINST_SOURCE.format(" and ".join(against[column.name]))
    cells = (relation, column.name, there.shown_type, column.role, column.form, means)
    if not escaped:
        return cells
    *others, means = map(exports.escape_formula, cells)
    return (*others, means if there.kind in exports.NO_TEXT else f"{means}; {_ESCAPED}")


def _replaces(replace: bool) -> Replaces:
    """Which files may be replaced: of those that nobody allowed, our dictionaries."""
    return replace or _is_dictionary


def _is_dictionary(file: Path) -> bool:
    """Whether a file is a data dictionary, which that of another ending says as well."""
    if not file.name.endswith(_BESIDE):
        return False
    with file.open(encoding="utf-8", errors="replace") as opened:
        return opened.readline() == ",".join(_DICTIONARY) + "\n"


def beside_file(file: Path, beside: str) -> Path:
    """The file of a relation that is published with the release."""
    return file.with_name(f"{file.stem}__{beside}{file.suffix}") if beside else file


def _dictionary(file: Path) -> Path:
    return file.with_name(f"{file.stem}{_BESIDE}")
