"""What a run says first, and of columns without a role last."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import sqlanon

from sqlanon.cli.views import UNRELEASED, show_unreleased, terminal


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


@pytest.mark.slow
def test_a_run_says_who_is_protected_before_what_keeps_classes_large(tmp_path: Path) -> None:
    """Unless most is lost: then that comes first."""
    ill = ["rare" if place in (10, 60) else "flu" for place in range(100)]
    rows = "".join(f"{30 + index // 10},{text}\n" for index, text in enumerate(ill))
    (tmp_path / "t.csv").write_text("age,ill\n" + rows, encoding="utf-8")
    (tmp_path / "s.yaml").write_text(
        "{source: t.csv, release: r, quasi_identifiers: [age], sensitive: {ill: {l: 2}},\n"
        " privacy: {k: 2}, seed: 1}",
        encoding="utf-8",
    )
    said = sqlanon(tmp_path, "run", "s.yaml", "--quiet").stdout
    assert said.startswith("Every record shares"), said
    assert said.index("It cost") < said.index("2 classes have more than 10 times")
