"""A sheet of an Excel workbook as a source: every cell is what it says, in every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from commands import sqlanon as command
from hypothesis import given, settings
from hypothesis import strategies as st
from read_files import read
from servers import place
from support import DEALT

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.spec import parse_source

Sheet = Sequence[Sequence[Any]]


def written(folder: Path, **sheets: Sheet) -> Path:
    book = openpyxl.Workbook()
    del book["Sheet"]
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    file = folder / "t.xlsx"
    book.save(file)
    return file


NAMES = ["age", "zip", "seen", "at", "share", 'a "q"é', "moved", "none"]
RECORDS: list[list[Any]] = [
    [20, "01234", date(2020, 1, 1), datetime(2020, 1, 1, 12, 30), 0.1, "flu", True, None],
    [None, "", date(1999, 12, 31), date(2020, 1, 2), 3, " x ", False, None],
    [-7, "=", None, datetime(2020, 1, 1, 23, 59, 59), -1e-9, None, None, None],
]


def test_every_cell_is_what_it_says(tmp_path: Path) -> None:
    types, rows = read(written(tmp_path, persons=[NAMES, *RECORDS]))
    assert types == dict(
        zip(
            NAMES,
            ["BIGINT", "VARCHAR", "DATE", "TIMESTAMP", "DOUBLE", "VARCHAR", "BOOLEAN", "VARCHAR"],
            strict=True,
        )
    )
    wanted = [[None if cell == "" else cell for cell in row] for row in RECORDS]
    wanted[1][3] = datetime(2020, 1, 2)
    assert rows == [tuple(row) for row in wanted]


@pytest.mark.further
@pytest.mark.slow
@given(
    st.lists(
        st.one_of(st.none(), st.integers(-(2**53), 2**53), st.floats(-1e300, 1e300)),
        min_size=1,
        max_size=20,
    )
)
@settings(deadline=None)
def test_numbers_are_those_of_the_sheet(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[Any]
) -> None:
    file = written(tmp_path_factory.mktemp("n"), s=[["n", "t"], *([n, "x"] for n in numbers)])
    types, rows = read(file)
    stored = [cell for (cell,) in openpyxl.load_workbook(file)["s"].iter_rows(2, None, 1, 1)]
    numbers = [cell.value for cell in stored]  # of 17 digits the writer keeps 16
    assert [n for n, _ in rows] == numbers
    known = [n for n in numbers if n is not None]
    whole = all(float(n).is_integer() and abs(n) <= 2**53 for n in known)
    assert types["n"] == ("VARCHAR" if not known else "BIGINT" if whole else "DOUBLE")


def test_more_rows_than_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlanon.engines.duckdb.workbooks._BATCH", 3)
    rows = [[n, f"t{n}" if n % 2 else None] for n in range(10)]
    assert read(written(tmp_path, s=[["n", "t"], *rows]))[1] == [tuple(row) for row in rows]


def test_which_sheet_and_which_rows(tmp_path: Path) -> None:
    table: Sheet = [["A report"], ["n", "t"], [1, "a"], ["NA", "b"], [], []]
    file = written(tmp_path, empty=[], Über=table, other=[["m", "r"], [2, "c"]])
    with pytest.raises(SpecError, match="2 sheets have cells: 'Über', 'other'; name one by sheet"):
        read(file)
    with pytest.raises(SpecError, match="there is no sheet 'Uber'; did you mean 'Über'"):
        read(file, sheet="Uber")
    assert read(file, sheet="other")[1] == [(2, "c")]
    with pytest.raises(SpecError, match="say by skip how many rows stand before"):
        read(file, sheet="Über")
    assert read(file, sheet="Über", skip=1, nullstr="NA")[1] == [(1, "a"), (None, "b")]
    hidden = openpyxl.load_workbook(file)
    hidden["Über"].sheet_state = "hidden"
    hidden.save(file)
    assert read(file)[1] == [(2, "c")]


REFUSED: list[tuple[str, dict[str, Any], Sheet]] = [
    ("it has numbers and text, which are no one type", {}, [["n", "t"], [1, "x"], ["secret", "x"]]),
    ('such as columns: {"a b": text}', {}, [["a b", "t"], [1, "x"], ["secret", "x"]]),
    ("it has dates and numbers", {}, [["n", "t"], [1, "x"], [date(2020, 1, 1), "x"]]),
    ("it has times of day or durations", {}, [["n", "t"], [time(12, 1), "x"]]),
    ("1 values are no BIGINT", {"columns": {"n": "integer"}}, [["n", "t"], [1.5, "x"]]),
    ("'no such' is no type", {"columns": {"n": "no such"}}, [["n", "t"], [1, "x"]]),
    ("no such column; did you mean 'n'", {"columns": {"N": "text"}}, [["n", "t"], [1, "x"]]),
    ("row 3 is empty, and the rows below", {}, [["n", "t"], [1, "x"], [], [2, "x"]]),
    ("between columns B and D, which", {}, [["n", "t", None, "u"], [1, "x", None, 2]]),
    ("several columns are called 'n'", {}, [["n", "N"], [1, "x"]]),
    ("row 2 has a cell in a column that", {}, [["n", None], [1, "x"]]),
    ("row 1 has cells that are no text", {}, [[34, "secret"], [1, "x"]]),
    ("looks like a record", {}, [["secret", "y"], ["secret", "x"], ["secret", "y"]]),
    ("no records after its row of names", {}, [["n", "t"]]),
    ("no sheet has cells", {}, []),
    ("the sheet has no row of names", {"skip": 5}, [["n", "t"], [1, "x"]]),
]


@pytest.mark.parametrize(("words", "declared", "rows"), REFUSED, ids=[one[0] for one in REFUSED])
def test_a_doubtful_sheet_is_refused(
    tmp_path: Path, words: str, declared: dict[str, Any], rows: Sheet
) -> None:
    with pytest.raises(SpecError, match=words) as refused:
        read(written(tmp_path, s=rows), **declared)
    assert "secret" not in str(refused.value)


def test_a_declared_text_makes_one_type_of_several(tmp_path: Path) -> None:
    rows: Sheet = [
        ["n", "t"],
        [1, "x"],
        [2.5, "x"],
        [date(2020, 1, 1), "x"],
        [True, "x"],
        ["01", "x"],
    ]
    types, found = read(written(tmp_path, s=rows), columns={"n": "text"})
    assert types["n"] == "VARCHAR"
    assert [n for n, _ in found] == ["1", "2.5", "2020-01-01", "true", "01"]
    assert read(tmp_path / "t.xlsx", columns={"n": "text", "t": "text"})[0]["t"] == "VARCHAR"


def test_a_code_for_null_may_be_any_cell(tmp_path: Path) -> None:
    """As in a text file; and a code says nothing of its column's type."""
    rows: Sheet = [
        ["n", "t", "d"],
        [99, "99", "NA"],
        [1.5, "x", date(2020, 1, 1)],
        ["NA", 99, None],
    ]
    types, found = read(written(tmp_path, s=rows), nullstr=["NA", "99", "2020-01-01"])
    assert list(types.values()) == ["DOUBLE", "VARCHAR", "VARCHAR"]
    assert found == [(None, None, None), (1.5, "x", None), (None, None, None)]


