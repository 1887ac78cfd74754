"""No sign of a value or a name commands the terminal: it is shown, wherever it comes out."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, examples, one_in

from sqlanon.common.console import VisibleConsole
from sqlanon.common.visible import VisibleStream, visible, visible_json, write_exactly
from sqlanon.pages.page import table as notebook_table

# The title of the window, a cleared screen, CSI as one sign, a return, delete, a turned direction.
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\x7f\u202egpj\u2066\u200b"
SHOWN = r"\x1b]0;owned\x07\x1b[2J\x9b31m\x0d\x7f\u202egpj\u2066\u200b"
AGE, ILL = f"a{EVIL}ge", f"i{EVIL}ll"


def commands_a_terminal(text: str) -> set[str]:
    """What of a text is no sign to be seen, by the tables of Unicode."""
    joiners = {"\u200c", "\u200d"}  # of letters and pictures
    marks = {one for one in text if unicodedata.category(one) == "Cf"} - joiners
    turning = {mark for mark in marks if unicodedata.bidirectional(mark) != "AL"}
    kinds = ("Cc", "Cs", "Zl", "Zp")
    return {one for one in text if unicodedata.category(one) in kinds and one not in "\n\t"} | {
        one for one in turning if ord(one) not in range(0x600, 0x606) and ord(one) < 0x10000
    } - {"\u06dd", "\u08e2", "\u0890", "\u0891"}


def test_every_sign_of_unicode_that_commands_a_terminal_is_shown() -> None:
    every = "".join(map(chr, range(0x110000)))
    assert commands_a_terminal(visible(every)) == set()
    kept = "aZ ß日本 é e\u0301 \U0001f468\u200d\U0001f469 \u0645\u06cc\u200c\u062e\u0648\n\t"
    assert visible(kept) == kept
    assert visible("a\nb", one_line=True) == r"a\nb"
    assert visible(EVIL) == SHOWN


@pytest.mark.slow
@examples(30, 300)
@given(st.text() | st.text(st.sampled_from('\x1b\x9b\u202e\n"\\[]m1b;')))
def test_json_says_the_same_and_no_console_lets_a_sign_through(text: str) -> None:
    made = visible_json(json.dumps({text: text}, ensure_ascii=False))
    assert json.loads(made) == {text: text}
    assert commands_a_terminal(made) == set()
    with pytest.MonkeyPatch.context() as patch:
        stream = io.StringIO()
        patch.setattr(sys, "stdout", stream)
        console = VisibleConsole(width=60, no_color=True, force_terminal=False)
        console.print(text, markup=False)
        assert commands_a_terminal(stream.getvalue()) == set()
        patch.setattr(sys, "stdout", VisibleStream(stream))
        print(text)
        sys.stdout.writelines([text, text])
        sys.stdout.buffer.write(text.encode(errors="replace"))
        assert commands_a_terminal(stream.getvalue()) == set()


def test_a_console_keeps_its_own_colours() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", VisibleStream(io.StringIO()))
        patch.setenv("TERM", "xterm-256color")
        console = VisibleConsole(force_terminal=True, color_system="standard", width=80)
        console.print("[red]a[/red]\x1b[2J", highlight=False)
        said = console.file.getvalue()  # type: ignore[attr-defined]
    assert said == "\x1b[31ma\x1b[0m\\x1b[2J\n"


def test_a_script_is_exact_for_a_program_and_shown_in_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, says in ((io.StringIO(), EVIL), (Terminal(), SHOWN)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdout", VisibleStream(stream))
            write_exactly(EVIL)
        assert stream.getvalue() == says


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of a table whose names and values command a terminal, and its spec."""
    made = tmp_path_factory.mktemp("evil")
    spec = {
        "source": {"table": "people"},
        "release": "public",
        "database": "public.duckdb",
        "quasi_identifiers": {AGE: {"publish": "set"}},
        "sensitive": {ILL: {"t": 0.9}},
        "privacy": {"k": 3},
        "method": "stack_and_deal",
        "seed": 1,
    }
    (made / "spec.yaml").write_text(json.dumps(spec))
    (made / "hard.yaml").write_text(json.dumps({**spec, "sensitive": {ILL: {"l": 5}}}))
    (made / "wrong.yaml").write_text(json.dumps({**spec, "sensitive": {f"{ILL}!": {"l": 2}}}))
    with duckdb.connect(str(made / "public.duckdb")) as connection:
        connection.execute(f'create table people ("{AGE}" varchar, "{ILL}" varchar)')
        rows = [[f"{EVIL}{i % 2}", f"{i % 3}{EVIL}"] for i in range(12)]
        connection.executemany("insert into people values (?, ?)", rows)
        connection.execute("create table persons as from people")
    assert command(made, "run", "spec.yaml", "--quiet").returncode == 0
    return made


