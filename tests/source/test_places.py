"""What the path of a file says, which files a folder is, and that none is written over."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import sqlanon
from support import DEALT

import sqlanon as package
from sqlanon.inputs.files import matching, partitions
from sqlanon.sql.names import Sql, literal

pytestmark = pytest.mark.slow

ROLES: dict[str, Any] = {**DEALT, "quasi_identifiers": "age", "sensitive": "ill", "k": 2, "seed": 1}
ROWS = "age,sex,ill\n" + "".join(f"{20 + number},f,{'ab'[number % 2]}\n" for number in range(6))
SPEC = """
source: {source}
release: pub
quasi_identifiers: [age]
sensitive: [ill]
privacy: {{k: 2}}
method: stack_and_deal
seed: 1
"""


def written(folder: Path, name: str, text: str = ROWS) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def released(source: str | Path, column: str = "age", **more: Any) -> list[Any]:
    declared = {**ROLES, "quasi_identifiers": column, **more}
    with package.anonymize(source, progress=False, **declared) as release:
        return sorted(release.frame()[column].astype(str).unique())


# --- what a path says ---


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_folder_says_nothing_of_a_file_that_is_named(tmp_path: Path, ending: str) -> None:
    """It replaced the file's own ages, and a check found a greater k than there is."""
    plain, there = tmp_path / f"a.{ending}", tmp_path / "age=18-65" / f"a.{ending}"
    written(tmp_path, "a.csv")
    if ending == "parquet":
        duckdb.sql(f"copy (from '{tmp_path}/a.csv') to '{plain}'")
    there.parent.mkdir()
    shutil.copy(plain, there)
    assert released(there) == released(plain)
    for pattern in (there.parent, tmp_path / "age=*" / f"*.{ending}"):
        assert released(pattern) == released(plain)
    measured = package.check(there, quasi_identifiers=["age"], k=1, progress=False)
    assert next(metric.value for metric in measured.measures if metric.metric == "k_anonymity") == 1


@pytest.mark.sampled
@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("source", ["p/year=*/*.{}", "p/**/*.{}", "p"])
def test_folders_of_a_pattern_say_data(tmp_path: Path, ending: str, source: str) -> None:
    """As written: 007 stays text, and whole numbers are such."""
    written(tmp_path, "a.csv")
    for year, ward in ((2023, "007"), (2024, "7")):
        folder = tmp_path / "p" / f"year={year}" / f"ward={ward}"
        folder.mkdir(parents=True)
        duckdb.sql(f"copy (from '{tmp_path}/a.csv') to '{folder}/a.{ending}'")
    pattern = tmp_path / source.format(ending).replace("year=*/*", "year=*/*/*")
    nominal = {"ward": {"publish": "set"}}
    assert released(pattern, "ward", quasi_identifiers=nominal) in (["{007, 7}"], ["007", "7"])
    found = released(pattern, "year")
    assert found in (["[2023, 2024]"], ["2023", "2024"])


def test_folders_say_what_all_files_have_and_no_file_has_itself() -> None:
    files = ["d/year=2023/m=01/a.csv", "d/year=2024/a.csv"]
    assert partitions("d/**/*.csv", files, ["age"]) == {"year": "BIGINT"}
    assert partitions("d/**/*.csv", files, ["Year"]) == {}
    assert partitions("d/year=2023/*/*.csv", files[:1], []) == {"m": "VARCHAR"}
    assert partitions("d/year=2024/*.csv", files[1:], []) == {}
    days = ["d/day=2024-02-29/a.csv", "d/day=2024-03-01/a.csv"]
    assert partitions("d/*/*.csv", days, []) == {"day": "DATE"}
    assert partitions("d/*/*.csv", ["d/day=2024-02-30/a.csv"], []) == {"day": "VARCHAR"}


