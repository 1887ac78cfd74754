"""Text files: what is published is what the file says, and what it means can be declared."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support import DEALT, Connection, Row, anonymized, database, facts, refused

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.spec import spec_schema

HEAD = "age;smoke;weight;ill;kept\n"
LINES = [
    f"{30 + i % 5};{('yes', 'no', 'NA')[i % 3]};{180 + i % 4},5;{'abc'[i % 3]};"
    f"{('true', 'false')[i % 2]}"
    for i in range(36)
]
DECLARED: dict[str, Any] = {
    **DEALT,
    "quasi_identifiers": ["age"],
    "sensitive": ["smoke"],
    "insensitive": {name: {"accept": "a test looks at it"} for name in ("weight", "kept")},
    "k": 3,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(HEAD + "\n".join(LINES) + "\n")
    return tmp_path


def released(source: Any, **declared: Any) -> tuple[Counter[Row], dict[str, str], Connection]:
    """What is published beside the quasi-identifiers, and the types found."""
    with database() as connection:
        found = anonymized(connection, source, **{**DECLARED, **declared})
        types = json.loads(facts(connection)["types"])
        return Counter(row[1:] for row in found.rows), types, connection


def test_yes_and_no_stay_what_the_file_says(folder: Path) -> None:
    lines = [line.replace("NA", "yes") for line in LINES]
    (folder / "people.csv").write_text(HEAD + "\n".join(lines) + "\n")
    rows, types, _ = released("people.csv")
    assert {row[0] for row in rows} == {"yes", "no"}
    assert types == {"age": "BIGINT", "smoke": "VARCHAR", "weight": "VARCHAR", "kept": "BOOLEAN"}


@pytest.mark.parametrize("words", [("True", "False"), ("TRUE", "FALSE"), ("t", "f")])
def test_truth_in_other_words_stays_what_the_file_says(
    folder: Path, words: tuple[str, str]
) -> None:
    text = (folder / "people.csv").read_text().replace("true", words[0]).replace("false", words[1])
    (folder / "people.csv").write_text(text)
    rows, types, _ = released("people.csv")
    assert {row[2] for row in rows} == set(words)
    assert types["kept"] == "VARCHAR"


def test_a_text_file_is_read_as_it_is_declared(folder: Path) -> None:
    text = (folder / "people.csv").read_text().replace("yes", "größer")
    for encoding in ("utf-8", "latin-1", "utf-16"):
        (folder / "people.csv").write_bytes(text.encode(encoding))
        source = {
            "file": "people.csv",
            "decimal": ",",
            "nullstr": "NA",
            "encoding": encoding,
            "columns": {"age": "decimal(9,2)", "kept": "text"},
        }
        rows, types, _ = released(source)
        assert {row[0] for row in rows} == {"größer", "no", None}
        assert {row[1] for row in rows} == {180.5, 181.5, 182.5, 183.5}
        assert {row[2] for row in rows} == {"true", "false"}
        assert types == {
            "age": "DECIMAL(9,2)",
            "smoke": "VARCHAR",
            "weight": "DOUBLE",
            "kept": "VARCHAR",
        }


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"columns": {"smok": "text"}}, r"source\.columns\.smok: the file has no such column"),
        ({"columns": {"smoke": "integer"}}, r"source\.columns\.smoke: line 2 of the file has a "),
        ({"columns": {"smoke": "a'b"}}, r"source\.columns\.smoke: it must be a type: text, "),
        ({"encoding": "ebcdic"}, r"source\.encoding: 'ebcdic' is not accepted"),
        ({"file": "people.parquet", "nullstr": "NA"}, "nullstr: for a text file alone"),
    ],
)
def test_a_wrong_setting_of_a_text_file_is_refused_by_name(
    folder: Path, source: dict[str, Any], message: str
) -> None:
    error = refused(SpecError, {"file": "people.csv", **source}, **DECLARED)
    assert str(error).startswith("source")
    with pytest.raises(SpecError, match=message):
        raise error
    assert "yes" not in str(error)


def test_the_codes_of_missing_values_are_null(folder: Path) -> None:
    missing = {"age": [34, 999], "smoke": "NA", "weight": ["180,5"]}
    with database() as connection:
        found = anonymized(connection, "people.csv", **DECLARED, missing=missing)
        rows = found.rows
        assert {row[1] for row in rows} == {"yes", "no", None}
        assert {row[2] for row in rows} == {"181,5", "182,5", "183,5", None}
        assert None in {row[0] for row in rows} or "*" in {row[0] for row in rows}
        assert json.loads(facts(connection)["spec"])["missing"]["age"] == ["34", "999"]
        source = {"file": "people.csv"}
        spec = {
            "source": source,
            "release": "anonymized",
            **{name: value for name, value in DECLARED.items() if name != "k"},
            "privacy": {"k": 3},
            "missing": missing,
        }
        (folder / "spec.yaml").write_text(json.dumps(spec))
        assert sqlanon.check("anonymized", spec="spec.yaml", connection=connection).passed


@pytest.mark.parametrize(
    ("kind", "codes", "kept"),
    [
        ("integer", [-8, 999999], 2),
        ("tinyint", [-8, 999999], 2),
        ("decimal(9,2)", [-8, 99.5], 2),
        ("double", [-8, 99.5], 2),
        ("float", [-8, 99.5], 2),
        ("date", ["1900-01-01"], 1),
        ("timestamp", ["1900-01-01 00:00:00"], 1),
        ("enum('NA', 'b', 'c')", ["NA"], 2),
    ],
)
def test_codes_mean_null_in_columns_of_every_type(kind: str, codes: list[Any], kept: int) -> None:
    values = {"date": ("1900-01-01", "2000-02-02"), "timestamp": ("1900-01-01", "2000-02-02")}
    three = values.get(kind, ("NA", "b", "c") if "enum" in kind else ("-8", "1", "2"))
    with database() as connection:
        connection.execute(f"create table t (a integer, v {kind})")
        for value in three:
            connection.execute(f"insert into t values (1, '{value}'), (2, '{value}')")
        found = anonymized(
            connection,
            "t",
            quasi_identifiers=["a"],
            sensitive=["v"],
            k=1,
            missing={"v": codes},
        )
        assert len({row[1] for row in found.rows} - {None}) == kept
        assert sum(row[1] is None for row in found.rows) == 2


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ({"age": "x"}, r"missing\.age: the code 'x' is not a whole number"),
        ({"agee": 1}, r"missing\.agee: the source has no such column; did you mean 'age'"),
        ({"ill": "a"}, r"missing\.ill: the column has no role"),
        ({"kept": 1}, r"missing\.kept: a column of type BOOLEAN has no codes"),
    ],
)
def test_a_code_that_a_column_cannot_hold_is_refused(
    folder: Path, missing: dict[str, Any], message: str
) -> None:
    with pytest.raises(SpecError, match=message):
        raise refused(SpecError, "people.csv", **DECLARED, missing=missing)


def test_the_schema_knows_the_settings() -> None:
    schema = spec_schema()
    assert {"columns", "decimal", "encoding", "nullstr"} <= set(
        schema["$defs"]["Source"]["properties"]
    )
    assert "missing" in schema["properties"]
