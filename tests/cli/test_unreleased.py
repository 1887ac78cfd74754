"""The columns without a role, at the end of a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import sqlanon
from patients import SPEC, patients_in

from sqlanon.cli.tables import terminal
from sqlanon.cli.views import UNRELEASED, show_unreleased


@pytest.mark.parametrize(
    ("many", "end"),
    [
        (1, " c0."),
        (UNRELEASED, f" c{UNRELEASED - 1}."),
        (UNRELEASED + 2, f" c{UNRELEASED - 1}, and 2 more."),
    ],
)
def test_of_many_columns_the_first_are_named(
    many: int, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show_unreleased(terminal(), [f"c{place}" for place in range(many)])
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("Not released, because no role was given: c0")
    assert f" {said.rpartition(':')[2].strip()}".endswith(end)


def test_a_run_names_no_column_where_all_have_a_role(capsys: pytest.CaptureFixture[str]) -> None:
    show_unreleased(terminal(), [])
    assert capsys.readouterr().out == ""


def test_a_run_says_who_is_protected_before_what_binds(tmp_path: Path) -> None:
    folder = patients_in(tmp_path)
    (folder / "release.yaml").write_text(SPEC, encoding="utf-8")
    done = sqlanon(folder, "run", "release.yaml", "--quiet")
    assert done.stdout.startswith("Every record shares"), done.stdout
