"""What commands print in narrow, dumb and colourless terminals, in pipes and old encodings."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import sqlanon as command
from rich.console import Console
from support import ROOT

import sqlanon
from sqlanon.cli.commands.sweep import show_sweep
from sqlanon.cli.views import blank, narrowest, show_sample, terminal

pty = pytest.importorskip("pty", reason="terminals of Unix")
PEOPLE = "age,sex,disease\n" + "".join(f"{i % 5},{'mf'[i % 2]},d{i % 3}\n" for i in range(30))
CHECK = ("check", "people.csv", "--qi", "age,sex", "--sensitive", "disease", "--k", "3")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One as people name them, on Windows and macOS too: blanks, brackets, accents in two parts."""
    found = tmp_path / "Maße [2024] it's e\u0301te\u0301"
    found.mkdir()
    for place in (found, tmp_path):
        (place / "people.csv").write_text(PEOPLE, encoding="utf-8")
    return found


def printed(text: object, wide: int) -> list[str]:
    console = Console(file=io.StringIO(), width=wide)
    console.print(text)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("wide", [44, 52, 70, 120])
def test_no_word_is_broken_where_lines_can_be(wide: int) -> None:
    table = blank("A heading that is longer than the table", ("name", "n", "because"), ("n",))
    table.add_row("chronic_conditions", "1,204", "nobody should learn this of a person")
    lines = printed(table, wide)
    assert max(map(len, lines)) <= wide
    words = " ".join(lines).split()
    said = "nobody should learn this of a person"
    assert {"chronic_conditions", "1,204", *said.split()} <= {*words}
    assert narrowest(table, Console(width=wide)) <= 44


def test_a_table_that_cannot_fit_is_folded_and_not_cut() -> None:
    table = blank("t", ("name", "of"))
    table.add_row("a" * 30, "b" * 30)
    text = "".join(printed(table, 30))
    assert (text.count("a"), text.count("b")) == (30 + 1, 30)


def test_a_sample_shows_the_columns_that_fit(capsys: pytest.CaptureFixture[str]) -> None:
    show_sample(Console(width=20), "t", ("first", "second", "third"), [("a" * 6, "b" * 6, "c" * 6)])
    shown = capsys.readouterr().out
    assert "bbbbbb" in shown
    assert "cccccc" not in shown
    assert "1 more column" in shown


def test_a_sweep_in_a_narrow_terminal_loses_no_column(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its combinations, t and verdicts stay; the figures that say least go, and it is said."""
    shown = Console(file=io.StringIO(), width=60)
    monkeypatch.setattr("sqlanon.cli.commands.sweep.terminal", lambda: shown)
    hidden = {"disease_of_the_patient": {"t": "0.9"}, "costs_of_the_treatment": {"t": "0.9"}}
    columns = "age, sex, disease as disease_of_the_patient, age as costs_of_the_treatment"
    swept = sqlanon.sweep(
        f"select {columns} from '{folder.parent}/people.csv'",
        quasi_identifiers=["sex"],
        sensitive=hidden,
        method="stack_and_deal",
        k="3,6",
        progress=False,
    )
    show_sweep(swept, "trial.duckdb")
    assert isinstance(shown.file, io.StringIO)
    lines = shown.file.getvalue().splitlines()
    assert max(map(len, lines)) <= 60
    rows = [line.split() for line in lines if line.split()[:1] == ["A"] and "holds" in line]
    assert [row[1] for row in rows] == ["3", "6"]
    assert not any("\\n" in line for line in lines)  # "t of" stands above the attribute's name
    assert "c_avg and marketer: in the relation, or in a wider terminal" in lines


def test_a_broken_pipe_is_told_as_one() -> None:
    """And not by rich's exit code, 1, which says that a privacy model does not hold."""
    with pytest.raises(BrokenPipeError):
        terminal().on_broken_pipe()


def environment(**more: str) -> dict[str, str]:
    plain = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**plain, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), **more}