def test_a_hierarchy_is_no_workbook(tmp_path: Path) -> None:
    file = str(written(tmp_path, s=PERSONS))
    quasi = {"quasi_identifiers": {"age": {}, "town": {"hierarchy": file}}}
    with pytest.raises(SpecError, match="a hierarchy is text; save the sheet as a CSV file"):
        sqlanon.anonymize(file, release="pub", **{**SPEC, **quasi})


def test_merged_cells_no_workbook_and_settings_of_text(tmp_path: Path) -> None:
    file = written(tmp_path, s=[["n", "t"], [1, "x"], [2, "x"]])
    book = openpyxl.load_workbook(file)
    book["s"].merge_cells("B2:B3")
    book.save(file)
    with pytest.raises(SpecError, match="cells of rows 2 to 3 are merged"):
        read(file)
    for refused, words in (
        ({"delimiter": ";"}, "a workbook takes sheet, skip, columns and nullstr"),
        ({"dates": "%d.%m.%Y", "skip": 1}, "dates: for a text file alone"),
    ):
        with pytest.raises(SpecError, match=words):
            parse_source({"file": str(file), **refused})
    with pytest.raises(SpecError, match="sheet: for a workbook alone"):
        parse_source({"file": "a.csv", "sheet": "s"})
    copy = file.with_name("u.xlsx")
    copy.write_bytes(file.read_bytes())
    with pytest.raises(SpecError, match="stands for 2 workbooks"):
        read(tmp_path / "*.xlsx")
    file.write_bytes(b"PK no archive")
    with pytest.raises(SpecError, match="the file is no workbook, or it is encrypted"):
        read(file)


