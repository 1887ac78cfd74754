"""Lists of columns on the command line: all that is named counts, whatever is in a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import sqlanon
from hypothesis import given
from hypothesis import strategies as st

from sqlanon.common.separated import names_in

ROWS = 'age,sex,"Town, of residence",ill\n' + "".join(
    f"{20 + number % 3},{'fm'[number % 2]},T{number % 2},{'ab'[number % 2]}\n"
    for number in range(12)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "d.csv").write_text(ROWS, encoding="utf-8")
    return tmp_path


def k_of(folder: Path, *options: str, command: str = "check") -> str:
    done = sqlanon(folder, command, "d.csv", *options, one_stream=True)
    line = next(one for one in done.stdout.splitlines() if "k_anonymity" in one)
    return line.split()[1]


def test_a_list_that_is_given_again_adds_to_the_one_before(folder: Path) -> None:
    """The last one alone would measure fewer columns, and find a greater k."""
    together = k_of(folder, "--qi", "age,sex", "--k", "1")
    assert k_of(folder, "--qi", "age", "--qi", "sex", "--k", "1") == together == "2"
    assert k_of(folder, "--qi", "sex", "--k", "1") == "6"


@pytest.mark.slow
def test_every_command_reads_lists_alike(folder: Path) -> None:
    apart = ["--qi", "age", "--qi", '"Town, of residence"']
    for command, *more in (
        ("risk",),
        ("attack", "--sensitive", "ill"),
        ("utility", "--source", "d.csv", "--sensitive", "ill", "--queries", "2"),
        ("check", "--sensitive", "ill", "--k", "1"),
    ):
        done = sqlanon(folder, command, "d.csv", *apart, *more, "--json", one_stream=True)
        assert done.returncode == 0, (command, done.stdout)


def test_a_name_with_a_comma_stands_in_quotes(folder: Path) -> None:
    assert k_of(folder, "--qi", '"Town, of residence",sex', "--k", "1") == "6"
    assert k_of(folder, "--qi", '"sex" , age', "--subset", '"age":4', "--k", "1") == "2"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('"age', "is not read whole"),
        ('"age"x', "is not read whole"),
        ("age,age", "'age' is named twice"),
        (" , ", "it names no column"),
    ],
)
def test_a_list_that_cannot_be_meant_is_refused(folder: Path, given: str, said: str) -> None:
    done = sqlanon(folder, "check", "d.csv", f"--qi={given}", "--k", "1", one_stream=True)
    assert done.returncode == 2
    assert f"--qi: {said}" in done.stdout or said in done.stdout


@pytest.mark.slow
@given(st.lists(st.text(min_size=1), min_size=1))
def test_every_name_can_be_written_in_quotes(names: list[str]) -> None:
    quoted = ('"' + name.replace('"', '""') + '"' for name in names)
    assert names_in(" , ".join(quoted)) == names


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "people.csv", "--qi", "zip", "--k", "2", "--k", "5"),
        ("check", "people.csv", "--reference", "a", "--reference", "b"),
        ("risk", "people.csv", "--qi", "zip", "--weight", "a", "--weight", "b"),
        ("attack", "people", "--external", "a", "--external", "b"),
        ("run", "release.yaml", "--recipe", "a", "--recipe", "b"),
    ],
)
def test_what_is_given_once_is_not_dropped_when_given_twice(
    folder: Path, arguments: tuple[str, ...]
) -> None:
    done = sqlanon(folder, *arguments)
    assert done.returncode == 2
    assert "is given 2 times: give it once" in done.stderr


def test_a_setting_of_a_file_is_said_once(folder: Path) -> None:
    """The last one alone would count, and the file be read as nobody looked at."""
    for one, other in (("delimiter=;", "delimiter=,"), ("columns.age=text", "columns.age=integer")):
        done = sqlanon(folder, "check", "d.csv", "--qi", "age", "--read", one, "--read", other)
        assert (done.returncode, "twice: say it once" in done.stderr) == (2, True), done.stderr


def test_an_option_that_names_nothing_is_refused_beside_one_that_does(folder: Path) -> None:
    """What was to be named, by a variable of the shell that is not set, would not be measured."""
    done = sqlanon(folder, "check", "d.csv", "--qi", "age", "--qi", "", "--k", "1")
    assert (done.returncode, done.stderr) == (2, "sqlanon: --qi: it names no column\n")
