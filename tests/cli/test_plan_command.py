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
