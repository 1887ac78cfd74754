"""The documents: every example runs and shows what it says, every link leads somewhere.

Run with UPDATE_DOCS=1 and ``-m ""`` to write figures that have changed into the console examples;
then read the difference.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from commands import sqlanon as command
from needs import missing
from on_spark import STARTED
from prose import commands

import sqlanon
from sqlanon.cli.commands.demo import unpack

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINKED = [*PAGES, *(ROOT / text for text in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"))]
KINDS = {"{toctree}", "console", "mermaid", "python", "sh", "sql", "text", "yaml"}
TEST_LINE = (
    "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' "
    "&& .venv/bin/python -m pytest -q -n 2"
)
RUN_LINE = "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/sqlanon demo"
ON_SPARK = "spark.md"  # whose examples run there
# Two thirds of the time that all pages take. Other tests make such releases of six records; whoever
# changes what one of these shows, or the page itself, runs it.
LONG = {
    *(ON_SPARK, "engines.md", "monthly.md", "compare.md", "recipes.md", "utility.md"),
    *("attacks.md", "profile.md", "sweep.md", "python.md", "survey.md", "papers.md"),
    *("levels.md", "linked.md", "method.md", "nodes.md", "terminal.md"),
}
LONG_ROOMS = {"appendix", "definitions", "methods"}
# A command that asks nothing of the shell, nor of a Spark of its own.
PLAIN = re.compile(r"sqlanon (?!.*local\[)[^|;&<>$`]*")
UPDATE = bool(os.environ.get("UPDATE_DOCS"))
# What a yaml block that is no whole spec is laid over: the demo's table and three more columns.
BASE: dict[str, Any] = {
    "source": {
        "query": "select *, lpad(cast(97000 + patient_id % 1000 as varchar), 5, '0') as zip, "
        "date '1974-11-01' + cast(patient_id % 700 as integer) as enrolled, "
        "medical_spending * 1.5 as cost from 'patients.csv'"
    },
    "release": "example",
    "quasi_identifiers": {"age": {}},
    "sensitive": {"health": {}},
    "privacy": {"k": 10},
    "method": "stack_and_deal",
}
whole_checkout = pytest.mark.skipif(
    not (ROOT / "sqlanon").is_dir(), reason="links are followed in a whole checkout"
)


def name(page: Path) -> str:
    """What a page is called in a test."""
    return str(page.relative_to(ROOT))


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    kind: str
    line: int
    text: str


def blocks(page: Path) -> list[Block]:
    """Every fenced block, in order."""
    found, opened = [], None
    lines = page.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            if opened is None:
                opened = (line[3:].strip(), number)
            else:
                kind, first = opened
                found.append(Block(kind, first, "\n".join(lines[first : number - 1])))
                opened = None
    assert opened is None, f"{page.name}: a block is left open"
    return found


class Reader:
    """Somebody who tries every example of a page, in order, in one folder."""

    def __init__(self, folder: Path, bin_folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {}
        self.code = 0
        self.environment = {
            **os.environ,
            **STARTED,
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "160",
        }

    def read(self, block: Block, page: Path) -> None:
        """Try one example."""
        where = f"{page.name}:{block.line}"
        if block.kind == "console":
            self._console(block, page)
        elif block.kind == "python":
            self._python(block.text, where)
        elif block.kind == "yaml":
            self._yaml(block.text)
        elif block.kind == "sql":
            with (
                contextlib.chdir(self.folder),
                duckdb.connect("patients_public.duckdb") as connection,
            ):
                connection.execute(block.text)
        else:
            assert block.kind in KINDS, f"{where}: a block that is not run must be text"

    def _console(self, block: Block, page: Path) -> None:
        for prompt, shown in commands(block.text):
            printed = self._run(prompt)
            expected, actual = clean(shown), clean(printed)
            if UPDATE and not agree(expected, actual):
                update(page, shown, printed)
                continue
            assert agree(expected, actual), "\n".join(
                [f"{page.name}:{block.line}: {prompt}", "shown:", *expected, "printed:", *actual]
            )

    def _run(self, prompt: str) -> str:
        if prompt == "echo $?":
            return str(self.code)
        if prompt.startswith("cd "):
            self.folder /= prompt[3:]
            return ""
        if PLAIN.fullmatch(prompt):  # what a process of its own costs is most of a short command
            told = command(self.folder, *shlex.split(prompt)[1:], columns=160, one_stream=True)
            self.code = told.returncode
            return told.stdout
        done = subprocess.run(
            ["bash", "-c", prompt],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.code = done.returncode
        return done.stdout

    def _python(self, text: str, where: str) -> None:
        printed = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
            exec(compile(text, where, "exec"), self.names)
        assert printed.getvalue().splitlines() == re.findall(r"# → (.*)$", text, re.MULTILINE), (
            where
        )

    def _yaml(self, text: str) -> None:
        named = re.match(r"# (\S+\.yaml)\n", text)
        if named:  # a spec that the commands after it name
            (self.folder / named[1]).write_text(text, encoding="utf-8")
            return
        declared = yaml.safe_load(text)
        with contextlib.chdir(self.folder):
            spec = sqlanon.parse_spec({**BASE, **declared})
            sqlanon.anonymize(spec).engine.close()


@pytest.fixture(autouse=True)
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the examples of a page need: for PostgreSQL a server that libpq's variables lead to."""
    if request.node.originalname != "test_examples":
        return
    page = request.node.callspec.params["page"]
    if page.name == ON_SPARK and (shutil.which("java") is None or find_spec("pyspark") is None):
        missing("spark", "Spark needs Java and the extra 'spark'")
    if "postgresql://" not in page.read_text(encoding="utf-8"):
        return
    if shutil.which("psql") is None:
        missing("psql", "psql is not installed")
    from psycopg.conninfo import conninfo_to_dict

    parts = conninfo_to_dict(request.getfixturevalue("urls")["postgres"])
    for name, part in (("PGHOST", "host"), ("PGUSER", "user"), ("PGDATABASE", "dbname")):
        monkeypatch.setenv(name, str(parts[part]))


