"""What no guess can answer is asked: who reads a release, what is kept, whose a record is."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from commands import Done
from commands import sqlanon as command

from sqlanon.sql.names import literal

VISITS = (
    "select i // 3 as case_no, 20 + i // 3 % 5 as age, ['f', 'm'][1 + i // 3 % 2] as sex, "
    "'d' || i % 7 as diagnosis, 'd' || i % 5 as drug, i % 3 = 0 as paid from range(600) as n(i)"
)


class Terminal(io.StringIO):
    """Somebody who types these lines."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    duckdb.execute(f"copy ({VISITS}) to {literal(str(tmp_path / 'visits.csv'))}")
    return tmp_path


def asked(folder: Path, typed: str | None, patch: pytest.MonkeyPatch) -> tuple[Done, Any]:
    """`init --ask`, and the spec that it writes."""
    patch.setattr("sys.stdin", io.StringIO() if typed is None else Terminal(typed))
    done = command(folder, "init", "visits.csv", "-o", "s.yaml", "--ask", "--quiet")
    return done, yaml.safe_load((folder / "s.yaml").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_answers_are_declared(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "researchers\ndrug,diagnosis\ncase_no\n"
    done, declared = asked(folder, typed, monkeypatch)
    assert done.returncode == 0, done.stderr
    assert declared["goal"] == "researchers"
    assert "privacy" not in declared
    # Each person has three of five drugs: no two of them can be asked apart.
    assert declared["sensitive"] == {"drug": {"l": 1, "alpha": 0.8}, "diagnosis": {}}
    assert declared["person"] == "case_no"
    text = (folder / "s.yaml").read_text(encoding="utf-8")
    assert (
        "# nobody should learn drug, diagnosis;\n# several records are one person's: case_no."
        in text
    )
    assert command(folder, "run", "s.yaml", "--quiet").returncode == 0


@pytest.mark.slow
def test_enter_takes_what_is_guessed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, answered = asked(folder, "\n\n\n", monkeypatch)
    (folder / "s.yaml").unlink()
    command(folder, "init", "visits.csv", "-o", "s.yaml", "--quiet")
    guessed = yaml.safe_load((folder / "s.yaml").read_text(encoding="utf-8"))
    del guessed["seed"], answered["seed"]
    assert answered == guessed


@pytest.mark.slow
def test_what_cannot_be_meant_is_asked_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "publik\npublic\ndiagnose\ndrug\ncase\ndrug\nnone\n"
    done, declared = asked(folder, typed, monkeypatch)
    assert "did you mean 'public'" in done.stdout
    assert "did you mean 'diagnosis'" in done.stdout
    assert "'drug' is to be protected, and a column has one role" in done.stdout
    assert (declared["goal"], list(declared["sensitive"])) == ("public", ["drug"])
    assert "person" not in declared


@pytest.mark.slow
def test_an_l_that_a_column_cannot_meet_stands_with_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, declared = asked(folder, "public\npaid,drug\nnone\n", monkeypatch)
    assert declared["sensitive"] == {"paid": {"l": 2}, "drug": {}}
    assert command(folder, "run", "s.yaml", "--quiet").returncode == 0


@pytest.mark.slow
def test_without_a_terminal_the_questions_are_comments(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, declared = asked(folder, None, monkeypatch)
    assert "There is no terminal to ask in: three questions stand at its head" in done.stdout
    text = (folder / "s.yaml").read_text(encoding="utf-8")
    assert "# 1. Who reads the release?" in text
    assert f"Guessed: {', '.join(declared['sensitive'])}." in text


@pytest.mark.slow
def test_nobody_who_answers_any_more_leaves_no_spec(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("public\n"))
    assert command(folder, "init", "visits.csv", "-o", "s.yaml", "--ask").returncode == 130
    assert not (folder / "s.yaml").exists()
