"""The command line as a user meets it; where signals and pipes count, in a process of its own."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import sqlanon
from patients import PATIENTS, SPEC, patients_in
from started import started


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return patients_in(tmp_path)


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


@pytest.mark.further
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


@pytest.mark.one_in(2)
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


def test_unknown_commands_and_options_are_wrong_arguments(folder: Path) -> None:
    assert sqlanon(folder, "rnu").returncode == 2
    assert sqlanon(folder, "run", "release.yaml", "--fast").returncode == 2
    assert sqlanon(folder, "run", "release.yaml", "--memory-limit", "a lot").returncode == 2
    negative = sqlanon(folder, "run", "release.yaml", "--memory-limit", "-5GB")
    assert (negative.returncode, "a size is not negative" in negative.stderr) == (2, True)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize(
    ("command", "stop"),
    [
        (("run",), signal.SIGINT),
        pytest.param(("sweep", "--k", "2-50"), signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(("run",), signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(("run",), signal.SIGHUP, marks=pytest.mark.slow),
    ],
    ids=["run", "sweep", "terminated", "hung up"],
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