def clean(text: str) -> list[str]:
    """The lines that hold anything, without what varies from run to run: times, and slow steps."""
    lines = [re.sub(r"\b\d+\.\d+ s\b", "# s", line.rstrip()) for line in text.splitlines()]
    return [line for line in lines if line and not re.fullmatch(r"step \d+ of \d+: .*, # s", line)]


def agree(shown: list[str], printed: list[str]) -> bool:
    """Whether the output is as shown; a line ``…`` stands for any lines, or none."""
    pattern = "".join("(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def shape(line: str) -> str:
    """A line without its figures and the width of its columns."""
    return " ".join(re.sub(r"\d[\d.,]*", "#", line).replace("─", "").split())


def update(page: Path, shown: str, printed: str) -> None:
    """Put the printed lines in place of those shown, where they differ in figures alone."""
    rest, lines = printed.splitlines(), []
    for line in shown.splitlines():
        match = next((i for i, new in enumerate(rest) if shape(new) == shape(line)), None)
        if line.strip() in ("", "…") or match is None:
            lines.append(line)
        else:
            lines.append(rest[match].rstrip())
            rest = rest[match + 1 :]
    text = page.read_text(encoding="utf-8")
    new = "\n".join(lines) + ("\n" if shown.endswith("\n") else "")
    page.write_text(text.replace(shown, new, 1), encoding="utf-8")


@pytest.fixture(scope="session")
def bin_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ``sqlanon`` that runs the one under test."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "sqlanon"
    paths = os.pathsep.join([str(Path(sqlanon.__file__).parents[1]), *sys.path])
    command.write_text(
        f'#!/bin/sh\nPYTHONPATH="{paths}" exec "{sys.executable}" -m sqlanon "$@"\n',
        encoding="utf-8",
    )
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return folder


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the demo makes, with its release."""
    folder = unpack(tmp_path_factory.mktemp("demo")).parent
    with contextlib.chdir(folder):
        sqlanon.anonymize("release.yaml", database="patients_public.duckdb").engine.close()
    return folder


@pytest.mark.skipif(shutil.which("bash") is None, reason="the examples are for a POSIX shell")
@pytest.mark.parametrize(
    "page",
    [  # the README's alone makes the demo's release three times
        pytest.param(
            page,
            marks=[
                pytest.mark.slow,
                *([pytest.mark.spark] if page.name == ON_SPARK else []),
                *(
                    [pytest.mark.further]
                    if page.name in LONG or page.parent.name in LONG_ROOMS
                    else []
                ),
            ],
        )
        for page in PAGES
    ],
    ids=name,
)
def test_examples(
    page: Path, tmp_path: Path, bin_folder: Path, request: pytest.FixtureRequest
) -> None:
    """The README begins in an empty folder, the other pages in the one that the demo makes."""
    reader = Reader(tmp_path, bin_folder)
    if page.name != "README.md":
        shutil.copytree(request.getfixturevalue("made"), tmp_path, dirs_exist_ok=True)
    for block in blocks(page):
        reader.read(block, page)


def test_readme_begins_with_the_two_commands() -> None:
    shell = [block.text for block in blocks(ROOT / "README.md") if block.kind == "sh"]
    assert shell == [RUN_LINE, TEST_LINE]


def test_the_gate_runs_the_line_that_the_readme_shows() -> None:
    """`.ci/run` takes the line out of the README, so that the two cannot differ."""
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    grep = re.search(r"grep -m1 -E '([^']+)' README\.md", gate)
    assert grep is not None or TEST_LINE in gate
    if grep is not None:
        lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if re.search(grep[1], line)][:1] == [TEST_LINE]


def anchors(page: Path) -> set[str]:
    """The names that a page's headings can be linked by."""
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@whole_checkout
@pytest.mark.parametrize("page", LINKED, ids=name)
def test_links(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link}"


@whole_checkout
@pytest.mark.parametrize("page", LINKED, ids=name)
def test_paths_of_the_project(page: Path) -> None:
    """What stands in `code` and begins like a path of the project is one."""
    rooms = "sqlanon|sql_templates|tests|docs|examples|benchmarks|\\.ci"
    for path in re.findall(rf"`((?:{rooms})/[^`\s]*)`", page.read_text(encoding="utf-8")):
        if not any(sign in path for sign in "<>…{"):
            assert list(ROOT.glob(path)), f"{page.name}: {path}"


def test_every_field_of_the_spec_is_documented() -> None:
    """Each name of the JSON Schema stands in a page of docs/spec/ as `code`."""
    pages = sorted((ROOT / "docs" / "spec").glob("*.md"))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)

    def fields(schema: Mapping[str, Any]) -> Iterator[str]:
        yield from schema.get("properties", {})
        for inner in schema.get("$defs", {}).values():
            yield from fields(inner)

    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    code = " ".join(re.findall(r"`([^`\n]+)`", text))
    missing = [name for name in fields(sqlanon.schema()) if not re.search(rf"\b{name}\b", code)]
    assert not missing
