"""JSON as a source: an object for each record, read by DuckDB for every engine."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from contextlib import chdir
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import sqlanon as command
from hypothesis import given, settings
from hypothesis import strategies as st
from read_files import read
from servers import place
from support import DEALT

import sqlanon
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import SpecError
from sqlanon.source.source import inspect_source
from sqlanon.spec import Source, parse_source


def written(folder: Path, text: str, name: str = "t.json") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


RECORDS = [
    {"zip": "01234", "day": "2020-01-01", "at": "2020-01-01T10:00:00", "n": 1, "f": 2.5, "b": True},
    {"n": None, "f": 3, 'a "key"/~': "é", "empty": None, "zip": ""},
]
TYPES = {
    "zip": "VARCHAR",
    "day": "DATE",
    "at": "TIMESTAMP",
    "n": "BIGINT",
    "f": "DOUBLE",
    "b": "BOOLEAN",
    'a "key"/~': "VARCHAR",
    "empty": "VARCHAR",
}


@pytest.mark.parametrize("name", ["t.json", "t.ndjson", "t.jsonl.gz"])
def test_values_are_those_of_the_file(tmp_path: Path, name: str) -> None:
    """A list of objects or an object a line; text keeps its zeros, and what is missing is NULL."""
    lines = "\n".join(json.dumps(one) for one in RECORDS)
    text = json.dumps(RECORDS) if name == "t.json" else lines
    file = tmp_path / name
    file.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    types, rows = read(file)
    assert types == TYPES
    assert list(types) == list(TYPES)
    shown = [[None if one is None else str(one) for one in row] for row in rows]
    first = ["01234", "2020-01-01", "2020-01-01 10:00:00", "1", "2.5", "True", None, None]
    assert shown == [first, ["", None, None, None, "3.0", None, "é", None]]


def test_files_of_a_pattern_are_read_together(tmp_path: Path) -> None:
    written(tmp_path, '{"a": 1}', "one.json")
    written(tmp_path, '[{"a": 2, "b": "x"}]', "two.json")
    types, rows = read(tmp_path / "*.json")
    assert types == {"a": "BIGINT", "b": "VARCHAR"}
    assert sorted(rows) == [(1, None), (2, "x")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1, "a": 2}', "1 of 1 records have a key twice"),
        ('{"a": 1}\n{"A": 1}', "the keys 'a' and 'A' differ by case alone"),
        ('{"a": {"b": "SECRET"}}', "source.columns.a: it has objects, which are no value"),
        ('{"a": ["SECRET"]}', "source.columns.a: it has lists, which are no value"),
        ('{"a": 1}\n{"a": "SECRET"}', "source.columns.a: it has numbers and text"),
        ('{"a": true}\n{"a": 1}', "source.columns.a: it has numbers and truth values"),
        ('{"a": 12345678901234567890}', "it has 1 whole numbers of 2^63 or more"),
        ('{"a": 9007199254740993}\n{"a": 0.5}', "it has 1 numbers that no double holds"),
        ('{"a": 1e400}', "it has 1 numbers that no double holds"),
        ("[1, 2]", "2 of 2 records are no objects"),
        ("[]", "the file has no records"),
        ("{}", "its records have no keys"),
        ('{"": 1}', "a key is empty"),
        ('{"a": "SECRET"} SECRET', "the file is no JSON at byte 1 of record 2"),
    ],
)
def test_what_no_table_holds_is_refused_without_a_value(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(SpecError) as caught:
        read(written(tmp_path, text))
    assert said in str(caught.value)
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ('{"a": {"b": 1}}\n{"a": [2]}\n{"a": 1}', "text", ['{"b":1}', "[2]", "1"]),
        ('{"a": 12345678901234567890}', "decimal(38, 0)", ["12345678901234567890"]),
        ('{"a": "2.55"}\n{"a": 2.5}', "decimal(9, 2)", ["2.55", "2.50"]),
        ('{"a": "2024-03-05T14:30:00"}', "timestamp", ["2024-03-05 14:30:00"]),
        ('{"a": 0.1}\n{"a": "1e3"}', "number", ["0.1", "1000.0"]),
        ('{"a": "01"}', "integer", "1 values are no BIGINT, or it would change them"),
        ('{"a": "2024-03-05 14:30:00"}', "date", "1 values are no DATE"),
        ('{"a": 2.555}', "decimal(9, 2)", "1 values are no decimal(9, 2), or it would change them"),
        ('{"a": 1.5}', "integer", "1 values are no BIGINT, or it would change them"),
        ('{"a": "SECRET"}', "date", "1 values are no DATE"),
        ('{"a": "x"}', "nonsense", "'nonsense' is no type that DuckDB knows"),
    ],
)
def test_a_declared_type_holds_every_value(
    tmp_path: Path, text: str, kind: str, expected: Any
) -> None:
    file = written(tmp_path, text)
    if isinstance(expected, str):
        with pytest.raises(SpecError) as caught:
            read(file, columns={"a": kind})
        assert "source.columns.a" in str(caught.value)
        assert expected in str(caught.value)
        assert "SECRET" not in str(caught.value)
    else:
        assert [str(row[0]) for row in read(file, columns={"a": kind})[1]] == expected


def test_settings_of_text_files_are_not_for_json(tmp_path: Path) -> None:
    file = written(tmp_path, '{"a": 1}')
    with pytest.raises(SpecError, match=r"delimiter: for a text file alone.*JSON takes columns"):
        read(file, delimiter=";")
    with pytest.raises(SpecError, match="the file has no such key"):
        read(file, columns={"b": "text"})
    with pytest.raises(SpecError, match="JSON is read of local files alone"):
        inspect_source(parse_source("s3://bucket/t.json"), DuckDBEngine())


KEYS = st.sampled_from(["a", "b", "it's", "ü/~"])
VALUES = st.one_of(st.none(), st.text(st.characters(codec="utf-8", exclude_characters="\0")))


@pytest.mark.further
@pytest.mark.slow
@settings(max_examples=20)
@given(records=st.lists(st.dictionaries(KEYS, VALUES, min_size=1), min_size=1, max_size=5))
def test_texts_are_read_as_python_reads_them(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, str | None]]
) -> None:
    file = tmp_path_factory.mktemp("drawn") / "t.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    types, rows = read(file, columns={key: "text" for record in records for key in record})
    expected = [tuple(record.get(key) for key in types) for record in records]
    assert rows == expected


@pytest.mark.parametrize(
    "engine", ["duckdb", "postgres", pytest.param("spark", marks=pytest.mark.slow)]
)
def test_every_engine_releases_the_same_of_it(
    engine: str, urls: Mapping[str, str], tmp_path: Path
) -> None:
    records = [
        {"age": 20 + number, "zip": f"0{number % 2}", "ill": "yn"[number % 2]}
        for number in range(8)
    ]
    file = written(tmp_path, json.dumps(records))
    declared: dict[str, Any] = {
        "quasi_identifiers": {"age": {}, "zip": {}},
        "sensitive": ["ill"],
        "k": 4,
        "seed": 1,
        "release": "of_json",
        "all_metrics": False,
        **DEALT,
    }
    with place(engine, urls) as there:
        sqlanon.anonymize(file, connection=there.connection, **declared).engine.close()
        columns, rows = there.read("of_json")
    with place("duckdb", urls) as here:
        sqlanon.anonymize(file, connection=here.connection, **declared).engine.close()
        assert (columns, sorted(rows)) == (here.read("of_json")[0], sorted(here.read("of_json")[1]))


def test_a_script_reads_the_same_of_it(tmp_path: Path) -> None:
    records = [{"age": 20 + number, "zip": f"0{number % 2}"} for number in range(8)]
    written(tmp_path, json.dumps(records))
    spec = "source: t.json\nrelease: public\nquasi_identifiers: [age, zip]\nseed: 1\n"
    spec += "method: stack_and_deal\nprivacy: {k: 4}\ndatabase: made.duckdb\n"
    written(tmp_path, spec, "release.yaml")
    assert command(tmp_path, "run", "release.yaml").returncode == 0
    done = command(tmp_path, "compile", "release.yaml", "-o", "release.sql")
    assert done.returncode == 0, done.stderr
    with chdir(tmp_path), duckdb.connect("made.duckdb") as connection:
        expected = connection.execute("from public order by all").fetchall()
        connection.execute("drop table public")
        connection.execute((tmp_path / "release.sql").read_text(encoding="utf-8"))
        assert connection.execute("from public order by all").fetchall() == expected


def test_the_commands_take_json(tmp_path: Path) -> None:
    records = [{"age": 20 + number, "zip": f"0{number % 2}"} for number in range(8)]
    written(tmp_path, json.dumps(records))
    for arguments in (
        ("profile", "t.json"),
        ("init", "t.json"),
        ("risk", "t.json", "--qi", "age,zip"),
        ("check", "t.json", "--qi", "zip", "--k", "4"),
        ("check", "t.json", "--qi", "age", "--k", "1", "--read", "columns.age=text"),
    ):
        done = command(tmp_path, *arguments)
        assert done.returncode == 0, (arguments, done.stderr)
    assert Source.read("t.ndjson") == {"file": "t.ndjson"}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("1e400", "number"),
        ("100000000000000000000001", "number"),
        ("16777217", "float"),
        ('"123456789012345678901234.5"', "decimal(38,0)"),
        ("0.5000000000000001", "decimal(9,2)"),
        ("1e-16", "decimal(9,2)"),
        ('"007"', "decimal(9,2)"),
    ],
)
def test_a_declared_number_has_every_digit_of_its_text(
    tmp_path: Path, value: str, kind: str
) -> None:
    with pytest.raises(SpecError, match=r"columns\.a: 1 values are no .*, or it would change them"):
        read(written(tmp_path, f'{{"a": {value}}}'), columns={"a": kind})


@pytest.mark.parametrize(
    ("value", "kind", "found"),
    [
        ("0.5", "decimal(9,2)", Decimal("0.50")),
        ("1.5e2", "decimal(9,2)", Decimal("150.00")),
        ('"100"', "decimal(9,2)", Decimal("100.00")),
        ("0.1", "number", 0.1),
        ("100", "number", 100.0),
        ("3000000000", "double", 3e9),
        ("0", "number", 0.0),
        ("1.5e-7", "number", 1.5e-7),
        ("0.25", "float", 0.25),
    ],
)
def test_a_declared_number_is_read(tmp_path: Path, value: str, kind: str, found: object) -> None:
    assert read(written(tmp_path, f'{{"a": {value}}}'), columns={"a": kind})[1] == [(found,)]


@pytest.mark.parametrize("number", ["1e-400", "-2.5E-0400", f"0.{'0' * 330}1"])
@pytest.mark.parametrize("declared", [{}, {"columns": {"n": "text"}}])
def test_a_number_that_a_double_has_as_0_is_refused(
    tmp_path: Path, number: str, declared: dict[str, Any]
) -> None:
    """DuckDB hands it out as 0, also as text."""
    file = written(tmp_path, f'[{{"n": {number}, "m": 1}}, {{"n": 0.0, "m": 1e-99}}]')
    with pytest.raises(SpecError) as caught:
        read(file, **declared)
    assert str(caught.value) == (
        "source.columns.n: it has 1 numbers that may be nearer to 0 than any double, as 1e-400, "
        "and become 0: write them as text"
    )


@pytest.mark.parametrize("number", ["0.12345678901234567891", "-12345678901.2345678e-2"])
@pytest.mark.parametrize("declared", [{}, {"columns": {"n": "text"}}])
def test_a_number_of_more_digits_than_a_double_has_is_refused(
    tmp_path: Path, number: str, declared: dict[str, Any]
) -> None:
    """DuckDB rounds it, also as text; zeros at its end, and digits of texts, are no such digits."""
    other = f'"m": 0.5000000000000000000, "t": "\\"{number}", "i": 12345678901234567890123'
    types = {"columns": {"i": "text", **declared.get("columns", {})}}
    file = written(tmp_path, f'[{{"n": {number}, {other}}}, {{"n": 0.1, {other}}}]')
    with pytest.raises(SpecError) as caught:
        read(file, **types)
    what = "it has 1 numbers of more digits than a double has: write them as text"
    assert str(caught.value) == f"source.columns.n: {what}"
    with pytest.raises(SpecError, match="it has 1 numbers of more digits"):
        read(written(tmp_path, f'{{"n": [{{"x": {number}}}]}}'), columns={"n": "text"})


def test_year_0_is_no_date(tmp_path: Path) -> None:
    assert read(written(tmp_path, '{"a": "0000-01-01"}')) == ({"a": "VARCHAR"}, [("0000-01-01",)])


def test_a_query_in_which_types_of_json_are_guessed_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, '{"a": "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"}')
    engine = DuckDBEngine()
    try:
        with pytest.raises(SpecError, match=r"guesses the types of .*columns = \{…\}"):
            inspect_source(parse_source({"query": f"select * from '{file}'"}), engine)
        said = f"select * from read_json('{file}', columns = {{a: 'varchar'}})"
        assert [
            column.type for column in inspect_source(parse_source({"query": said}), engine)[1]
        ] == ["VARCHAR"]
    finally:
        engine.close()
