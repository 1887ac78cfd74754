"""The house itself: rooms import one way, and one module alone reads SQL as a tree."""

import ast
import dataclasses
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sqlanon
from sqlanon.plan import Check, Step

PACKAGE = Path(sqlanon.__file__).parent
TIERS = [
    {
        "_start",
        "_version",
        "declared",
        "console",
        "errors",
        "fields",
        "interrupts",
        "registry",
        "files",
        "separated",
        "visible",
    },
    {"sql", "charts", "pages", "differential"},
    {"figures"},
    {"privacy", "transforms"},
    {"spec"},
    {"plan"},
    {"engines"},
    {"session"},
    {"progress"},
    {"scripts"},
    {"domains"},
    {"forms"},
    {"measure"},
    {"methods"},
    {"publish"},
    {"joining"},
    {"source"},
    {"kept"},
    {"judge"},
    {"comparison", "series"},
    {"attacks", "utilities"},
    {"planning"},
    {"outlook"},
    {"sweeps"},
    {"certificates"},
    {"reports"},
    {"release"},
    {"profile"},
    {"api"},
    {"dbt", "macros"},
    {"cli"},
    {"registries"},
    {"__init__", "__main__"},
]
RANK = {room: rank for rank, rooms in enumerate(TIERS) for room in rooms}
MODULES = sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Every module that a module imports, wherever it does, and for type checking alone, too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "sqlanon":
            yield from (f"sqlanon.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    room = path.relative_to(PACKAGE).with_suffix("").parts[0]
    for module in imports(path):
        parts = module.split(".")
        if parts[0] == "sqlanon":
            assert len(parts) > 1, "a part of the package must not import the whole"
            assert RANK[parts[1]] <= RANK[room], f"{room} must not import {module}"


@pytest.mark.slow
def test_a_record_of_many_fields_is_built_by_their_names() -> None:
    """A step and a check are written everywhere, and read like a sentence."""
    built = []
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        many = [one for one in calls if isinstance(one.func, ast.Name) and len(one.args) > 5]
        for call in many:
            module = importlib.import_module(name.removesuffix(".__init__"))
            kind = getattr(module, ast.unparse(call.func), None)
            if dataclasses.is_dataclass(kind) and kind not in (Step, Check):
                built.append(f"{name}:{call.lineno}")
    assert not built


# Steps and checks read like a sentence, and so does a row of a table that is shown.
SENTENCES = {"Step", "Check", "add_row"}


def test_what_is_called_with_many_arguments_names_them() -> None:
    """Of seven in a row nobody sees which is which."""
    found = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and len(node.args) > 6:
                called = ast.unparse(node.func).rpartition(".")[2]
                if called not in SENTENCES:
                    found.append(f"{path.relative_to(PACKAGE)}:{node.lineno}: {called}")
    assert not found


def test_only_what_reads_and_what_writes_sql_imports_sqlglot() -> None:
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if any(module.split(".")[0] == "sqlglot" for module in imports(path))
    }
    assert users == {"sql/dialects.py", "sql/reading.py"}


def test_what_a_search_reads_is_said_by_what_it_extends() -> None:
    stated = re.compile(r"^\s+on_cells\b.*[:=]", re.MULTILINE)
    stating = [one for one in MODULES if stated.search(one.read_text(encoding="utf-8"))]
    assert [one.relative_to(PACKAGE).as_posix() for one in stating] == ["plan/step.py"]


def test_every_room_is_ranked() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert rooms - {"sql_templates", "examples"} <= set(RANK)


@pytest.mark.parametrize("path", sorted(PACKAGE.joinpath("engines").rglob("*.py")), ids=str)
def test_engines_know_nothing_of_privacy(path: Path) -> None:
    words = ("k_anonymity", "quasi", "sensitive", "anonym", "hierarch")
    text = path.read_text(encoding="utf-8").lower()
    for name in ("sqlanon", "spark.sql.casesensitive"):
        text = text.replace(name, "")
    code = "\n".join(line.split("#")[0] for line in text.splitlines())
    assert not [word for word in words if word in code]


def test_nothing_slow_is_loaded_to_begin_a_run() -> None:
    """What reads SQL as a tree, other engines and frames are loaded where they are needed."""
    slow = {"pandas", "psycopg", "pyarrow", "pyspark", "sqlglot"}
    program = "import sqlanon.cli.commands.run, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not slow & set(done.stdout.split())
