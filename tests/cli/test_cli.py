"""The command line as a user meets it; where signals and pipes count, in a process of its own."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import conftest
import duckdb
import pytest
import yaml
from commands import sqlanon
from started import started
from support import slow

from sqlanon._version import __version__
from sqlanon.cli.demo import unpack
from sqlanon.profile import first_spec as guess

PATIENTS = """patient,age,sex,disease
1,34,Male,flu
2,36,Female,flu
3,47,Male,cold
4,52,Female,cold
5,23,Male,ulcer
6,29,Female,ulcer
"""
SPEC = """
source: patients.csv
release: public
identifiers: [patient]
quasi_identifiers: [age, sex]
sensitive: {disease: {t: 0.5}}
privacy: {k: 2}
method: stack_and_deal
seed: 1
"""
SEARCHED = SPEC.replace("method: stack_and_deal\n", "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "release.yaml").write_text(SPEC, encoding="utf-8")
    return tmp_path


def rows(database: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(query).fetchall()


@pytest.mark.slow
def test_a_process_of_its_own_does_the_same(folder: Path) -> None:
    def started(*arguments: str) -> tuple[int, str, str]:
        command = [sys.executable, "-m", "sqlanon", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    for arguments, code in (
        (("plan", "release.yaml", "--json"), 0),
        (("check", "patients.csv", "--qi", "sex", "--k", "4", "--json"), 1),
        (("check", "patients.csv"), 2),
    ):
        here = sqlanon(folder, *arguments)
        assert started(*arguments) == (here.returncode, here.stdout, here.stderr)
        assert here.returncode == code


COLLECTING = """
import gc, sys

sys.argv = [sys.argv[1], "schema", "--help"]
from sqlanon.cli import main

print(gc.isenabled())
try:
    main()
finally:
    print(gc.isenabled(), gc.get_freeze_count() > 0)
"""


@pytest.mark.parametrize(
    ("called", "before", "frozen"), [("sqlanon", False, True), ("notebook", True, False)]
)
def test_only_a_command_collects_no_garbage_before_it_begins(
    called: str, before: bool, frozen: bool
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COLLECTING, called], capture_output=True, text=True, check=True
    )
    first, *_, last = done.stdout.splitlines()
    assert (first, last) == (f"{before}", f"True {frozen}")


@pytest.mark.slow
def test_demo_ends_with_the_release_and_where_to_look_next(tmp_path: Path) -> None:
    """Of its own spec, which searches, the README's examples make the demo's release."""
    spec = unpack(tmp_path / "sqlanon_demo")
    text = spec.read_text(encoding="utf-8")
    dealt = re.sub("^method:.*", "method: stack_and_deal", text, flags=re.MULTILINE)
    assert dealt != text
    spec.write_text(dealt, encoding="utf-8")  # which the demo leaves alone
    done = sqlanon(tmp_path, "demo")
    assert done.returncode == 0, done.stderr
    assert "patients_public, a row of each of some classes" in done.stdout
    assert "shares what is published of the quasi-identifiers with at least" in done.stdout
    assert "Where to look next" in done.stdout
    database = tmp_path / "sqlanon_demo" / "patients_public.duckdb"
    assert rows(database, "select count(*) from patients_public") == [(5638,)]
    for line in done.stdout.splitlines():
        if line.startswith("  sqlanon "):
            again = sqlanon(tmp_path, *line.split()[1:])
            assert again.returncode == 0, (line, again.stderr)


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
        f"{'fm'[i % 2]},{4000 + i % 20},{['flu', 'gout'][i // 2 % 2]},{i % 3},H{i}"
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


def test_run_says_where_everything_is(folder: Path) -> None:
    done = sqlanon(folder, "run", "release.yaml")
    assert done.returncode == 0, done.stderr
    for name in ("public", "public__classes", "public__metrics", "public__run", "public.duckdb"):
        assert name in done.stdout


def test_run_as_json_prints_one_object(folder: Path) -> None:
    done = sqlanon(folder, "run", "release.yaml", "--json")
    found = json.loads(done.stdout)
    assert found["release"] == "public"
    metrics = {(one["metric"], one["attribute"]): one for one in found["metrics"]}
    assert metrics["k_anonymity", None]["value"] >= 2
    assert metrics["t_closeness", "disease"]["passed"] is True
    assert done.stderr == ""


def test_an_error_as_json_is_one_object_too(folder: Path) -> None:
    (folder / "release.yaml").write_text(SPEC.replace("[age,", "[agee,"), encoding="utf-8")
    done = sqlanon(folder, "run", "release.yaml", "--json")
    assert done.returncode == 2
    found = json.loads(done.stdout)
    assert found["exit_code"] == 2
    assert found["problems"][0]["where"] == "quasi_identifiers.agee"
    assert "did you mean 'age'" in found["problems"][0]["what"]


@pytest.mark.parametrize("spec", [SPEC, *slow(SEARCHED)], ids=["dealt", "searched"])
def test_compile_makes_the_same_release(
    folder: Path, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)  # the script names the file as the spec does
    (folder / "release.yaml").write_text(spec, encoding="utf-8")
    assert sqlanon(folder, "run", "release.yaml").returncode == 0
    done = sqlanon(folder, "compile", "release.yaml", "-o", "release.sql")
    assert done.returncode == 0, done.stderr
    script = (folder / "release.sql").read_text(encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute(script)
        compiled = connection.execute("select * from public order by all").fetchall()
        left = connection.execute("select table_name from information_schema.tables").fetchall()
    assert sorted(left) == [("public" + one,) for one in ("", "__classes", "__metrics", "__run")]
    assert compiled == rows(folder / "public.duckdb", "select * from public order by all")


def test_compile_refuses_what_violates_a_model(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A searching method at once; a script of a fixed plan when it runs."""
    monkeypatch.chdir(folder)
    for spec in (SPEC, SEARCHED):
        name = "release.yaml" if spec == SPEC else "searched.yaml"
        (folder / name).write_text(spec.replace("k: 2", "k: 2, l: 4"), encoding="utf-8")
    done = sqlanon(folder, "compile", "searched.yaml")
    assert (done.returncode, done.stdout) == (1, "")
    done = sqlanon(folder, "compile", "release.yaml")
    with (
        duckdb.connect() as connection,
        pytest.raises(duckdb.Error, match="does not reach what the spec asks for"),
    ):
        connection.execute(done.stdout)


