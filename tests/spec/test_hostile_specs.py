"""Whatever a spec or the arguments hold, the command ends soon, with exit code 2 and what to do."""

from __future__ import annotations

import json
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import sqlanon
from sqlanon.errors import EngineError, SpecError
from sqlanon.spec import load_spec, parse_spec

MAIN = import_module("sqlanon.cli.main")
GOOD: dict[str, Any] = {
    "source": "people.csv",
    "release": "r",
    "quasi_identifiers": {"age": {}, "town": {}},
    "sensitive": ["disease"],
    "privacy": {"k": 2},
    "method": "stack_and_deal",
    "seed": 1,
}


@pytest.fixture(autouse=True)
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with one table in it."""
    monkeypatch.chdir(tmp_path)
    lines = ["age,town,disease", *(f"{20 + i},t{i % 3},d{i % 3}" for i in range(12))]
    Path("people.csv").write_text("\n".join(lines), encoding="utf-8")


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code of a command and what it says to stderr."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["sqlanon", *arguments])
        with pytest.raises(SystemExit) as end:
            MAIN.main()
    assert isinstance(end.value.code, int)
    return end.value.code, "".join(capsys.readouterr())


def bomb(first: str, link: str) -> str:
    """Nine levels of aliases, each of nine of the one before."""
    lines = [f"a: &a {first}"]
    for one, two in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{two}: &{two} " + link.format(",".join([f"*{one}"] * 9)))
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("? [a]\n: b\n", "line 1 has a list or a mapping for a key"),
        ("source: {{x}}\n", "line 1 has a list or a mapping for a key"),
        ("a: 1\nsource: 2020-99-99\n", "line 2 of the spec reads like a date and is none: put it"),
        (f"seed: {'9' * 5000}", "line 1 of the spec reads like a number and is none"),
        ("a: !!bool maybe", "reads like a truth value and is none"),
        (f"a: {'[' * 3000}{']' * 3000}", "nests more than 50 levels deep at line 1"),
        ("\n".join(" " * i + "a:" for i in range(400)), "nests more than 50 levels deep at line"),
        (bomb("[x,x,x,x,x,x,x,x,x]", "[{}]"), "holds more than 1,000,000 values"),
        (bomb("{x: 1}", "{{<<: [{}]}}"), "holds more than 1,000,000 values"),
        ("a: &a [*a]\n", "an alias at line 1 of the spec stands for what it is in"),
        ("privacy:\n\tk: 3\n", "at line 2, column 1: a tab stands there: indent with spaces"),
        ("source: x\nrelease: \x07\n", "at line 2: a control character stands there"),
        (b"a: 1\nsource: gr\xf6\xdfe\n", "line 2 is not encoded in UTF-8; save it as UTF-8"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_no_yaml_hangs_or_ends_in_a_traceback(
    text: str | bytes, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("spec.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    code, message = ended(capsys, "run", "spec.yaml")
    assert code == 2
    assert said in message


def test_aliases_that_stay_small_are_read() -> None:
    text = """
        source: people.csv
        release: r
        quasi_identifiers: {age: &plain {publish: set}, town: {<<: *plain, weight: 2}}
        sensitive: disease
        privacy: {k: 2}
        """
    Path("spec.yaml").write_text(textwrap.dedent(text), encoding="utf-8")
    declared = load_spec("spec.yaml").quasi_identifiers
    assert [declaration.publish for declaration in declared.values()] == ["set", "set"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("privacy", {"k": 2, "t": "1e-99999999"}),
        ("privacy", {"k": 2, "t": "1e-400"}),
        ("privacy", {"k": 2, "t": "0." + "1" * 500}),
        ("privacy", {"k": 2, "l": {"entropy": "1e400"}}),
        ("privacy", {"k": 10**400}),
        ("quasi_identifiers", {"age": {"weight": "1e400"}}),
        ("quasi_identifiers", {"age": {"weight": 10**4000}}),
        ("quasi_identifiers", {"age": {"hierarchy": {"bands": [10**30]}}}),
        ("quasi_identifiers", {"town": {"hierarchy": {"prefix": [10**14, 1]}}}),
        ("quasi_identifiers", {"age": {"hierarchy": {"sql": ["(" * 3000 + "age" + ")" * 3000]}}}),
        ("sensitive", {"disease": {"distance": "ordered", "order": ["a\0"]}}),
        ("quasi_identifiers", {"town": {"hierarchy": {"tree": {"\0": ["t1"]}}}}),
        ("source", {"query": "select " + "(" * 3000 + "1" + ")" * 3000}),
        ("release", "\ud800"),
        ("release", "a\0"),
        ("release", "temp.r"),
        ("release", "temp.main.r"),
        ("release", "system.main.r"),
        ("settings", {"threads": 100_000}),
    ],
    ids=lambda value: str(value)[:40],
)
def test_no_number_or_name_is_too_much_for_the_database(field: str, value: Any) -> None:
    """It is refused before the database meets it, and soon."""
    with pytest.raises(SpecError):
        sqlanon.anonymize(**{**GOOD, field: value})


def test_what_python_declares_is_bounded_too() -> None:
    deep: Any = "x"
    for _ in range(3000):
        deep = [deep]
    with pytest.raises(SpecError, match="50 levels"):
        parse_spec({**GOOD, "insensitive": deep})


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("suppress", "suppression: {records: 0.05}"),
        ("suppression_limit", "suppression: {records: 0.05}"),
        ("qi", "did you mean quasi_identifiers"),
        ("quasi-identifier", "did you mean quasi_identifiers"),
        ("quazi_identifiers", "did you mean 'quasi_identifiers'?"),
        ("hierarchies", "a hierarchy is declared with its column"),
        ("k", "belong under privacy"),
        ("table", "the records are named by source"),
        ("output", "the table to make is named by release"),
        ("columns", "columns are listed by role"),
        ("unheard_of", "known: 'allotment', 'choose'"),
    ],
)
def test_another_tools_key_is_answered_with_ours(key: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec({**GOOD, key: {"a": 1}})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"source": "book.xls"}, "save it as .xlsx, or as a CSV file"),
        ({"source": "./book.xlsx"}, "there is no file"),
        ({"source": "x.duckdb"}, "that is a database: name a table of it"),
        ({"source": "x.csv.zip"}, "unpack it, or compress the CSV file by gzip"),
        ({"source": "spec.yaml"}, "a file has this name: if it is text, such as CSV, name it as"),
        ({"source": "x.avro"}, "convert it, or read it by a query"),
        ({"release": "p" * 300}, "it is too long for the name of a file"),
        ({"database": ""}, "database: it must not be empty"),
        ({"levels": 3, "missing": [3]}, "levels: it must be a mapping of columns"),
        ({"release": "out.parquet"}, "named like a file, and a release is a table of the database"),
    ],
)
def test_a_file_of_another_kind_is_answered_with_what_to_do(
    changed: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("spec.yaml").write_text(json.dumps({**GOOD, **changed}), encoding="utf-8")
    code, message = ended(capsys, "run", "spec.yaml")
    assert code == 2
    assert said in message
    assert not list(Path().glob("*.duckdb"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "people.csv"], "is no spec: a spec is a YAML file; `sqlanon init people.csv`"),
        (["init", "book.ods"], "save it as .xlsx, or as a CSV file"),
        (["check", "people.csv", "--qi", "age,", "town", "--sensitive", "disease"], "'age, sex'"),
        (["run", "spec.yaml", "--threads", "100000"], "--threads"),
        (["sweep", "spec.yaml", "--t", "1e-99999999"], "at most 20 digits"),
        (["sweep", "spec.yaml", "--method", "[" * 3000], "levels deep"),
        (["check", "people.csv", "--qi", "age", "--sensitive", "disease", "--t", "1e-400"], "20 d"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_wrong_arguments_end_soon_with_what_to_do(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("spec.yaml").write_text(json.dumps(GOOD), encoding="utf-8")
    code, message = ended(capsys, *arguments)
    assert code == 2
    assert said in message


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_command_without_an_output_is_no_bug(
    closed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell closes it by >&-, and Python then has None: the release was there, and the code 3."""
    monkeypatch.setattr(sys, closed, None)
    for arguments, code in ((("run", "--help"), 0), (("run", "nothing.yaml"), 2)):
        assert ended(capsys, *arguments)[0] == code


@pytest.mark.parametrize("error", [KeyError, RecursionError, MemoryError, AssertionError])
def test_a_bug_is_not_taken_for_a_model_that_does_not_hold(
    error: type[Exception], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 1 would say so; and no cell that an exception holds is shown."""

    def fail(*given: Any) -> None:
        raise error("SECRET0")

    monkeypatch.setattr(import_module("sqlanon.cli.commands.run"), "prepare_release", fail)
    Path("spec.yaml").write_text(json.dumps(GOOD), encoding="utf-8")
    for more in ([], ["--json"]):
        code, said = ended(capsys, "run", "spec.yaml", *more)
        assert code == EngineError.exit_code == 3
        assert f"an unexpected error, {error.__name__} in sqlanon/cli/commands/run.py, line" in said
        assert "SECRET0" not in said
        assert len(said.splitlines()) == 1
    monkeypatch.setenv("SQLANON_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["sqlanon", "run", "spec.yaml"])
    with pytest.raises(error, match="SECRET0"):
        MAIN.main()