def in_a_terminal(folder: Path, **more: str) -> str:
    """What a command prints in a terminal of its own."""
    ours, theirs = pty.openpty()
    started = subprocess.Popen(
        [sys.executable, "-m", "sqlanon", *CHECK],
        cwd=folder,
        env=environment(COLUMNS="80", **more),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    found = b""
    try:
        while part := os.read(ours, 65536):
            found += part
    except OSError:  # Linux: nobody has the other end any more
        pass
    os.close(ours)
    assert started.wait() == 0, found
    return found.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("terminal", "escapes", "colours"),
    [
        ({"TERM": "dumb"}, False, False),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, True, False),
        pytest.param({"TERM": "xterm-256color"}, True, True, marks=pytest.mark.slow),
    ],
    ids=["dumb", "NO_COLOR", "colours"],
)
def test_a_terminal_gets_what_it_can_show(
    folder: Path, terminal: dict[str, str], escapes: bool, colours: bool
) -> None:
    found = in_a_terminal(folder, **terminal)
    assert "k_anonymity" in found
    assert ("\x1b" in found) == escapes
    assert any(f"\x1b[{start}3{n}m" in found for start in ("", "1;") for n in range(8)) == colours


def piped(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sqlanon", *arguments],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


@pytest.mark.parametrize(("columns", "wide"), [("60", 60), ("", 160), ("none", 160), ("0", 160)])
def test_a_pipe_is_as_wide_as_columns_says(
    monkeypatch: pytest.MonkeyPatch, columns: str, wide: int
) -> None:
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.setenv("COLUMNS", columns)
    assert terminal().width == wide


@pytest.mark.further
@pytest.mark.slow
def test_an_old_encoding_is_no_error(folder: Path) -> None:
    """As on Windows in a pipe: a sign that it lacks is replaced, and JSON loses nothing."""
    text = PEOPLE.replace("disease", "größe≤")
    (folder / "people.csv").write_text(text, encoding="utf-8")
    arguments = [one.replace("disease", "größe≤") for one in CHECK]
    narrow = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C.UTF-8"}
    shown = piped(folder, *arguments, **narrow)
    assert shown.returncode == 0, shown.stderr
    assert "+--" in shown.stdout
    assert "e?" in shown.stdout
    answered = piped(folder, *arguments, "--json", **narrow)
    metrics = json.loads(answered.stdout)["metrics"]
    assert "größe≤" in {figure["attribute"] for figure in metrics}


@pytest.mark.slow
def test_names_of_files_as_people_give_them(folder: Path) -> None:
    """A file is found from another folder, too, though brackets make a pattern elsewhere."""
    spec = (
        "source: people.csv\nrelease: public\nquasi_identifiers: [age, sex]\n"
        "privacy: {k: 3}\nmethod: stack_and_deal\nseed: 1\n"
    )
    (folder / "my spec.yaml").write_text(spec, encoding="utf-8")
    there = folder.name
    run = command(folder.parent, "run", f"{there}/my spec.yaml", "--database", f"{there}/my.duckdb")
    assert run.returncode == 0, run.stderr
    line = next(one for one in run.stdout.splitlines() if one.startswith("A file to hand out: "))
    export = line.removeprefix("A file to hand out: ")
    written = subprocess.run(
        ["bash", "-c", export.replace("sqlanon", f"{sys.executable} -m sqlanon", 1)],
        cwd=folder.parent,
        env=environment(),
        check=False,
    )
    assert written.returncode == 0
    assert (folder.parent / "public.csv").is_file()


@pytest.mark.parametrize(
    "shell", ["bash", *(pytest.param(text, marks=pytest.mark.slow) for text in ("zsh", "fish"))]
)
def test_completion(folder: Path, shell: str) -> None:
    """What a shell is told to load, and what it is then answered."""
    if shell != "bash":
        script = piped(folder, _SQLANON_COMPLETE=f"{shell}_source")
    else:
        typed = {"COMP_WORDS": "sqlanon run --thr", "COMP_CWORD": "2"}
        script = piped(folder, _SQLANON_COMPLETE="bash_complete", **typed)
    assert script.returncode == 0, script.stderr
    expected = "_SQLANON_COMPLETE" if shell != "bash" else "plain,--threads"
    assert expected in script.stdout