def test_a_folder_is_its_files_of_one_kind(tmp_path: Path) -> None:
    for name in ("d/1.csv", "d/e/2.csv"):
        written(tmp_path, name)
    written(tmp_path, "d/notes.md", "no data")
    assert matching(str(tmp_path / "d")) == [f"{tmp_path}/d/1.csv", f"{tmp_path}/d/e/2.csv"]
    assert released(tmp_path / "d")
    written(tmp_path, "d/3.tsv", ROWS.replace(",", "\t"))
    with pytest.raises(package.SpecError, match=r"has files of 2 kinds: name files by a pattern"):
        released(tmp_path / "d")
    (tmp_path / "empty").mkdir()
    with pytest.raises(package.SpecError, match="has no CSV, TSV or Parquet file"):
        released(tmp_path / "empty")


# --- what is never written over ---


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("source", "file"),
    [
        ('{{file: "data/**/*.csv"}}', "data/x/y/b.csv"),
        ("{{file: data}}", "data/x/y/b.csv"),
        ("{{file: ./data/../data/x/y/b.csv}}", "data/x/y/b.csv"),
        ("\"select * from read_csv('data/**/*.csv')\"", "data/x/y/b.csv"),
        ("\"select * from 'data/x/y/b.csv'\"", "data/x/y/b.csv"),
        ("{{file: data/x/y/b.csv}}", "link.csv"),
    ],
)
def test_what_a_run_reads_is_not_written_over(tmp_path: Path, source: str, file: str) -> None:
    read = written(tmp_path, "data/x/y/b.csv")
    (tmp_path / "link.csv").hardlink_to(read)
    written(tmp_path, "s.yaml", SPEC.format(source=source.format()))
    done = sqlanon(tmp_path, "run", "s.yaml", "--output", file, "--overwrite", one_stream=True)
    assert (done.returncode, read.read_text(encoding="utf-8")) == (2, ROWS), done.stdout
    assert sqlanon(tmp_path, "run", "s.yaml", one_stream=True).returncode == 0
    done = sqlanon(tmp_path, "export", "pub", "-o", file, "--overwrite", one_stream=True)
    assert (done.returncode, read.read_text(encoding="utf-8")) == (2, ROWS), done.stdout


def test_a_file_behind_a_view_is_not_written_over(tmp_path: Path) -> None:
    read = written(tmp_path, "b.csv")
    with duckdb.connect(str(tmp_path / "pub.duckdb")) as connection:
        connection.execute(f"create view people as from read_csv('{read}')")
    written(tmp_path, "s.yaml", SPEC.format(source="{table: people}"))
    done = sqlanon(tmp_path, "run", "s.yaml", "--output", "b.csv", "--overwrite", one_stream=True)
    assert (done.returncode, read.read_text(encoding="utf-8")) == (2, ROWS), done.stdout


def test_a_hierarchy_is_not_written_over(tmp_path: Path) -> None:
    read = written(tmp_path, "h.csv", "".join(f"{20 + number};all\n" for number in range(6)))
    written(tmp_path, "b.csv")
    declared = SPEC.format(source="b.csv").replace("[age]", "{age: {hierarchy: h.csv}}")
    written(tmp_path, "s.yaml", declared)
    before = read.read_text(encoding="utf-8")
    done = sqlanon(tmp_path, "run", "s.yaml", "--output", "h.csv", "--overwrite", one_stream=True)
    assert (done.returncode, read.read_text(encoding="utf-8")) == (2, before), done.stdout


def test_partitioned_files_are_read(tmp_path: Path) -> None:
    written(tmp_path, "data/y=2023/m=1/a.csv")
    written(tmp_path, "s.yaml", SPEC.format(source='{file: "data/**/*.csv"}'))
    assert sqlanon(tmp_path, "run", "s.yaml", one_stream=True).returncode == 0


# --- what a table is compared with ---


