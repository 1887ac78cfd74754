"""`sqlanon run`: a release, or why there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import sqlanon
from patients import SPEC, patients_in, rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return patients_in(tmp_path)


def test_run_says_where_everything_is(folder: Path) -> None:
    done = sqlanon(folder, "run", "release.yaml")
    assert done.returncode == 0, done.stderr
    for name in ("public", "public__classes", "public__metrics", "public__run", "public.duckdb"):
        assert name in done.stdout


def test_run_of_counts_names_the_commands_that_take_them(folder: Path) -> None:
    (folder / "counts.yaml").write_text(
        """
source: patients.csv
release: public
quasi_identifiers: {sex: {hierarchy: {tree: {"*": [Female, Male]}}}}
levels: {sex: 0}
privacy: {differential: {epsilon: 1, delta: 0.001}}
publish: counts
""",
        encoding="utf-8",
    )
    done = sqlanon(folder, "run", "counts.yaml")
    assert done.returncode == 0, done.stderr
    assert "sqlanon export public" in done.stdout
    assert "sqlanon report" not in done.stdout


def test_the_advice_after_differential_privacy_is_possible(folder: Path) -> None:
    records = "\n".join(f"{number},F" for number in range(400))
    (folder / "many.csv").write_text(f"id,sex\n{records}\n", encoding="utf-8")
    (folder / "differential.yaml").write_text(
        """
source: many.csv
release: public
key: id
quasi_identifiers: {sex: {hierarchy: {tree: {"*": [F, M]}}}}
levels: {sex: 1}
privacy: {differential: {epsilon: 2, delta: 0.01}}
method: optimal
""",
        encoding="utf-8",
    )
    done = sqlanon(folder, "run", "differential.yaml")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "Nothing is left of the quasi-identifiers" in said
    assert "name lower levels" in said
    assert "split_or_deal" not in said
    assert "A smaller k" not in said


def test_run_as_json_prints_one_object(folder: Path) -> None:
    done = sqlanon(folder, "run", "release.yaml", "--json")
    found = json.loads(done.stdout)
    assert found["release"] == "public"
    metrics = {(one["metric"], one["attribute"]): one for one in found["metrics"]}
    assert metrics["k_anonymity", None]["value"] >= 2
    assert metrics["t_closeness", "disease"]["passed"] is True
    assert done.stderr.startswith("sqlanon: Most is lost of the quasi-identifiers")


def test_an_error_as_json_is_one_object_too(folder: Path) -> None:
    (folder / "release.yaml").write_text(SPEC.replace("[age,", "[agee,"), encoding="utf-8")
    done = sqlanon(folder, "run", "release.yaml", "--json")
    assert done.returncode == 2
    found = json.loads(done.stdout)
    assert found["exit_code"] == 2
    assert found["problems"][0]["where"] == "quasi_identifiers.agee"
    assert "did you mean 'age'" in found["problems"][0]["what"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("patients.csv", "nobody.csv", "there is no file"),
        ("sensitive:", "sensitve:", "did you mean 'sensitive'?"),
        ("k: 2", "k: 0", "greater than or equal to 1"),
        ("0.5", "2", "less than or equal to 1"),
        ("disease: {", "dissease: {", "did you mean 'disease'?"),
        ("[patient]", "[age]", "already in"),
        ("release: public", "release: sqlanon_x", "kept for work relations"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(
    folder: Path, old: str, new: str, message: str
) -> None:
    (folder / "release.yaml").write_text(SPEC.replace(old, new), encoding="utf-8")
    done = sqlanon(folder, "run", "release.yaml")
    assert done.returncode == 2
    assert message in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["patients.csv", "release.yaml"]


def test_an_infeasible_run_leaves_the_old_release(folder: Path) -> None:
    assert sqlanon(folder, "run", "release.yaml").returncode == 0
    before = rows(folder / "public.duckdb", "select * from public order by all")
    (folder / "release.yaml").write_text(SPEC.replace("k: 2", "k: 2, l: 4"), encoding="utf-8")
    done = sqlanon(folder, "run", "release.yaml")
    assert done.returncode == 1
    assert "distinct_l of disease: asked for 4, reached 2" in done.stderr
    assert rows(folder / "public.duckdb", "select * from public order by all") == before


@pytest.mark.parametrize("release", ["a..b", ".x", "x.", "../up"])
def test_a_release_that_is_no_name(folder: Path, release: str) -> None:
    spec = SPEC.replace("release: public", f"release: '{release}'")
    (folder / "release.yaml").write_text(spec, encoding="utf-8")
    done = sqlanon(folder, "run", "release.yaml")
    assert done.returncode == 2
    assert done.stderr.startswith("sqlanon: release: ")


@pytest.mark.slow
def test_run_chooses_k(folder: Path) -> None:
    with (folder / "release.yaml").open("a", encoding="utf-8") as spec:
        spec.write("choose: {privacy_weight: 0.5, k: 2-3}\n")
    plan = sqlanon(folder, "plan", "release.yaml", "--json")
    assert json.loads(plan.stdout)["choose"] == [2, 3]
    assert (
        "all but publishing is done for k = 2, 3" in sqlanon(folder, "plan", "release.yaml").stdout
    )
    done = sqlanon(folder, "run", "release.yaml")
    assert done.returncode == 0, done.stderr
    assert "Chosen: k = " in done.stdout
    (told,) = rows(
        folder / "public.duckdb", "select value from public__run where item = 'choose_chosen'"
    )
    assert str(told[0]).startswith("k = ")
