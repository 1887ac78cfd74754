"""A first spec is YAML whatever the names are, and names no rare value as a code."""

from __future__ import annotations

import csv
from pathlib import Path

import duckdb
import pytest
import yaml
from commands import sqlanon as command
from support import database, make_table

import sqlanon
from sqlanon.engines import DuckDBEngine
from sqlanon.sql.names import identifier, literal
from sqlanon.uses.profile.first_spec import first_spec

ODD = [
    "a\nb: 1",
    "x\u2028y",
    "x\u2029y",
    "x\x85y",
    "\ufeffz",
    "\U000e0001😀\r",
    ".5",
    "null",
    "y",
    "#",
]


def test_odd_names_are_one_line(tmp_path: Path) -> None:
    columns = ["age", "sex", *ODD]
    file = tmp_path / "p\nq: 1 \u2028.parquet"
    cells = ", ".join(
        [
            "i % 40 as age, substr('mf', cast(i % 2 as integer) + 1, 1) as sex",
            *(f"i % {at} as {identifier(one)}" for at, one in enumerate(ODD, 2)),
        ]
    )
    duckdb.execute(f"copy (select {cells} from range(80) as n(i)) to {literal(str(file))}")
    engine = DuckDBEngine()
    try:
        text, _ = first_spec(str(file), None, tmp_path, engine)
    finally:
        engine.close()
    found = yaml.safe_load(text)
    assert found["source"] == file.name
    assert set(found) == {
        "source", "release", "identifiers", "quasi_identifiers", "sensitive", "insensitive",
        "privacy", "method", "seed",
    }  # fmt: skip
    assert {"age", "sex"} <= set(found["quasi_identifiers"]) <= set(columns)
    assert all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize(("held", "named"), [(1, False), (9, False), (10, True)])
def test_a_code_is_named_only_if_ten_records_hold_it(
    held: int, named: bool, tmp_path: Path
) -> None:
    rows = [(99 if i < held else i % 60, "mf"[i % 2]) for i in range(200)]
    with database(tmp_path / "t.duckdb") as connection:
        make_table(connection, "t", {"age": "bigint", "sex": "varchar"}, rows)
        found = sqlanon.profile("t", connection=connection)
    codes = [code.code for column in found.columns for code in column.counts.codes]
    assert codes == (["99"] if named else [])
    assert ("'99'" in str(found.as_dict())) is named
    assert "'m'" not in str(found.as_dict())  # a letter that is a code elsewhere
    done = command(tmp_path, "profile", "t", "--database", "t.duckdb", "--quiet")
    assert (f"99 ({held})" in done.stdout) is named
    assert "No value of the data is shown but known codes" in done.stdout


def test_nothing_is_said_of_values_that_cannot_be_compared(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    duckdb.execute(
        f"copy (select i % 40 as age, [i] as many from range(80) as n(i)) to {literal(str(file))}"
    )
    known = {one["column"]: one for one in sqlanon.profile(file).as_dict()["columns"]}
    figures = ("missing", "values", "unique_records", "entropy")
    assert [known["many"][figure] for figure in figures] == [None] * 4
    assert [known["age"][figure] for figure in figures[:3]] == [0, 40, 0]
    done = command(tmp_path, "profile", "t.parquet", "--quiet")
    (row,) = [line.split() for line in done.stdout.splitlines() if line.split()[:1] == ["many"]][:1]
    assert row == ["many", "bigint[]"]
    engine = DuckDBEngine()
    try:
        text, _ = first_spec(str(file), None, tmp_path, engine)
    finally:
        engine.close()
    assert "missing" not in next(line for line in text.splitlines() if "many" in line)


@pytest.mark.slow
def test_text_of_many_values_waits_with_a_file_to_group_them_in(tmp_path: Path) -> None:
    towns = ['O"ne', "Two; 2", "Thr,ee", "(rare)", "Fünf", *(f"town {n}" for n in range(9))]
    cells = "case when n.i < 12 then 'big' else towns[n.i % 14 + 1] end"
    listed = ", ".join(map(literal, towns))
    file = tmp_path / "people.parquet"
    duckdb.execute(
        f"copy (select 20 + i % 40 as age, {cells} as city, "
        "' x' || case when i < 40 then 0 else i end as county "
        f"from range(140) as n(i), (values ([{listed}])) as t(towns)) to {literal(str(file))}"
    )
    done = command(tmp_path, "init", "people.parquet", "-o", "s.yaml", "--quiet")
    assert done.returncode == 0, done.stderr
    grouped = tmp_path / "hierarchies" / "city.csv"
    assert "hold values of the data: hierarchies/city.csv" in done.stdout
    assert grouped.stat().st_mode & 0o077 == 0
    with grouped.open(encoding="utf-8", newline="") as lines:
        found = {leaf: group for leaf, group, _ in csv.reader(lines)}
    counts = duckdb.execute(f"select city, count(*) from {literal(str(file))} group by city")
    records = dict(counts.fetchall())
    assert found == {town: town if n >= 10 else "((rare))" for town, n in records.items()}
    assert {"big", "((rare))"} <= set(found.values())
    spec = (tmp_path / "s.yaml").read_text(encoding="utf-8")
    assert not any(town in spec for town in towns[:5])
    assert "# county: {hierarchy: FILE.csv}" in spec  # which begin with a space: no line holds them
    assert command(tmp_path, "run", "s.yaml", "--quiet").returncode == 0
    taken = spec.replace("  # city: {", "  city: {")
    assert taken != spec
    (tmp_path / "s.yaml").write_text(taken, encoding="utf-8")
    assert command(tmp_path, "run", "s.yaml", "--quiet").returncode == 0
    again = command(tmp_path, "init", "people.parquet", "-o", "t.yaml", "--quiet")
    assert again.returncode == 2
    assert "hierarchies/city.csv' is there already" in again.stderr
    assert not (tmp_path / "t.yaml").exists()


def test_a_column_that_a_finer_one_tells_is_left_out_and_named(tmp_path: Path) -> None:
    """Also where both tell each other: the first of the table stays."""
    lines = ["age_group,age,sex,gender,ill"]
    rows = [(20 + i * 7 % 40, i // 3 % 2, i % 3) for i in range(400)]
    lines += [f"{age // 10 * 10}s,{age},{'mf'[sex]},{sex},x{ill}" for age, sex, ill in rows]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    with sqlanon.open() as db:
        found = db.init(str(tmp_path / "t.csv"), tmp_path)
    declared = yaml.safe_load(found.text)
    assert list(declared["quasi_identifiers"]) == ["age", "sex"]
    said = [line for line in found.text.splitlines() if "tells it" in line]
    assert [line.split()[1] for line in said] == ["age_group:", "gender:"]
    assert [line.split()[-3] for line in said] == ["age", "sex"]
    assert not found.undecided
    taken = found.text.replace("  # age_group: {", "  age_group: {")
    assert yaml.safe_load(taken)["quasi_identifiers"]["age_group"] == {"follows": "age"}
