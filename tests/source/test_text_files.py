"""Text files: what is published is what the file says, and what it means can be declared."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command_line
from support import DEALT, Connection, Row, anonymized, database, facts, refused

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.spec import load_spec, spec_schema

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


@pytest.mark.slow
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


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("head", "meant"),
    [
        ("age,ill,ill", "'ill': the first is read by this name, and the next as 'ill_1'"),
        ('age,ill," ill "', "'ill': the first is read by this name, and the next as 'ill_1'"),
        ("age,ill,Ill", "'ill', but for capital letters: .* this name, and the next as 'Ill_1'"),
    ],
)
def test_of_two_columns_of_one_name_it_is_said_which_is_meant(
    tmp_path: Path, head: str, meant: str
) -> None:
    file = tmp_path / "d.csv"
    file.write_text(f"{head}\n1,a,b\n1,b,a\n", encoding="utf-8")
    release = sqlanon.anonymize(file, quasi_identifiers=["age"], sensitive=["ill"], k=1)
    called = f"2 columns that are called {meant}"
    assert any(re.search(called, text) for text in release.remarks)


@pytest.mark.parametrize("ending", ["csv.gz", "csv.zst"])
def test_a_file_that_is_not_compressed_as_its_name_says_is_refused(
    tmp_path: Path, ending: str
) -> None:
    file = tmp_path / f"d.{ending}"
    file.write_text("age,ill\n1,a\n")
    with pytest.raises(SpecError, match=r"source: .*the file is not compressed as its name says"):
        sqlanon.anonymize(file, quasi_identifiers=["age"], sensitive=["ill"], k=1)


@pytest.mark.parametrize(("end", "skip"), [("\n", 0), ("\r\n", 0), ("\n", 2)])
def test_a_line_has_the_number_that_an_editor_shows(tmp_path: Path, end: str, skip: int) -> None:
    """Blank lines count, between records and inside the quotes of a field."""
    about = ["about", ""][:skip]
    lines = [*about, "age,ill", "", "1,a", "", "", '2,"b', "", 'c"', "", "x,d", "3,e"]
    file = tmp_path / "d.csv"
    file.write_bytes(end.join([*lines, ""]).encode())
    source = {"file": str(file), "columns": {"age": "integer"}, "skip": skip}
    error = refused(SpecError, source, quasi_identifiers=["age"], sensitive=["ill"], k=1)
    assert f"line {lines.index('x,d') + 1} of the file has a value that is no integer" in str(error)


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


@pytest.mark.one_in(4)
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


# --- what a file says, whole ----------------------------------------------------------------------


def test_a_type_holds_over_more_files_than_ten(folder: Path) -> None:
    """DuckDB itself looks at ten files of a pattern."""
    for number in range(1, 13):
        weights = ("51.7", "84.7") if number == 12 else ("87", "73")
        lines = [f"35,{weight},ulcer" for weight in weights]
        (folder / f"part_{number:02}.csv").write_text("\n".join(["age,weight,ill", *lines]) + "\n")
    declared = {"sensitive": ["ill"], "insensitive": {"weight": {"accept": "a test looks at it"}}}
    rows, types, _ = released("part_*.csv", **declared)
    assert types["weight"] == "DOUBLE"
    assert {row[1] for row in rows} | {row[0] for row in rows} >= {87.0, 73.0, 51.7, 84.7}


def test_an_empty_file_of_a_pattern_is_named(folder: Path) -> None:
    (folder / "peoplf.csv").write_text("\n")
    with pytest.raises(SpecError, match=r"the file 'peoplf\.csv' has no header line"):
        released("peopl*.csv")


def test_files_of_one_pattern_have_one_header_line(folder: Path) -> None:
    """Another order of the columns would be read as other columns."""
    (folder / "part_1.csv").write_text("age,ill\n30,a\n31,b\n")
    (folder / "part_2.csv").write_text("ill,age\na,30\nb,31\n")
    error = refused(SpecError, "part_*.csv", **{**DECLARED, "sensitive": ["ill"]})
    assert "the header line of 'part_2.csv' is not that of 'part_1.csv'" in str(error)


COMMANDS = (
    ("check", "--qi", "age"),
    ("risk", "--qi", "age"),
    ("profile",),
    ("init", "-o", "first.yaml"),
    ("hierarchy", "ill"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_no_command_passes_over_lines(folder: Path, command: tuple[str, ...]) -> None:
    (folder / "two.csv").write_text("age,sex,ill\n" + "30,f,a\n" * 24 + "age,ill\n" + "31,b\n" * 24)
    name, *options = command
    done = command_line(folder, name, "two.csv", *options, one_stream=True)
    assert done.returncode == 2
    assert "line 26 of the file has 2 fields, the first 3" in done.stdout


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_command_can_be_told_how_to_read(folder: Path, command: tuple[str, ...]) -> None:
    text = "made today\nage;ill;day\n" + "".join(
        f"{30 + i % 3};„{'ab'[i % 2]}“;0{1 + i % 2}.12.20\n" for i in range(24)
    )
    (folder / "bank.csv").write_bytes(text.encode("cp1252"))
    name, *options = command
    told = ["--read", "skip=1", "--read", "encoding=windows-1252", "--read", "dates=%d.%m.%y"]
    refused_ = command_line(folder, name, "bank.csv", *options)
    assert refused_.returncode == 2
    done = command_line(folder, name, "bank.csv", *options, *told)
    assert done.returncode == 0, done.stdout
    if name == "init":
        source = load_spec("first.yaml").source
        assert (source.skip, source.encoding, source.dates) == (1, "windows-1252", "%d.%m.%y")


@pytest.mark.further
@pytest.mark.slow
def test_the_files_beside_a_release_are_read_as_is_told(folder: Path) -> None:
    """A release of a bank's file is reported, attacked and compared beside that file."""
    text = "age;ill\n" + "".join(f"{30 + i % 3};„{'ab'[i % 2]}“\n" for i in range(24))
    (folder / "bank.csv").write_bytes(text.encode("cp1252"))
    (folder / "bank.yaml").write_text(
        "source: {file: bank.csv, encoding: windows-1252}\nrelease: banked\nseed: 1\n"
        "quasi_identifiers: [age]\nsensitive: [ill]\nprivacy: {k: 2}\nmethod: stack_and_deal\n"
    )
    assert command_line(folder, "run", "bank.yaml", "--quiet").returncode == 0
    for command in (
        ("report", "banked", "--source", "bank.csv"),
        ("attack", "banked", "--external", "bank.csv"),
        ("utility", "banked", "--source", "bank.csv", "--queries", "2"),
        ("attack", "bank.csv", "--qi", "age", "--sensitive", "ill"),
    ):
        assert command_line(folder, *command).returncode == 2, command
        done = command_line(folder, *command, "--read", "encoding=windows-1252")
        assert done.returncode == 0, done.stdout


