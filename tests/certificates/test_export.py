"""Files of a release: what is published and nothing else, whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import sqlanon as command
from rich.console import Console
from servers import Place, SparkPlace, place
from support import DEALT

import sqlanon
from sqlanon.cli.commands.sweep import narrow_table, sweep_table
from sqlanon.cli.views import show_sample, width
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import EngineError, SpecError
from sqlanon.record.metrics import Metric
from sqlanon.record.recorded import sentence_of

pytestmark = pytest.mark.slow

COLUMNS = {
    "age": "integer",
    'Ta"g, 1': "varchar",
    "born": "date",
    "dose": "double",
    "price": "decimal(9,2)",
    "seen": "timestamp",
    "well": "boolean",
    "disease": "varchar",
}
TEXTS = ["", None, "~n", 'q"uo,te', "a\nb", "Zürich", "|", " "]
ROLES: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ["age"],
    "sensitive": ["disease"],
    "insensitive": {
        name: {"accept": "a test"} for name in COLUMNS if name not in ("age", "disease")
    },
    "privacy": {"k": 3},
    "seed": 1,
    **DEALT,
}


def rows() -> list[tuple[Any, ...]]:
    return [
        (
            i % 5,
            TEXTS[i % len(TEXTS)],
            date(2020, 2, i % 28 + 1),
            [0.1, 1e-7, 3.0, None][i % 4],
            Decimal(f"{i}.50"),
            datetime(2021, 1, 1, 0, 0, i),
            [True, False, None][i % 3],
            "abc"[i % 3],
        )
        for i in range(24)
    ]


@pytest.fixture(params=["duckdb", "postgres", "postgres_icu"])
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


def made(there: Place, **declared: Any) -> sqlanon.Release:
    there.make_table("people", COLUMNS, rows())
    return sqlanon.anonymize("people", connection=there.connection, **{**ROLES, **declared})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a release in the database of its name."""
    with duckdb.connect(str(tmp_path / "public.duckdb")) as connection:
        connection.execute(
            "create table people as select i % 3 as age, i % 2 as disease from range(12) as n(i)"
        )
        declared = {**ROLES, "insensitive": []}
        sqlanon.anonymize("people", connection=connection, **declared).close()
    return tmp_path


# --- what is written -----------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_holds_the_release_with_its_types(there: Place, ending: str, tmp_path: Path) -> None:
    with made(there) as release:
        file, dictionary = release.export(tmp_path / f"out.{ending}")
        names, expected = there.read("public")
    how = "allow_quoted_nulls = false, all_varchar = true, header = true, nullstr = ''"
    reader = f"read_csv('{file}', {how})" if ending == "csv" else f"'{file}'"
    types = {**COLUMNS, "age": "varchar", "price": "decimal(9,2)"}
    cast = ", ".join(
        f'cast("{name.replace(chr(34), chr(34) * 2)}" as {types[name]})' for name in names
    )
    assert duckdb.execute(f"select {cast} from {reader}").fetchall() == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([file.name, dictionary.name])
    with dictionary.open(encoding="utf-8", newline="") as opened:
        told = list(csv.DictReader(opened))
    assert [entry["column"] for entry in told] == list(names)
    assert {entry["column"]: entry["role"] for entry in told}["age"] == "quasi_identifier"
    assert {entry["column"]: entry["published_as"] for entry in told}["age"] == "interval"
    assert all(
        entry["relation"] == "public" and entry["type"] and entry["meaning"] for entry in told
    )


@pytest.mark.slow
def test_every_database_writes_the_same_file(urls: Mapping[str, str], tmp_path: Path) -> None:
    found = []
    for engine in ("duckdb", "postgres"):
        with place(engine, urls) as there, made(there) as release:
            found.append(release.export(tmp_path / f"{engine}.csv")[0].read_bytes())
    assert found[0] == found[1]
    assert b'""' in found[0]


