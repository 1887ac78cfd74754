"""Files that a query or a view reads: what DuckDB would guess of them is held to what they say."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import cast

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

from sqlanon.engines import Engine, open_engine
from sqlanon.engines.duckdb import parquet_files
from sqlanon.engines.duckdb.text_copies import FileEngine
from sqlanon.engines.loading import check_parquet
from sqlanon.errors import SpecError
from sqlanon.source.source import inspect_source
from sqlanon.spec import parse_source

pytestmark = pytest.mark.slow

PEOPLE = "age,ward,ill\n" + "".join(
    f"{30 + i % 4},{i % 3 + 1}E5,{'ab'[i % 2]}\n" for i in range(12)
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """A database in a folder of files."""
    monkeypatch.chdir(tmp_path)
    Path("coded.csv").write_text(PEOPLE)
    Path("plain.csv").write_text("age,ill\n" + "30,a\n31,b\n" * 6)
    Path("dated.csv").write_text("age,day\n" + "30,19.08.22\n31,07.01.24\n" * 6)
    Path("two.csv").write_text("age,sex,ill\n" + "30,f,a\n" * 24 + "age,ill\n" + "31,b\n" * 24)
    Path("age=18-65").mkdir()
    shutil.copy("plain.csv", "age=18-65/plain.csv")
    duckdb.sql("copy (from 'plain.csv') to 'age=18-65/plain.parquet'")
    engine = open_engine()
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            "select * from 'coded.csv'",
            "DuckDB guesses that 'ward' of 'coded.csv' is of type DOUBLE",
        ),
        ("from read_csv('dated.csv')", "DuckDB guesses that 'day' of 'dated.csv' is of type DATE"),
        ('from "dated.csv" where age > 30', "'day' of 'dated.csv' is of type DATE"),
        ("from 'two.csv'", "line 26 of the file has 2 fields"),
        ("from 'age=18-65/plain.csv'", "from the name of a folder, not from the file"),
        ("from 'age=18-65/plain.parquet'", "from the name of a folder, not from the file"),
        ("from 'age=*/*.parquet'", "from the name of a folder, not from the file"),
    ],
)
def test_a_query_reads_no_guess_for_what_a_file_says(query: str, said: str, here: Engine) -> None:
    with pytest.raises(SpecError, match=re.escape(said)) as caught:
        inspect_source(parse_source({"query": query}), here)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "query",
    [
        "from 'plain.csv'",
        "from read_csv('coded.csv', all_varchar = true)",
        "from read_csv('dated.csv', types = {'day': 'VARCHAR'})",
        "from read_parquet('age=18-65/plain.parquet', hive_partitioning = false)",
        "select 'coded.csv, or so' as note, * from 'plain.csv'",
    ],
)
def test_a_query_that_changes_nothing_or_says_how_is_read(query: str, here: Engine) -> None:
    assert inspect_source(parse_source({"query": query}), here)[1]


def test_a_column_that_nobody_reads_may_be_guessed(here: Engine) -> None:
    query = parse_source({"query": "select * from 'coded.csv'"})
    assert inspect_source(query, here, needed=["age", "ill"])[1]
    with pytest.raises(SpecError, match="'ward'"):
        inspect_source(query, here, needed=["age", "ward"])
    renamed = parse_source({"query": "select age, ward as place from 'coded.csv'"})
    with pytest.raises(SpecError, match="'ward'"):
        inspect_source(renamed, here, needed=["age", "place"])


def test_a_view_is_held_to_its_files(here: Engine) -> None:
    here.connection.execute("create view memory.main.coded as select * from 'coded.csv'")
    here.connection.execute(
        "create view memory.main.foldered as select * from 'age=18-65/plain.csv'"
    )
    here.connection.execute("create view memory.main.plain as select * from 'plain.csv'")
    assert inspect_source(parse_source("plain"), here)[1]
    for view, said in (("coded", "'ward'"), ("foldered", "name of a folder")):
        with pytest.raises(SpecError, match=said):
            inspect_source(parse_source(view), here)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize(
    "source",
    [
        "long.parquet",
        "lo*.parquet",
        "from 'long.parquet'",
        "from read_parquet('long.parquet', filename = true)",
    ],
)
def test_decimals_that_would_be_rounded_are_refused(
    source: str, nested: bool, here: Engine
) -> None:
    """DuckDB reads decimals of more than 38 digits as doubles, in a list and a struct, too."""
    exact = pyarrow.array([Decimal("12345678901234567890123.45")], pyarrow.decimal256(50, 2))
    if nested:
        inside = pyarrow.StructArray.from_arrays([pyarrow.array(["a"]), exact], ["pay", "least"])
        exact = pyarrow.ListArray.from_arrays(pyarrow.array([0, 1], pyarrow.int32()), inside)
    pyarrow.parquet.write_table(pyarrow.table({"n": [1], "pay": exact, "m": [2]}), "long.parquet")
    with pytest.raises(SpecError, match="column 'pay' has decimals of 50 digits, which DuckDB"):
        inspect_source(parse_source(source), here)
    assert inspect_source(parse_source(source), here, needed={"n", "m"})[1]


def test_times_with_a_zone_keep_their_nanoseconds(here: Engine) -> None:
    """An older DuckDB has no such type, and would read microseconds."""
    times = pyarrow.array([1_000_000_001], pyarrow.timestamp("ns", "UTC"))
    pyarrow.parquet.write_table(pyarrow.table({"n": [1], "at": times}), "zoned.parquet")
    assert inspect_source(parse_source("zoned.parquet"), here, needed={"n"})[1]
    kind = duckdb.execute("select typeof(\"at\") from 'zoned.parquet'").fetchall()
    if kind == [("TIMESTAMP WITH TIME ZONE",)]:
        with pytest.raises(SpecError, match="column 'at' has times with a zone and nanoseconds"):
            inspect_source(parse_source("zoned.parquet"), here)
    else:
        assert inspect_source(parse_source("zoned.parquet"), here)[1]


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("known", [True, False])
def test_times_that_would_be_cut_are_refused(
    nested: bool, known: bool, here: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB reads microseconds of INT96; an older one cannot say whether there is more."""
    if not known:
        monkeypatch.setattr(parquet_files, "_reads_int96", lambda engine: False)
    elif not parquet_files._reads_int96(cast("FileEngine", here)):
        pytest.skip("this DuckDB reads no parts of INT96")

    def write(file: str, *times: int | None, spark: bool = False) -> None:
        cells: pyarrow.Array = pyarrow.array(times, pyarrow.timestamp("ns"))
        if nested:
            ends = pyarrow.array(range(len(times) + 1), pyarrow.int32())
            cells = pyarrow.ListArray.from_arrays(ends, cells)
        table = pyarrow.table({"n": range(len(times)), "at": cells})
        said = {"org.apache.spark.version": "4.0.0"} if spark else {}
        pyarrow.parquet.write_table(
            table.replace_schema_metadata(said), file, use_deprecated_int96_timestamps=True
        )

    cut = r"column 'at' has times in INT96 (perhaps )?with nanoseconds, which DuckDB would cut: "
    write("times.parquet", 1_000_000_001_000, None, 1_000_000_001_001)
    kept = "from read_parquet('times.parquet', int96_as = 'timestamp_ns')"
    for source in ("times.parquet", "t*.parquet", "select at from read_parquet('times.parquet')"):
        with pytest.raises(SpecError, match=cut):
            inspect_source(parse_source(source), here)
    assert inspect_source(parse_source("times.parquet"), here, needed={"n"})[1]
    with pytest.raises(SpecError, match="which Spark would cut: write them as timestamps of"):
        check_parquet("times.parquet", "Spark")
    if known:
        assert inspect_source(parse_source(kept), here)[1]
    write("times.parquet", 1_000_000_001_000, None, -1_000, spark=True)
    assert inspect_source(parse_source("times.parquet"), here)[1]


@pytest.mark.parametrize(
    "other", ["select 60.5 as weight", "select 60 as weight, 1 as more", "select '60' as weight"]
)
def test_parquet_files_of_other_types_are_not_made_alike(other: str, here: Engine) -> None:
    """DuckDB would round 60.5 to the whole number that the first file's column holds."""
    Path("parts").mkdir()
    duckdb.sql("copy (select 60 as weight) to 'parts/00.parquet'")
    duckdb.sql(f"copy ({other}) to 'parts/01.parquet'")
    for source in ("parts/*.parquet", "parts/", "from 'parts/*.parquet'"):
        with pytest.raises(SpecError, match=r"is not as in 'parts/00\.parquet'"):
            inspect_source(parse_source(source), here)
    shutil.copy("parts/00.parquet", "parts/01.parquet")
    assert inspect_source(parse_source("parts/"), here)[1]