def test_plan_makes_nothing_and_predicts_the_models(folder: Path) -> None:
    done = sqlanon(folder, "plan", "release.yaml", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    predicted = {(one["metric"], one["attribute"]): one["value"] for one in found["predicted"]}
    assert predicted["k_anonymity", None] == 2
    assert found["steps"][0]["title"] == "reading the source"
    assert not (folder / "public.duckdb").exists()
    assert sqlanon(folder, "plan", "release.yaml").returncode == 0


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


def test_check_agrees_with_the_run(folder: Path) -> None:
    run = json.loads(sqlanon(folder, "run", "release.yaml", "--json").stdout)
    done = sqlanon(folder, "check", "public", "--spec", "release.yaml", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["passed"] is True
    assert found["metrics"] == run["metrics"]


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


def test_what_ends_a_command_is_the_next_one(folder: Path) -> None:
    """As it is typed, with the database and the way of reading that were given."""
    (folder / "patients.csv").write_text(PATIENTS.replace(",", ";"), encoding="utf-8")
    read = ("--read", "delimiter=;", "--read", "columns.age=bigint")
    done = sqlanon(folder, "profile", "patients.csv", *read)
    following = "sqlanon init patients.csv --read 'delimiter=;' --read columns.age=bigint"
    assert done.stdout.splitlines()[-1] == f"Next, a first spec of it: {following}"
    assert sqlanon(folder, *shlex.split(following)[1:]).returncode == 0
    (folder / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    done = sqlanon(folder, "run", "release.yaml", "--database", "other.duckdb")
    line = next(one for one in done.stdout.splitlines() if one.startswith("A page to read: "))
    assert line == "A page to read: sqlanon report public --database other.duckdb"
    done = sqlanon(folder, "why", "release.yaml", "--database", "other.duckdb")
    following = "sqlanon run release.yaml --database other.duckdb"
    assert done.stdout.splitlines()[-1] == f"To publish it: {following}"
    done = sqlanon(folder, "sweep", "release.yaml", "--database", "other.duckdb", "--k", "2,3")
    assert done.stdout.splitlines()[-1].endswith(f"into release.yaml: {following}")


def test_check_of_any_table(folder: Path) -> None:
    arguments = ("check", "patients.csv", "--qi", "sex", "--sensitive", "disease")
    assert sqlanon(folder, *arguments, "--k", "3", "--l", "3").returncode == 0
    done = sqlanon(folder, *arguments, "--k", "4")
    assert done.returncode == 1
    assert "k_anonymity: asked for 4, reached 3" in done.stdout
    assert sqlanon(folder, "check", "patients.csv").returncode == 2
    assert sqlanon(folder, *arguments, "--database", "none.duckdb").returncode == 2
    assert not (folder / "none.duckdb").exists()


def test_nothing_of_others_is_overwritten(folder: Path) -> None:
    """A script takes the place of an older one of its release, and of nothing else."""
    source = (folder / "patients.csv").read_text(encoding="utf-8")
    for command in (("init", "patients.csv"), ("compile", "release.yaml")):
        done = sqlanon(folder, *command, "-o", "patients.csv")
        assert (done.returncode, "is there already" in done.stderr) == (2, True), done
    assert (folder / "patients.csv").read_text(encoding="utf-8") == source
    for _ in range(2):
        assert sqlanon(folder, "compile", "release.yaml", "-o", "run.sql").returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [("init", "patients.csv", "-o", "nowhere/x.yaml"), ("compile", "release.yaml", "-o", "no/x")],
    ids=lambda one: one[0],
)
def test_a_file_that_cannot_be_written(folder: Path, arguments: tuple[str, ...]) -> None:
    done = sqlanon(folder, *arguments)
    assert done.returncode == 2
    place = str(Path(arguments[-1]).parent)
    assert done.stderr == f"sqlanon: {arguments[-1]!r}: there is no folder {place!r}\n"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_output_that_cannot_be_written(folder: Path) -> None:
    """It is not taken for a privacy model that does not hold, which is exit code 1."""
    run = f"{sys.executable} -m sqlanon schema"
    full = subprocess.run(
        f"{run} > /dev/full", shell=True, cwd=folder, capture_output=True, text=True, check=False
    )
    assert (full.returncode, full.stderr) == (3, "sqlanon: the output: No space left on device\n")
    # Nobody has read anything when the reader goes.
    gone = subprocess.run(
        ["bash", "-c", f"set -o pipefail; (sleep 3; {run}) | true"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (gone.returncode, gone.stderr) == (141, "")


@pytest.mark.parametrize("release", ["a..b", ".x", "x.", "../up"])
def test_a_release_that_is_no_name(folder: Path, release: str) -> None:
    spec = SPEC.replace("release: public", f"release: '{release}'")
    (folder / "release.yaml").write_text(spec, encoding="utf-8")
    done = sqlanon(folder, "run", "release.yaml")
    assert done.returncode == 2
    assert done.stderr.startswith("sqlanon: release: ")


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


def test_unknown_commands_and_options_are_wrong_arguments(folder: Path) -> None:
    assert sqlanon(folder, "rnu").returncode == 2
    assert sqlanon(folder, "run", "release.yaml", "--fast").returncode == 2
    assert sqlanon(folder, "run", "release.yaml", "--memory-limit", "a lot").returncode == 2


def test_schema_is_json_schema(folder: Path) -> None:
    found = json.loads(sqlanon(folder, "schema").stdout)
    assert {"source", "quasi_identifiers", "privacy"} <= set(found["properties"])
    assert "null" in found["properties"]["insensitive"]["type"], "as init leaves it"
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert found["$id"] == f"urn:sqlanon:spec:{__version__}"


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize(
    ("command", "stop"),
    [
        (("run",), signal.SIGINT),
        pytest.param(("sweep", "--k", "2-50"), signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(("run",), signal.SIGTERM, marks=pytest.mark.slow),
    ],
    ids=["run", "sweep", "terminated"],
)
def test_ctrl_c_stops_soon_and_leaves_nothing(
    folder: Path, command: tuple[str, ...], stop: signal.Signals
) -> None:
    query = (
        "select a.range as age, b.range % 7 as sex, a.range % 3 as disease "
        "from range(20000) a, range(20000) b"
    )
    spec = SPEC.replace("patients.csv", f'{{query: "{query}"}}').replace("[patient]", "[]")
    (folder / "release.yaml").write_text(spec, encoding="utf-8")
    arguments = [*command, "release.yaml", "--quiet", "--memory-limit", "1GB"]
    spilled = folder / "tmp"
    spilled.mkdir()
    with started(folder, "-m", "sqlanon", *arguments) as process:
        while not list(spilled.iterdir()):  # it has not yet opened the database
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        time.sleep(1)
        assert process.poll() is None, process.communicate()
        process.send_signal(stop)
        sent = time.monotonic()
        _, message = process.communicate(timeout=30)
        assert time.monotonic() - sent < 10
    assert process.returncode == 130, message
    assert "interrupted" in message
    spilled.rmdir()
    assert sorted(path.name for path in folder.iterdir()) == ["patients.csv", "release.yaml"]


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
    ):
        done = sqlanon(folder, "sweep", "release.yaml", *arguments)
        assert done.returncode == 2, arguments
        assert message in done.stderr
    assert sqlanon(folder, "sweep", "release.yaml", "--k", "7").returncode == 1
    assert sorted(path.name for path in folder.iterdir()) == ["patients.csv", "release.yaml"]


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