SAYING: tuple[tuple[int, tuple[str, ...]], ...] = (
    (0, ("run", "spec.yaml", "--steps")),
    (1, ("run", "hard.yaml")),
    (2, ("run", "wrong.yaml")),
    (2, ("run", f"{EVIL}.yaml")),
    (2, ("run", "spec.yaml", f"--{EVIL}")),
    (0, ("plan", "spec.yaml")),
    (0, ("why", "public", "--database", "public.duckdb")),
    (0, ("why", "spec.yaml")),
    (0, ("profile", "people", "--database", "public.duckdb")),
    (0, ("risk", "people", "--database", "public.duckdb", "--qi", AGE)),
    (0, ("attack", "public", "--database", "public.duckdb", "--external", "persons")),
    (0, ("utility", "public", "--database", "public.duckdb", "--source", "people")),
    (0, ("check", "public", "--database", "public.duckdb", "--spec", "spec.yaml")),
    (0, ("sweep", "spec.yaml", "--k", "3,4")),
    (2, ("hierarchy", "people", AGE, "--database", "public.duckdb", "-k", "1")),
)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("case", one_in(3, SAYING))
def test_no_command_lets_a_sign_of_the_data_through(
    folder: Path, case: tuple[int, tuple[str, ...]]
) -> None:
    code, arguments = case
    done = command(folder, *arguments)
    assert done.returncode == code, done
    said = done.stdout + done.stderr
    assert commands_a_terminal(said) == set()
    if arguments[0] not in ("sweep",):
        assert r"\x1b" in said


@pytest.mark.parametrize("arguments", [SAYING[0][1][:2], SAYING[1][1], SAYING[5][1], SAYING[8][1]])
def test_json_is_json_and_says_what_is_there(folder: Path, arguments: tuple[str, ...]) -> None:
    done = command(folder, *arguments, "--json")
    assert commands_a_terminal(done.stdout) == set()
    assert {AGE, ILL} & set(texts(json.loads(done.stdout)))


def texts(found: Any) -> Iterator[str]:
    """Every text in what JSON held."""
    if isinstance(found, dict):
        found = [*found, *found.values()]
    if isinstance(found, str):
        yield found
    elif isinstance(found, list):
        for one in found:
            yield from texts(one)


def test_scripts_are_exact_where_a_program_reads_them(folder: Path) -> None:
    done = command(folder, "compile", "spec.yaml")
    assert done.returncode == 0
    assert f'"{AGE}"' in done.stdout


def test_pages_and_notebooks_show_the_signs(folder: Path) -> None:
    command(folder, "report", "public", "--overwrite")
    page = (folder / "public.html").read_text(encoding="utf-8")
    assert commands_a_terminal(page) == set()
    assert SHOWN.replace('"', "&#34;") in page
    shown = notebook_table(EVIL, [EVIL], [[EVIL]])
    assert commands_a_terminal(shown) == set()
    assert shown.count(SHOWN) == 3


def test_warnings_and_tracebacks_pass_the_filter(folder: Path) -> None:
    """In a process of its own: what Python itself writes to stderr."""
    program = (
        "import sys, warnings, logging\nfrom sqlanon.common.visible import guard_output\n"
        f"guard_output(); evil = {EVIL!r}\nwarnings.warn(evil); logging.error(evil)\n"
        "raise ValueError(evil)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert commands_a_terminal(done.stderr) == set()
    assert done.stderr.count(SHOWN) == 3


@pytest.mark.further
@pytest.mark.slow
def test_a_terminal_is_given_no_sign_of_the_data(folder: Path) -> None:
    """A real one: the commands of colours and of the bar pass, those of the data do not."""
    pty = pytest.importorskip("pty", reason="terminals of Unix")
    for arguments in (("run", "spec.yaml"), ("compile", "spec.yaml"), ("run", "wrong.yaml")):
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-m", "sqlanon", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"},
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
        ):
            os.close(theirs)
            found = b""
            try:
                while part := os.read(ours, 65536):
                    found += part
            except OSError:
                pass
            os.close(ours)
        said = found.decode()
        assert r"\x1b" in said
        for text in ("\x1b]0;", "\x07", "\x1b[2J", "\x9b", "\x7f", "\u202e", "\u2066", "\u200b"):
            assert text not in said


@pytest.mark.slow
def test_nobody_writes_past_the_filter() -> None:
    """Rich's own console is made nowhere, and what is printed has passed the filter."""
    found = set()
    for file in sorted((ROOT / "sqlanon").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                function = node.func
                name = getattr(function, "attr", None) or getattr(function, "id", "")
                if name in ("Console", "print_exc") or (name == "print" and _is_name(function)):
                    found.add((file.relative_to(ROOT / "sqlanon").as_posix(), name))
    assert found == {
        ("session/progress.py", "print")
    }  # in a program of the user's: made visible there


def _is_name(function: ast.expr) -> bool:
    return isinstance(function, ast.Name)