def test_a_script_reads_no_copy_of_a_file(folder: Path) -> None:
    """Of a header line that breaks within a name as no line ends a run reads a copy."""
    text = 'age,"ill\n(main)"\r\n' + "".join(f"{30 + i % 3},{'ab'[i % 2]}\r\n" for i in range(24))
    (folder / "broken.csv").write_bytes(text.encode())
    declared = {"quasi_identifiers": ["age"], "sensitive": ["ill\n(main)"], "k": 2, **DEALT}
    with database() as connection:
        sqlanon.anonymize("broken.csv", connection=connection, progress=False, **declared).close()
        with pytest.raises(SpecError, match="a script cannot read a file whose header line breaks"):
            sqlanon.compile("broken.csv", connection=connection, **declared)


def test_how_files_are_read_needs_a_file(folder: Path) -> None:
    done = command_line(folder, "risk", "a_table", "--qi", "age", "--read", "skip=1")
    assert (done.returncode, "none is named" in done.stderr) == (2, True)


@pytest.mark.parametrize("given", ["skip", "foo=1", "columns=text", "encoding=ebcdic", "skip=x"])
def test_a_setting_that_is_none_is_refused(folder: Path, given: str) -> None:
    done = command_line(folder, "check", "people.csv", "--qi", "age", "--read", given)
    assert done.returncode == 2


def test_what_stays_text_is_named_with_what_would_declare_it(folder: Path) -> None:
    lines = [f"{30 + i % 3},0{1 + i % 2}.12.20,{('1E5', '2E3')[i % 2]}" for i in range(12)]
    (folder / "odd.csv").write_text("age,day,ward\n" + "\n".join(lines) + "\n")
    declared = {"quasi_identifiers": ["age", "day"], "sensitive": ["ward"], "insensitive": []}
    with database() as connection:
        made = sqlanon.anonymize("odd.csv", connection=connection, **{**DECLARED, **declared})
        day, ward = made.remarks
        made.engine.close()
    assert day.startswith("day is read as text, although its values look like dates")
    assert ward.startswith("ward is read as text, although its values look like numbers")


def test_a_line_of_totals_and_an_address_are_told_from_numbers(folder: Path) -> None:
    lines = [f"{30 + i % 3},10.0.0.{i % 2},flu" for i in range(12)]
    lines += ["Total,10.0.0.1,cold"]
    (folder / "odd.csv").write_text("age,address,ill\n" + "\n".join(lines) + "\n")
    declared = {"quasi_identifiers": ["age", "address"], "sensitive": ["ill"], "insensitive": []}
    with database() as connection:
        made = sqlanon.anonymize("odd.csv", connection=connection, **{**DECLARED, **declared})
        made.engine.close()
    (remark,) = made.remarks
    assert remark.startswith("age is read as text, although all of its values but 1 look like numb")
    assert "Total" not in remark


def test_a_code_that_is_masked_is_text_without_a_remark(folder: Path) -> None:
    lines = [f"{30 + i % 3},0{1000 + i % 2},flu{i % 4}" for i in range(12)]
    (folder / "odd.csv").write_text("age,zip,ill\n" + "\n".join(lines) + "\n")
    roles: dict[str, Any] = {
        "quasi_identifiers": {"age": {}, "zip": {"hierarchy": {"prefix": [5, 3, 0]}}},
        "sensitive": ["ill"],
        "insensitive": [],
    }
    with database() as connection:
        made = sqlanon.anonymize("odd.csv", connection=connection, **{**DECLARED, **roles})
        assert made.remarks == ()
        made.engine.close()