def test_an_empty_text_is_no_null(there: Place, tmp_path: Path) -> None:
    """The one stands in quotes, the other is nothing."""
    with made(there) as release:
        file, _ = release.export(tmp_path / "out.csv")
    lines = file.read_text(encoding="utf-8")
    texts = [row[1] for row in rows()]
    assert lines.count(',"",') == texts.count("")


@pytest.mark.parametrize("name", ["anatomy", pytest.param("permuted", marks=pytest.mark.slow)])
def test_all_relations_for_readers_and_none_of_the_publishers(
    there: Place, name: str, tmp_path: Path
) -> None:
    declared = {"publish": {"name": name, "group": 3}, "privacy": {"k": 1, "l": 2}}
    with made(there, **declared) as release:
        *files, dictionary = release.export(tmp_path / "out.parquet")
    names = ["out.parquet", "out__sensitive.parquet"][: 2 if name == "anatomy" else 1]
    assert [file.name for file in files] == names
    assert {path.name for path in tmp_path.iterdir()} == {*names, "out.dictionary.csv"}
    told = dictionary.read_text(encoding="utf-8")
    assert "group_id" in told
    assert duckdb.execute(f"select count(*) from '{files[0]}'").fetchall() == [(24,)]


@pytest.mark.parametrize(
    ("declared", "form"),
    [
        ({"quasi_identifiers": {"age": {"publish": "bounds"}}}, "lower"),
        ({"quasi_identifiers": {"age": {"hierarchy": {"bands": [2, 4]}}}}, "lca"),
        ({"quasi_identifiers": {"age": {"publish": "set"}}}, "set"),
        ({"materialize": "view"}, "interval"),
    ],
    ids=str,
)
def test_the_dictionary_says_how_a_column_is_published(
    declared: dict[str, Any], form: str, urls: Mapping[str, str], tmp_path: Path
) -> None:
    with place("duckdb", urls) as there, made(there, **declared) as release:
        file, dictionary = release.export(tmp_path / "out.csv")
    told = list(csv.DictReader(io.StringIO(dictionary.read_text(encoding="utf-8"))))
    assert form in {entry["published_as"] for entry in told}
    header = next(csv.reader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert header == [entry["column"] for entry in told]


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("public", "-o", "x.xlsx"), "the name of the file must end in .csv or .parquet"),
        (("public", "-o", "nowhere/x.csv"), "there is no folder 'nowhere'"),
        (("public", "-o", "there.csv"), "is there already: name another file, or replace it by"),
        (("public", "-o", "half.csv"), "'half.dictionary.csv' is there already"),
        (("people", "--database", "public.duckdb"), "the table 'people' is no release that"),
        (("nobody", "--database", "public.duckdb"), "there is no release 'nobody' in this"),
        (("nobody",), "there is no database 'nobody.duckdb' here: name the one that holds"),
        (("public", "--database", "none.duckdb"), "there is no database 'none.duckdb'"),
    ],
    ids=str,
)
def test_what_is_refused_writes_nothing(
    folder: Path, arguments: tuple[str, ...], says: str
) -> None:
    (folder / "there.csv").write_text("mine")
    (folder / "half.dictionary.csv").write_text("mine")
    before = sorted(folder.iterdir())
    done = command(folder, "export", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert sorted(folder.iterdir()) == before
    assert (folder / "there.csv").read_text() == "mine"


def test_a_release_whose_mark_is_gone_is_none(folder: Path) -> None:
    with duckdb.connect(str(folder / "public.duckdb")) as connection:
        connection.execute("create or replace table public as select 1 as age")
    done = command(folder, "export", "public")
    assert done.returncode == 2
    assert "is no release that sqlanon run or a script made here" in done.stderr


def test_a_file_is_replaced_if_that_is_asked_for(folder: Path) -> None:
    (folder / "public.csv").write_text("mine")
    done = command(folder, "export", "public", "-o", "public.csv", "--overwrite")
    assert done.returncode == 0
    assert "Wrote public.csv; public.dictionary.csv says" in done.stdout
    assert (folder / "public.csv").read_text().startswith("age,disease\n")
    assert command(folder, "export", "public").returncode == 0
    assert (folder / "public.parquet").exists()


def test_a_write_that_fails_leaves_the_older_file_and_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(self: DuckDBEngine, relation: Any, columns: Any, file: Path, escaped: bool) -> None:
        file.write_text("a half")
        raise EngineError("the disk is full")

    (folder / "public.csv").write_text("older")
    before = sorted(folder.iterdir())
    monkeypatch.setattr(DuckDBEngine, "export", failing)
    done = command(folder, "export", "public", "-o", "public.csv", "--overwrite")
    assert done.returncode == 3
    assert sorted(folder.iterdir()) == before
    assert (folder / "public.csv").read_text() == "older"


def test_run_writes_a_file_and_looks_before_it_begins(folder: Path) -> None:
    (folder / "spec.yaml").write_text(
        "source: people\nrelease: public\ndatabase: public.duckdb\nquasi_identifiers: [age]\n"
        "sensitive: [disease]\nprivacy: {k: 3}\nmethod: stack_and_deal\n"
    )
    done = command(folder, "run", "spec.yaml", "--quiet", "-o", "out.xls")
    assert (done.returncode, done.stdout) == (2, "")
    done = command(folder, "run", "spec.yaml", "--quiet", "--output", "out.csv")
    assert "Wrote out.csv; out.dictionary.csv says what each column is." in done.stdout
    assert "A file to hand out: sqlanon export public -o public.csv" in done.stdout
    assert len((folder / "out.csv").read_text().splitlines()) == 13


# --- formulas ------------------------------------------------------------------------------------

FORMULAS = ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1", "'=1", "''=1", "'a", "a=1", "", None, "Ü"]
ESCAPED = ["'=1+1", "'+1", "'-1", "'@sum", "'\t=1", "'\r=1", "''=1", "'''=1", "'a", "a=1", "", "Ü"]


@pytest.mark.parametrize(
    "engine", ["duckdb", "postgres", pytest.param("postgres_icu", marks=pytest.mark.slow)]
)
def test_text_that_a_spreadsheet_takes_for_a_formula_is_escaped(
    engine: str, urls: Mapping[str, str], tmp_path: Path
) -> None:
    """Cells and names of text, and no number; the certificate is of the file all the same."""
    columns = {"age": "integer", "=note": "varchar", "cost": "decimal(9,2)", "-ill": "varchar"}
    made_of = [
        (i % 3, FORMULAS[i % len(FORMULAS)], Decimal(f"-{i % 2}.50"), f"={i % 2}")
        for i in range(39)
    ]
    declared = {
        **ROLES,
        "sensitive": ["-ill"],
        "insensitive": {name: {"accept": "a test"} for name in ("=note", "cost")},
    }
    with place(engine, urls) as there:
        there.make_table("people", columns, made_of)
        with sqlanon.anonymize("people", connection=there.connection, **declared) as release:
            known = release.certificate()
            plain, *_ = release.export(tmp_path / "plain.csv")
            file, dictionary = release.export(tmp_path / "out.csv", escape_formulas=True)
            with pytest.raises(SpecError, match=r"escaped in \.csv alone"):
                release.export(tmp_path / "out.parquet", escape_formulas=True)
    with file.open(encoding="utf-8", newline="") as opened:
        table = list(csv.DictReader(opened))
    assert {*table[0]} == {"age", "'-ill", "'=note", "cost"}
    assert {row["'-ill"] for row in table} == {"'=0", "'=1"}
    assert {row["'=note"] for row in table} == {*ESCAPED}
    assert {row["cost"] for row in table} == {"-0.50", "-1.50"}
    said = dictionary.read_text(encoding="utf-8")
    assert "'=note" in said
    assert said.count("take one off") == 3  # of the interval, too, which is text
    for path, escaped in ((plain, False), (file, True)):
        found = sqlanon.verify(known, str(path))
        assert (found.passed, found.escaped) == (True, escaped), found.faults
    changed = file.read_bytes().replace(b"'=1+1", b"'=1+2")
    file.write_bytes(changed)
    assert not sqlanon.verify(known, str(file)).passed


def test_the_command_escapes_formulas_and_says_so(folder: Path) -> None:
    done = command(folder, "export", "public", "-o", "out.csv", "--escape-formulas")
    assert done.returncode == 0, done.stderr
    assert "take one off" in (folder / "out.dictionary.csv").read_text()
    refused = command(folder, "export", "public", "--escape-formulas")
    assert (refused.returncode, "escaped in .csv alone" in refused.stderr) == (2, True)


@pytest.mark.spark
def test_spark_says_where_its_files_are(tmp_path: Path) -> None:
    there = SparkPlace()
    with made(there) as release, pytest.raises(SpecError, match="its own DataFrame"):
        release.export(tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


# --- what a run shows ----------------------------------------------------------------------------


@pytest.mark.parametrize("wide", [40, 80, 120, 2000])
def test_a_sample_fits_the_terminal_and_counts_what_it_leaves_out(wide: int) -> None:
    names = [f"column_{number}" for number in range(45)]
    shown = io.StringIO()
    console = Console(file=shown, width=wide)
    show_sample(console, "people", names, [[number * 1000 for number in range(45)]] * 5)
    lines = shown.getvalue().splitlines()
    assert max(map(len, lines)) <= wide
    shows = sum(name in lines[2].split() for name in names)
    assert shows == 45 or f"{45 - shows} more columns are not shown, of 45." in shown.getvalue()
    assert shows >= min(45, wide // 20)


def test_a_wide_column_is_shown_all_the_same() -> None:
    shown = io.StringIO()
    show_sample(Console(file=shown, width=30), "people", ["a", "b"], [["x" * 99, "y"]])
    assert shown.getvalue().replace("\n", "").replace(" ", "").count("x") == 99
    assert "1 more column is not shown, of 2." in shown.getvalue().replace("\n", " ")


@pytest.mark.parametrize(
    ("metric", "threshold", "says"),
    [
        ("k_anonymity", "12", "every class has at least 12 records"),
        ("t_closeness", "0.15", "as in the whole table, within 0.15"),
        ("recursive_l", "c = 2, l = 3", "is rarer than 2 times the rest from the 3-th on"),
        ("delta_disclosure", "1", "more than 1 / 2^1 and less than 2^1 times"),
    ],
)
def test_a_model_in_words(metric: str, threshold: str, says: str) -> None:
    assert says in sentence_of(Metric(metric, None, 1.0, threshold, True))


@pytest.mark.parametrize("wide", [100, 120])
def test_a_sweeps_table_fits_a_hundred_columns(wide: int, urls: Mapping[str, str]) -> None:
    """A letter stands for a method, as in the map, and no figure is broken."""
    methods = ["stack_and_deal", {"name": "stack_and_deal", "locality": "curve"}]
    with place("duckdb", urls) as there:
        there.make_table("people", COLUMNS, rows())
        found = sqlanon.sweep(
            "people",
            connection=there.connection,
            k=[2, 3],
            methods=methods,
            quasi_identifiers=["age"],
            sensitive={"disease": {"t": 0.5}, "price": {"t": 0.25, "distance": "ordered"}},
            privacy_weight=0.5,
            seed=1,
        )
        found.close()
    shown = io.StringIO()
    console = Console(file=shown, width=wide)
    table, letters = narrow_table(found, 60)
    assert width(sweep_table(found, 60), console) > 100
    console.print(table)
    lines = [line.rstrip() for line in shown.getvalue().splitlines()]
    assert max(map(len, lines)) <= wide
    assert letters == "A stack_and_deal   B stack_and_deal, locality: curve\n"
    for letter in "AB":
        (one, *_) = [line.split() for line in lines if line.split()[:2] == [letter, "2"]]
        assert one[3:5] == ["(≤", "0.5)"]