PERSONS: list[list[Any]] = [["age", "town", "ill"]]
PERSONS += [[20 + n % 7, f"T{n % 2}", f"d{n * n % 5}"] for n in range(60)]
SPEC: dict[str, Any] = {"quasi_identifiers": ["age", "town"], "sensitive": ["ill"], "k": 3}


@pytest.mark.further
@pytest.mark.slow
def test_a_release_of_a_sheet_is_that_of_a_csv_file(tmp_path: Path) -> None:
    written(tmp_path, persons=PERSONS)
    (tmp_path / "t.csv").write_text("\n".join(",".join(map(str, row)) for row in PERSONS))
    found = []
    for name in ("t.xlsx", "t.csv"):
        with sqlanon.anonymize(str(tmp_path / name), release="pub", **SPEC) as release:
            found.append(release.frame().sort_values(["age", "town", "ill"]).values.tolist())
    assert found[0] == found[1]
    checked = command(tmp_path, "check", "t.xlsx", "--qi", "age,town", "--k", "2", "--quiet")
    assert checked.returncode == 0, checked.stderr
    other = command(
        tmp_path, "check", "t.xlsx", "--qi", "age", "--k", "2", "--read", "sheet=Persons"
    )
    assert (other.returncode, "did you mean 'persons'" in other.stderr) == (2, True)
    drafted = command(tmp_path, "init", "t.xlsx", "-o", "release.yaml")
    assert drafted.returncode == 0, drafted.stderr
    assert "t.xlsx" in (tmp_path / "release.yaml").read_text()
    query = command(tmp_path, "check", "select * from 't.xlsx'", "--qi", "age", "--k", "2")
    assert (query.returncode, "name the file as source.file" in query.stderr) == (2, True)
    compiled = command(tmp_path, "compile", "release.yaml")
    assert compiled.returncode == 2
    assert "a script cannot read a workbook" in compiled.stderr


def test_a_command_reads_a_text_file_and_a_workbook_each_by_its_own_settings(
    tmp_path: Path,
) -> None:
    written(tmp_path, persons=PERSONS, other=[["n"], [1]])
    (tmp_path / "t.csv").write_text("\n".join(";".join(map(str, row)) for row in PERSONS))
    asked = ("attack", "t.csv", "--qi", "age,town", "--external", "t.xlsx", "--read", "delimiter=;")
    done = command(tmp_path, *asked, "--read", "sheet=persons", "--json")
    assert done.returncode == 0, done.stderr
    assert '"linking_smallest_group"' in done.stdout


@pytest.mark.parametrize(
    "engine", ["postgres", pytest.param("spark", marks=[pytest.mark.spark, pytest.mark.slow])]
)
def test_other_engines_make_the_same_release(
    engine: str, tmp_path: Path, urls: Mapping[str, str]
) -> None:
    file = str(written(tmp_path, persons=PERSONS))
    found = []
    for name in (engine, "duckdb"):
        with place(name, urls) as there:
            declared = {**SPEC, **DEALT, "seed": 1, "release": "of_sheet"}
            sqlanon.anonymize(file, connection=there.connection, **declared).engine.close()
            columns, rows = there.read("of_sheet")
            found.append((columns, sorted(rows)))
    assert found[0] == found[1]
