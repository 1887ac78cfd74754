"""The one writer of files: whole or not at all, private, and at no place that a link leads to."""

from __future__ import annotations

import ast
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import sqlanon as command
from support import DEALT, ROOT, slow

import sqlanon
from sqlanon.common.files import appearing, unwritable, write
from sqlanon.errors import EngineError, SpecError

SPEC = (
    "source: people.csv\nrelease: public\ndatabase: public.duckdb\nquasi_identifiers: [age]\n"
    "sensitive: [disease]\nprivacy: {k: 3}\nmethod: stack_and_deal\nseed: 1\n"
)
# What each command writes, and whether that is handed out.
WRITTEN: dict[str, tuple[tuple[str, ...], bool]] = {
    "out.csv": (("export", "public", "-o", "out.csv"), True),
    "out.dictionary.csv": (("export", "public", "-o", "out.parquet"), True),
    "c.json": (("certificate", "public", "-o", "c.json"), True),
    "external.html": (("report", "public", "--external", "-o", "external.html"), True),
    "out.html": (("report", "public", "-o", "out.html"), False),
    "out.sql": (("compile", "spec.yaml", "-o", "out.sql"), False),
    "first.yaml": (("init", "people.csv", "--quiet", "-o", "first.yaml"), False),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, its spec and its release."""
    folder = tmp_path_factory.mktemp("made")
    rows = "".join(f"{i % 3},d{i % 2}\n" for i in range(12))
    (folder / "people.csv").write_text("age,disease\n" + rows)
    (folder / "spec.yaml").write_text(SPEC)
    with duckdb.connect(str(folder / "public.duckdb")) as connection:
        sqlanon.anonymize(
            str(folder / "people.csv"),
            connection=connection,
            release="public",
            quasi_identifiers=["age"],
            sensitive=["disease"],
            k=3,
            seed=1,
            **DEALT,
        ).close()
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    for path in made.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


@pytest.fixture
def umask() -> Iterator[None]:
    """As most people have it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def everything(folder: Path) -> dict[str, bytes | None]:
    """What is in a folder, by name; None for a folder or a link."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        if path.is_file() and not path.is_symlink()
        else None
        for path in folder.rglob("*")
    }


# --- for whom ------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", WRITTEN)
def test_what_stays_with_the_publisher_is_nobody_elses_to_read(
    folder: Path, umask: None, name: str
) -> None:
    arguments, handed_out = WRITTEN[name]
    assert command(folder, *arguments).returncode == 0
    assert mode(folder / name) == (0o644 if handed_out else 0o600)
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_an_open_file_that_is_replaced_is_private_afterwards(folder: Path, umask: None) -> None:
    (folder / "out.html").write_text("older")
    assert command(folder, "report", "public", "-o", "out.html", "--overwrite").returncode == 0
    assert mode(folder / "out.html") == 0o600


def test_models_of_dbt_are_private_and_its_package_is_not(folder: Path, umask: None) -> None:
    project = folder / "project"
    project.mkdir()
    (project / "dbt_project.yml").write_text("name: p\nprofile: p\n")
    assert command(folder, "dbt", "init", "project").returncode == 0
    assert mode(project / "packages.yml") == 0o644
    assert command(folder, "compile", "spec.yaml", "--dbt", "project").returncode == 0
    models = [path for path in (project / "models" / "public").rglob("*") if path.is_file()]
    assert models
    assert {mode(path) for path in models} == {0o600}


def test_a_chart_is_private(tmp_path: Path, umask: None) -> None:
    with sqlanon.sweep(
        "select i % 3 as a, i % 2 as s from range(12) as n(i)",
        quasi_identifiers=["a"],
        sensitive={"s": {"t": "0.9"}},
        k=[2, 3],
        quick=True,
        **DEALT,
    ) as found:
        found.chart(tmp_path / "map.svg")
    assert mode(tmp_path / "map.svg") == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["map.svg"]


# --- where ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("leads", ["to nothing", *slow("to a file")])
@pytest.mark.parametrize("name", WRITTEN)
def test_no_link_is_followed_and_none_is_replaced(folder: Path, name: str, leads: str) -> None:
    arguments, _ = WRITTEN[name]
    elsewhere = folder / "elsewhere"
    if leads == "to a file":
        elsewhere.write_text("somebody's")
    (folder / name).symlink_to(elsewhere)
    if arguments[0] in ("export", "certificate", "report"):
        arguments += ("--overwrite",)
    before = everything(folder)
    done = command(folder, *arguments)
    assert done.returncode == 2
    assert f"'{name}' is a link: name the file that it leads to" in done.stderr
    assert everything(folder) == before


def test_what_somebody_makes_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    mine = tmp_path / "b.txt"

    def make() -> None:
        with appearing([tmp_path / "a.txt", mine], True) as hidden:
            for path in hidden:
                path.write_text("new")
            mine.write_text("somebody's")

    with pytest.raises(SpecError, match=r"b\.txt' is there already"):
        make()
    assert everything(tmp_path) == {"b.txt": b"somebody's"}


# --- all or none ---------------------------------------------------------------------------------


def test_one_that_cannot_be_named_undoes_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New, replaced and removed files are as they were; so are folders."""
    for name in ("old", "last", "gone"):
        (tmp_path / name).write_text("before")
    replace = Path.replace

    def failing(self: Path, target: Path) -> Path:
        if target.name == "last" and self.name == "last":
            raise OSError(errno.EIO, "Input/output error", str(self))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    before = everything(tmp_path)
    texts: dict[Path, str | bytes] = {
        tmp_path / name: "after" for name in ("new", "deep/er/new", "old", "last")
    }
    with pytest.raises(EngineError, match="last' cannot be written: Input/output error"):
        write(texts, True, gone=[tmp_path / "gone"])
    assert everything(tmp_path) == before


def test_all_appear_and_what_is_gone_goes_with_them(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("before")
    (tmp_path / "gone").write_text("before")
    write(
        {tmp_path / "old": "after", tmp_path / "deep/new": b"new"}, True, gone=[tmp_path / "gone"]
    )
    assert everything(tmp_path) == {"old": b"after", "deep": None, "deep/new": b"new"}


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, EngineError),
        (errno.EDQUOT, EngineError),
        (errno.EIO, EngineError),
        (errno.EACCES, SpecError),
        (errno.ENAMETOOLONG, SpecError),
        (errno.EROFS, SpecError),
    ],
)
def test_the_disks_fault_is_not_the_users(number: int, kind: type[Exception]) -> None:
    assert type(unwritable(Path("x"), OSError(number, "why"))) is kind


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", WRITTEN)
def test_a_full_disk_is_a_failure_and_leaves_what_was_there(
    folder: Path, small_disk: Path, name: str
) -> None:
    """Exit code 3: the arguments were right. Nothing half-written, nothing hidden is left."""
    arguments, _ = WRITTEN[name]
    *rest, last = arguments
    options = ["--overwrite"] if arguments[0] in ("export", "certificate", "report") else []
    older = {} if not options else {Path(last).name: b"older"}
    if arguments[0] == "certificate":
        older = {}  # it replaces none but one of its own kind
    for one, text in older.items():
        (small_disk / one).write_bytes(text)
    with (small_disk / "filler").open("wb", buffering=0) as filler:
        for size in (1 << 16, 1 << 8, 1):
            try:
                while True:
                    filler.write(b"x" * size)
            except OSError:
                continue
    done = command(folder, *rest, str(small_disk / last), *options)
    assert done.returncode == 3, done.stderr
    assert "no space left" in done.stderr.lower()
    left = everything(small_disk)
    del left["filler"]
    assert left == older


@pytest.mark.slow
def test_no_other_module_writes_files() -> None:
    """But a database's client, what hides a folder to spill to, and an output that is closed."""
    calls = {"write_text", "write_bytes", "touch", "copyfile", "copytree", "mkdir", "makedirs"}
    found: dict[str, set[str]] = {}
    for file in sorted((ROOT / "sqlanon").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = _called(node)
            modes = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            opens = name == "open" and any(
                isinstance(one, str) and one.strip("bt+") in ("w", "a", "x") for one in modes
            )
            if name in calls or opens:
                found.setdefault(file.relative_to(ROOT / "sqlanon").as_posix(), set()).add(name)
    assert found == {
        # In a hidden folder that files appear from:
        "uses/certificates/export.py": {"open"},
        "pages/charts/chart.py": {"write_bytes", "write_text"},
        "cli/main.py": {"open"},  # of /dev/null
        "engines/duckdb/text_copies.py": {"mkdir", "open"},  # in a private folder, and removed
        "engines/postgres/driver.py": {"open"},
        "common/files.py": {"copytree", "mkdir", "write_bytes"},
    }


def _called(node: ast.Call) -> str:
    function: Any = node.func
    return str(getattr(function, "attr", "") or getattr(function, "id", ""))
