"""Files of a release for its readers: the published relations, and what their columns are."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sqlanon.certificates.written import check_written
from sqlanon.engines import Engine
from sqlanon.engines.duckdb.exports import NO_TEXT, escape_formula
from sqlanon.errors import SpecError
from sqlanon.files import Replaces, appearing, check_folder, check_free
from sqlanon.kept.dictionary import ColumnFacts
from sqlanon.kept.recorded import Recorded
from sqlanon.kept.words import compared_with_source
from sqlanon.source.source import check_spares
from sqlanon.spec import Column

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
    check_place(file, ENDINGS, replace)
    for one in files_of(file, besides):
        check_free(one, _replaces(replace))


def files_of(file: Path, besides: Iterable[str]) -> list[Path]:
    """All files of a release that is written to a file.

    Args:
        file: of the release itself.
        besides: the relations for readers, by what their names end in.
    """
    return [*(beside_file(file, beside) for beside in besides), _dictionary(file)]


def check_place(file: Path, endings: Sequence[str], replace: bool) -> None:
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
    for one in asked:
        check_spares(one, read)
    with appearing(asked, _replaces(replace), handed_out=True) as (*targets, dictionary):
        rows: list[Sequence[str]] = []
        for (beside, columns), target in zip(relations.items(), targets, strict=True):
            relation = recorded.named(beside)
            there = recorded.columns_there(relation)
            written: list[Column] = [there[one.name] for one in columns]
            engine.export(relation, written, target, escape_formulas)
            check_written(target, relation, written, engine, escape_formulas)
            rows += (
                _described(relation.name, one, there[one.name], escape_formulas, against)
                for one in columns
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
    one: ColumnFacts,
    there: Column,
    escaped: bool,
    against: Mapping[str, Sequence[str]],
) -> tuple[str, ...]:
    """A line of the data dictionary."""
    means = one.means
    if one.role == "sensitive" and one.name in against:
        means += _AGAINST_SOURCE.format(" and ".join(against[one.name]))
    cells = (relation, one.name, there.shown_type, one.role, one.form, means)
    if not escaped:
        return cells
    *others, means = map(escape_formula, cells)
    return (*others, means if there.kind in NO_TEXT else f"{means}; {_ESCAPED}")


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
