"""`sqlanon check`: any table, whoever made it."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from commands import sqlanon
from patients import PATIENTS, SPEC, patients_in


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return patients_in(tmp_path)


def test_check_agrees_with_the_run(folder: Path) -> None:
    run = json.loads(sqlanon(folder, "run", "release.yaml", "--json").stdout)
    done = sqlanon(folder, "check", "public", "--spec", "release.yaml", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["passed"] is True
    assert found["metrics"] == run["metrics"]


@pytest.mark.slow
@pytest.mark.parametrize("declared", ["", "database: elsewhere.duckdb\n"])
def test_check_of_files_needs_no_database(folder: Path, declared: str) -> None:
    """Who checks a release by its spec may have the files and nothing else."""
    (folder / "release.yaml").write_text(SPEC + declared, encoding="utf-8")
    assert sqlanon(folder, "run", "release.yaml", "--database", "made.duckdb").returncode == 0
    with duckdb.connect(str(folder / "made.duckdb")) as connection:
        connection.execute(f"copy public to '{folder}/public.parquet'")
    (folder / "made.duckdb").unlink()
    before = sorted(folder.iterdir())
    done = sqlanon(folder, "check", "public.parquet", "--spec", "release.yaml", "--json")
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["passed"] is True
    assert sorted(folder.iterdir()) == before
    done = sqlanon(folder, "check", "public", "--spec", "release.yaml")
    assert "there is no database" in done.stderr


def test_check_of_a_release_needs_no_option(folder: Path) -> None:
    """The run kept its spec; its file may be gone."""
    assert sqlanon(folder, "run", "release.yaml").returncode == 0
    declared = sqlanon(folder, "check", "public", "--spec", "release.yaml", "--json")
    (folder / "release.yaml").unlink()
    done = sqlanon(folder, "check", "public", "--json")
    assert (done.returncode, done.stdout) == (0, declared.stdout)
    for arguments in (("nothing",), ("public", "--k", "3"), ("public", "--sensitive", "disease")):
        assert sqlanon(folder, "check", *arguments).returncode == 2


def test_check_of_any_table(folder: Path) -> None:
    arguments = ("check", "patients.csv", "--qi", "sex", "--sensitive", "disease")
    assert sqlanon(folder, *arguments, "--k", "3", "--l", "3").returncode == 0
    done = sqlanon(folder, *arguments, "--k", "4")
    assert done.returncode == 1
    assert "k_anonymity: asked for 4, reached 3" in done.stdout
    assert sqlanon(folder, "check", "patients.csv").returncode == 2
    assert sqlanon(folder, *arguments, "--database", "none.duckdb").returncode == 2
    assert not (folder / "none.duckdb").exists()


def test_check_of_an_empty_table_does_not_pass(folder: Path) -> None:
    (folder / "header.csv").write_text(PATIENTS.splitlines()[0] + "\n", encoding="utf-8")
    with duckdb.connect(str(folder / "some.duckdb")) as connection:
        connection.execute("create table empty (age integer, sex varchar, disease varchar)")
    arguments = ("--qi", "age,sex", "--sensitive", "disease", "--k", "2", "--l", "2", "--t", "0.5")
    file = sqlanon(folder, "check", "header.csv", *arguments)
    assert file.returncode == 2
    assert file.stderr == "sqlanon: table: it has no records after its first line\n"
    done = sqlanon(folder, "check", "empty", "--database", "some.duckdb", *arguments, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"] == "'empty' has no records: there is nothing to measure"


def test_check_of_a_part_of_a_release_does_not_pass(folder: Path) -> None:
    """Every class of the part may be large enough: what is missing is told by the source."""
    assert sqlanon(folder, "run", "release.yaml").returncode == 0
    with duckdb.connect(str(folder / "public.duckdb")) as connection:
        most = "select age from public group by all order by count(*) desc, age limit 1"
        connection.execute(f"create table part as from public where age in ({most})")
        (size,) = connection.execute("select count(*) from part").fetchall()[0]
    done = sqlanon(folder, "check", "part", "--spec", "release.yaml")
    assert done.returncode == 1
    assert f"not satisfied: records: asked for 6, reached {size}" in done.stdout


@pytest.mark.slow
def test_check_of_a_release_of_persons_counts_records_and_says_so(folder: Path) -> None:
    """The run counted persons, of which nothing can be counted on the release."""
    rows = "".join(f"p{i % 8},{'fm'[i % 2]},{20 + i % 8 // 4},ill{i % 3}\n" for i in range(24))
    (folder / "visits.csv").write_text("who,sex,age,ill\n" + rows, encoding="utf-8")
    (folder / "v.yaml").write_text(
        "{source: visits.csv, release: seen, person: who, quasi_identifiers: [sex, age],\n"
        " sensitive: {ill: {t: 1}}, privacy: {k: 2}, method: stack_and_deal, seed: 1}",
        encoding="utf-8",
    )
    ran = sqlanon(folder, "run", "v.yaml", "--quiet")
    assert ran.returncode == 0, ran.stderr
    done = sqlanon(folder, "check", "seen")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == ran.stdout.splitlines()[0]
    assert done.stdout.startswith("Every person shares")
    assert "counts records and holds no model" in " ".join(done.stdout.split())
    found = json.loads(sqlanon(folder, "check", "seen", "--json").stdout)
    reached = {one["metric"]: one["value"] for one in found["metrics"]}
    assert reached["records"] == 24
    assert not any(one["threshold"] for one in found["metrics"])
    with duckdb.connect(str(folder / "seen.duckdb")) as connection:
        connection.execute("delete from seen where rowid = 0")
    assert sqlanon(folder, "check", "seen").returncode == 2  # another table than the run's


GROUPS = "flu,lungs,*\ncold,lungs,*\nulcer,stomach,*\ngastritis,stomach,*\n"


@pytest.mark.parametrize(("ills", "reached"), [(("flu", "ulcer"), 2), (("flu", "cold"), 1)])
def test_check_of_l_of_groups(ills: tuple[str, str], reached: int, tmp_path: Path) -> None:
    """Two diseases of one group are two values, and one group."""
    rows = "".join(f"{20 + i // 4},{ills[i % 2]}\n" for i in range(8))
    (tmp_path / "t.csv").write_text("age,ill\n" + rows, encoding="utf-8")
    (tmp_path / "groups.csv").write_text(GROUPS, encoding="utf-8")
    arguments = ("check", "t.csv", "--qi", "age", "--sensitive", "ill", "--k", "4", "--l-of-groups")
    done = sqlanon(tmp_path, *arguments, "ill:groups.csv:1:2", "--json")
    assert done.returncode == (0 if reached == 2 else 1), done.stderr
    found = {load["metric"]: load for load in json.loads(done.stdout)["metrics"]}
    asked = next(one for one in found.values() if "h = 1" in str(one["threshold"]))
    assert asked["value"] == reached
    assert found["distinct_l"]["value"] == 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("ill:1:2", "'ill:1:2' is not A:FILE:LEVEL:L, such as health:groups.csv:1:3"),
        ("il:groups.csv:1:2", "name it with --sensitive; did you mean 'ill'?"),
        ("ill:none.csv:1:2", "none.csv"),
    ],
)
def test_l_of_groups_that_cannot_be_read_is_refused(
    given: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text("age,ill\n20,flu\n21,flu\n", encoding="utf-8")
    arguments = ("check", "t.csv", "--qi", "age", "--sensitive", "ill", "--l-of-groups", given)
    done = sqlanon(tmp_path, *arguments)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
