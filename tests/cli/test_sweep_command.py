"""`sqlanon sweep`: many settings, and nothing published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import sqlanon
from patients import patients_in, rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return patients_in(tmp_path)


@pytest.mark.slow
def test_sweep_says_what_every_combination_comes_to(folder: Path) -> None:
    """An option that is given again is more of the same list."""
    arguments = ("sweep", "release.yaml", "--k", "2-3", "--k", "9", "--t", "0.5,0.1")
    methods = ("--method", "stack_and_deal", "--method", "{locality: curve}")
    done = sqlanon(folder, *arguments, *methods)
    assert done.returncode == 0, done.stderr
    assert "What 12 combinations come to" in done.stdout
    assert "information loss (GCP)" in done.stdout
    assert "Nothing was published" in done.stdout
    found = rows(folder / "public.duckdb", "select method, k, t_asked from public__sweep")
    assert len(found) == 12
    assert found[-1] == ("stack_and_deal, locality: curve", 9, "0.1")
    assert rows(folder / "public.duckdb", "select table_name from duckdb_tables()") == [
        ("public__sweep",)
    ]


def test_sweep_as_json_prints_one_object(folder: Path) -> None:
    arguments = ("--k", "2,3", "--privacy-weight", "1/2", "--method", "stack_and_deal", "--json")
    done = sqlanon(folder, "sweep", "release.yaml", *arguments)
    assert done.returncode == 0, done.stdout
    found = json.loads(done.stdout)
    assert found["sweep"] == "public__sweep"
    assert [one["k"] for one in found["combinations"]] == [2, 3]
    assert found["combinations"][found["cheapest"]]["holds"] is True
    assert done.stderr == ""
    quick = sqlanon(
        folder, "sweep", "release.yaml", "--k", "2-6", "--quick", "--method", "stack_and_deal"
    )
    assert quick.returncode == 0, quick.stderr
    assert "As dealt" in quick.stdout


def test_sweep_refuses_bad_arguments_and_writes_nothing(folder: Path) -> None:
    for arguments, message in (
        ((), "nothing to sweep over"),
        (("--k", "two"), "'two' is no whole number"),
        (("--k", "3", "--method", "stack"), "method.name: 'stack' is not accepted"),
        (("--k", "3", "--quick", "--method", "split_or_deal"), "tell nothing of split_or_deal"),
        (("--k", "3", "--chart", "map.doc"), "cannot be drawn"),
        (("--k", "3", "--risk", "marketer"), "--risk says what --chart draws"),
    ):
        done = sqlanon(folder, "sweep", "release.yaml", *arguments)
        assert done.returncode == 2, arguments
        assert message in done.stderr
    assert sqlanon(folder, "sweep", "release.yaml", "--k", "7").returncode == 1
    assert sorted(path.name for path in folder.iterdir()) == ["patients.csv", "release.yaml"]