def test_a_reference_of_another_type_is_named(tmp_path: Path) -> None:
    written(tmp_path, "t.csv", "q,code\n" + "a,1\na,2\na,3\n" * 2)
    written(tmp_path, "r.csv", "q,code\n" + "a,1\na,2\na,x9\n" * 2)
    options = ("--qi", "q", "--sensitive", "code", "--t", "0.5", "--reference", "r.csv")
    done = sqlanon(tmp_path, "check", "t.csv", *options, one_stream=True)
    assert done.returncode == 2
    assert "reference: 'code' is VARCHAR there and BIGINT in the table: cast one" in done.stdout


# --- lines of a hierarchy ---


@pytest.mark.sampled
@pytest.mark.parametrize(
    "text",
    [
        '"Paris ";F\nLyon;F\n',
        '"Paris ",F\r\nLyon , F\r\n',
        '"Paris "\tF\nLyon\tF\n',
        '\ufeff"Paris ";F\n\n Lyon;"F"\n',
    ],
)
def test_blanks_of_a_hierarchys_values_count_inside_quotes(tmp_path: Path, text: str) -> None:
    written(tmp_path, "d.csv", "town,ill\n" + "Paris ,a\nLyon,b\n" * 6)
    (tmp_path / "h.csv").write_bytes(text.encode())
    town = {"town": {"hierarchy": str(tmp_path / "h.csv")}}
    assert released(tmp_path / "d.csv", "town", quasi_identifiers=town, k=12) == ["*"]


# --- frames ---


def test_columns_that_no_database_reads_are_left_out_of_a_frame() -> None:
    import pandas as pd

    frame = pd.DataFrame({"age": range(20, 32), "ill": list("ab") * 6})
    odd: dict[str, Any] = {
        "band": pd.cut(frame["age"], 4),
        "month": pd.period_range("2020-01", periods=12, freq="M"),
        "thing": [object()] * 12,
    }
    for name, values in odd.items():
        given = frame.assign(**{name: values})
        with package.anonymize(given, progress=False, **ROLES) as release:
            assert len(release.frame()) == 12
    given = frame.assign(band=odd["band"])
    with pytest.raises(package.SpecError, match=r"column 'band' has values that .*\.astype\(str\)"):
        package.anonymize(given, progress=False, **{**ROLES, "quasi_identifiers": "band"})


@pytest.mark.parametrize("odd", ["a period", "a mixture", "a half", "a great number"])
def test_a_column_is_read_next_to_one_of_arrow_as_it_is_alone(odd: str) -> None:
    """DuckDB takes such a frame as a table of Arrow, in which a period is a number."""
    import pandas as pd
    import pyarrow as pa

    cells = {
        "a period": pd.period_range("2020-01", periods=12, freq="M"),
        "a mixture": pd.Series([1, "a", 2.5] * 4, dtype=object),
        "a half": pd.Series(range(12), dtype="float16"),
        "a great number": pd.Series([10**30] * 12, dtype=object),
    }
    ill = pd.Series(list("ab") * 6, dtype=pd.ArrowDtype(pa.string()))
    frame = pd.DataFrame({"age": range(20, 32), "ill": ill, "odd": cells[odd]})
    with package.anonymize(frame, progress=False, **ROLES) as release:
        assert len(release.frame()) == 12
    with pytest.raises(package.SpecError, match=r"column 'odd' has values that .*\.astype\(str\)"):
        package.anonymize(frame, progress=False, **{**ROLES, "quasi_identifiers": "odd"})


