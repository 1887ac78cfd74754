"""`sqlanon plan`: what a run would do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import sqlanon
from patients import patients_in


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return patients_in(tmp_path)


def test_plan_makes_nothing_and_predicts_the_models(folder: Path) -> None:
    done = sqlanon(folder, "plan", "release.yaml", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    predicted = {(one["metric"], one["attribute"]): one["value"] for one in found["predicted"]}
    assert predicted["k_anonymity", None] == 2
    assert found["steps"][0]["title"] == "reading the source"
    assert not (folder / "public.duckdb").exists()
    assert sqlanon(folder, "plan", "release.yaml").returncode == 0


def test_a_plan_of_counts_names_no_search_for_levels(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age\n30\n41\n")
    spec = {
        "source": "people.csv",
        "release": "public",
        "quasi_identifiers": {"age": {"hierarchy": {"bands": [10]}}},
        "levels": {"age": 1},
        "publish": {"name": "counts"},
        "privacy": {"differential": {"epsilon": 1, "delta": "1e-6"}},
    }
    (tmp_path / "spec.yaml").write_text(json.dumps(spec))
    done = sqlanon(tmp_path, "plan", "spec.yaml")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "nothing is searched for" in said
    assert "there is nothing that the records must meet" in said
    assert "searching" not in said
