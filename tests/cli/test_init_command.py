"""`sqlanon init`: a first spec, with roles guessed."""

from __future__ import annotations

import re
from pathlib import Path

import conftest
import pytest
import yaml
from commands import sqlanon
from patients import PATIENTS, patients_in

from sqlanon.uses.profile import first_spec as guess


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return patients_in(tmp_path)


def test_init_writes_a_spec_that_runs(folder: Path) -> None:
    assert sqlanon(folder, "init", "patients.csv").returncode == 0
    text = (folder / "patients.yaml").read_text(encoding="utf-8")
    assert "identifiers: [patient]" in text
    assert "disease:" in text.partition("sensitive:")[2]
    done = sqlanon(folder, "run", "patients.yaml")
    assert done.returncode == 0, done.stderr
    again = sqlanon(folder, "init", "patients.csv")
    assert again.returncode == 2
    assert "is there already" in again.stderr
    assert (folder / "patients.yaml").read_text(encoding="utf-8") == text


@pytest.mark.slow
def test_init_counts_paths_from_the_spec(folder: Path) -> None:
    (folder / "specs").mkdir()
    assert sqlanon(folder, "init", "patients.csv", "-o", "specs/mine.yaml").returncode == 0
    done = sqlanon(folder, "run", "specs/mine.yaml")
    assert done.returncode == 0, done.stderr


def test_init_writes_yaml_that_stays_so_when_lines_are_uncommented(folder: Path) -> None:
    """Also one that guesses nothing, and says so in words."""
    records = "\n".join(f"{i % 2},x{i % 3},{i % 4}" for i in range(60))
    (folder / "odd.csv").write_text(f"a,b,c\n{records}\n", encoding="utf-8")
    assert sqlanon(folder, "init", "odd.csv").returncode == 0
    done = sqlanon(folder, "run", "odd.yaml")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "sqlanon: quasi_identifiers: name at least one column, as `column: {}`",
    ]
    text = (folder / "odd.yaml").read_text(encoding="utf-8")
    for item in ("- ", " - "):
        assert yaml.safe_load(text.replace("# - ", item))["insensitive"] == ["a", "b", "c"]


def test_init_leaves_out_what_points_to_a_person(folder: Path) -> None:
    """By counts alone: no value is shown."""
    records = [
        f"{i},P{i // 3},First{i % 170},{47 + i / 1000},{i % 9}/{i % 41}/19{i % 90:02},"
        f"{'fm'[i // 7 % 2]},{4000 + i % 20},{['flu', 'gout'][i // 2 % 2]},{i % 3},H{i}"
        for i in range(300)
    ]
    header = "visit,chart,first,lat,birthdate,sex,zip,disease,visits,health_card"
    (folder / "visits.csv").write_text("\n".join([header, *records]) + "\n", encoding="utf-8")
    assert sqlanon(folder, "init", "visits.csv").returncode == 0
    text = (folder / "visits.yaml").read_text(encoding="utf-8")
    text = re.sub(r"seed: \d+", "seed: 0", text)  # drawn: its digits may be those of any value
    assert not re.search(r"First\d|P\d|H\d|47\.|/19|40\d\d|flu|gout", text)
    declared = yaml.safe_load(text)
    assert declared["identifiers"] == ["visit", "health_card"]
    assert list(declared["quasi_identifiers"]) == ["sex", "zip"]
    assert "  # lat: {}  # DOUBLE, 300 values" in text
    assert (folder / "visits.yaml").stat().st_mode & 0o077 == 0  # it holds the seed
    assert list(declared["sensitive"]) == ["disease"]
    text, _, left = text.partition("# Left to decide")
    assert re.findall(r"#   .*: (.*)", left) == ["lat", "birthdate", "visits"]
    released, _, withheld = text.partition("insensitive:")[2].partition("# Not released")
    assert re.findall(r"# - (\w+)", released) == ["visits"]
    assert re.findall(r"#   (\w+)", withheld) == ["chart", "first"]
    line = next(line for line in text.splitlines() if "birthdate" in line)
    assert line.startswith("  # birthdate: {hierarchy: FILE.csv}  # VARCHAR, 300 values; too many")
    uncommented = yaml.safe_load(text.replace("# birthdate", "birthdate"))
    assert sorted(uncommented["quasi_identifiers"]) == ["birthdate", "sex", "zip"]


def test_init_draws_a_seed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guess, "draw_seed", conftest.DRAW_SEED)
    for name in ("a.yaml", "b.yaml"):
        assert sqlanon(folder, "init", "patients.csv", "-o", name).returncode == 0
    one, other = ((folder / name).read_text(encoding="utf-8") for name in ("a.yaml", "b.yaml"))
    assert re.search(r"^seed: \d+  # .*keep it secret$", one, re.MULTILINE)
    assert one != other
    assert one.partition("seed:")[0] == other.partition("seed:")[0]


def test_init_refuses_a_file_without_a_header_line(folder: Path) -> None:
    (folder / "headless.csv").write_text(PATIENTS.partition("\n")[2], encoding="utf-8")
    done = sqlanon(folder, "init", "headless.csv")
    assert done.returncode == 2
    assert "looks like a record" in done.stderr
    assert not (folder / "headless.yaml").exists()