def test_whole_numbers_of_a_category_with_gaps_stay_whole() -> None:
    """DuckDB would read doubles: 1 as 1.0, and of two great numbers one."""
    import pandas as pd
    import pyarrow as pa

    kinds: tuple[Any, ...] = ("int64", "uint8", "Int16", pd.ArrowDtype(pa.int32()))
    small = {
        str(kind): pd.Categorical.from_codes([0, 1, -1] * 4, pd.Index([1, 2], dtype=kind))
        for kind in kinds
    }
    great = {"great": pd.Categorical([2**53 + 1, 2**53, None] * 4)}
    frame = pd.DataFrame({"age": range(20, 32), "ill": list("ab") * 6, **small, **great})
    for columns in (["ill", *small, *great], [*map(str, kinds[:3]), *great]):
        roles = {**ROLES, "insensitive": [name for name in columns if name != "ill"]}
        with package.anonymize(frame[["age", "ill", *roles["insensitive"]]], **roles) as release:
            found = release.frame()
            assert {name: set(found[name].dropna()) for name in small if name in columns} == {
                name: {1, 2} for name in small if name in columns
            }
            assert set(found["great"].dropna()) == {2**53 + 1, 2**53}
            names = ", ".join(f'"{name}"' for name in roles["insensitive"])
            kinds_read = release.engine.columns(Sql(f"(select {names} from {release.relation})"))
            assert {column.kind for column in kinds_read} == {"integer"}


@pytest.mark.parametrize(
    "of", ["pandas", "Python", "a category", "Arrow in pandas", "Arrow", "lists"]
)
@pytest.mark.parametrize("kind", ["times with a zone", "durations"])
def test_nanoseconds_that_a_database_would_cut_are_refused(of: str, kind: str) -> None:
    """DuckDB reads microseconds of them, and says nothing."""
    import pandas as pd
    import pyarrow as pa

    arrow = {"times with a zone": pa.timestamp("ns", "UTC"), "durations": pa.duration("ns")}[kind]

    def frame(nanoseconds: int) -> Any:
        cells: pa.Array = pa.array([nanoseconds, 5000, None] * 4, arrow)
        if of == "lists":
            cells = pa.ListArray.from_arrays(pa.array(range(13), pa.int32()), cells)
        table = pa.table({"age": range(20, 32), "ill": ["a", "b"] * 6, "x": cells})
        if of in ("Arrow", "lists"):
            return table
        read = table.to_pandas(types_mapper=pd.ArrowDtype if of == "Arrow in pandas" else None)
        as_ = {"Python": "object", "a category": "category"}.get(of)
        return read if as_ is None else read.assign(x=read["x"].astype(as_))

    roles = {**ROLES, "insensitive": {"x": {"accept": "a test"}}}
    if of == "a category" and int(duckdb.__version__[0]) < 2:
        pytest.skip("this DuckDB reads no category of times with a zone")
    with package.anonymize(frame(5000), **roles) as release:
        (column,) = release.engine.columns(Sql(f"(select x from {release.relation})"))
    if "NS" in column.type:
        pytest.skip("this DuckDB holds them")
    with pytest.raises(package.SpecError, match="column 'x' has values that the database does not"):
        package.anonymize(frame(5001), **roles)
    with package.anonymize(frame(5001), **ROLES) as release:
        assert len(release.frame()) == 12


@pytest.mark.sampled
@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize(("name", "other"), [("a[1]", "a1"), ("a?", "ab"), ("a*", "ac")])
def test_a_file_that_is_there_is_no_pattern(
    tmp_path: Path, name: str, other: str, ending: str
) -> None:
    """Another file that its name would match as a pattern says nothing of it."""
    if os.name == "nt" and name != "a[1]":
        pytest.skip("no file has such a name there")
    for text, age in ((name, 20), (other, 70)):
        table = f"select {age} + i % 2 as age, 'x' || i % 3 as ill from range(12) as n(i)"
        duckdb.execute(f"copy ({table}) to {literal(str(tmp_path / f'{text}.{ending}'))}")
    file = tmp_path / f"{name}.{ending}"
    found = package.anonymize(
        file, quasi_identifiers="age", sensitive="ill", k=2, seed=1, method="stack_and_deal"
    )
    assert found.measure("records") == 12
    assert set(found.frame()["age"]) <= {"20", "21", "[20, 21]"}
    found.close()
