"""The house itself: rooms import one way, and one module alone reads SQL as a tree."""

import ast
import dataclasses
import functools
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import sqlanon
from sqlanon.clauses import FOLDERS
from sqlanon.plan import Check, Step

PACKAGE = Path(sqlanon.__file__).parent
# The rooms: each may import those above it, and its own modules.
TIERS = [
    {"_start", "_version", "errors", "common"},
    {"inputs"},
    {"sql", "pages"},
    {"privacy", "transforms", "clauses"},  # of a clause, what it declares
    {"spec"},
    {"plan"},
    {"engines"},
    {"session"},
    {"scripts"},
    {"domains"},
    {"forms"},
    {"measure"},
    {"methods"},
    {"publish"},
    {"source"},
    {"record"},
    {"draft", "judge"},
    {"stages"},  # of a clause, all but what it declares
    {"planning"},
    {"uses.comparison"},
    {"uses.attacks", "uses.utilities"},
    {"uses.outlook"},
    {"uses.sweeps"},
    {"uses.certificates"},
    {"uses.reports"},
    {"uses.release"},
    {"uses.profile"},
    {"uses.macros"},
    {"uses"},
    {"api"},
    {"dbt"},
    {"cli"},
    {"registries"},
    {"__init__", "__main__"},
]
RANK = {room: rank for rank, rooms in enumerate(TIERS) for room in rooms}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(parts: Sequence[str]) -> str:
    """The room of a module; each use is one, and the folder of a clause has two halves."""
    if parts[0] == "clauses" and len(parts) > 2 and parts[2] not in ("declared", "__init__"):
        return "stages"
    if parts[0] == "uses" and len(parts) > 1 and parts[1] != "__init__":
        return f"uses.{parts[1]}"
    return parts[0]


@functools.cache
def imports(path: Path) -> list[str]:
    """Every module that a module imports, wherever it does, and for type checking alone, too."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "sqlanon":
            found += [f"sqlanon.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found


def test_imports_run_one_way() -> None:
    wrong = []
    for path in MODULES:
        room = room_of(path.relative_to(PACKAGE).with_suffix("").parts)
        for module in imports(path):
            parts = module.split(".")
            # Nor may a part of the package import the whole.
            if parts[0] == "sqlanon" and (len(parts) == 1 or RANK[room_of(parts[1:])] > RANK[room]):
                wrong.append(f"{path.relative_to(PACKAGE)} must not import {module}")
    assert not wrong


# The rules of a spec read the `Spec` that is made of them, for type checking alone.
OF_THE_SPEC = {"differential", "levels", "method", "metrics", "model", "privacy", "publication"}


def test_no_files_import_each_other_in_a_circle() -> None:
    """Not even for type checking alone: each can be read before those that it is read by."""
    names = {
        path: ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in MODULES
    }
    homes = {name.removesuffix(".__init__"): name for name in names.values()}
    found = {name: set[str]() for name in names.values()}
    for path, name in names.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in homes:
                read = [f"{node.module}.{one.name}" for one in node.names]
                found[name] |= {homes.get(text, homes[node.module]) for text in read} - {name}
    model = "sqlanon.spec.model"
    for rule in OF_THE_SPEC | {"roles"}:
        found[f"sqlanon.spec.{rule}"] -= {model}
    tuple(TopologicalSorter(found).static_order())  # a circle is an error that names it


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


@pytest.mark.slow
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


# What a loop goes over has a name that says what each of them is.
NAMED = {
    *("attributes", "cells", "clauses", "columns", "constraints", "demands", "dimensions"),
    *("faults", "findings", "fragments", "limits", "measures", "metrics", "models", "nodes"),
    *("parts", "relations", "releases", "scales", "steps", "tables", "tests", "trials"),
}


@pytest.mark.slow
def test_a_loop_names_what_it_goes_over() -> None:
    """`for column in columns` says more than `for one in columns`.

    Two that are compared may be `one` and `other`.
    """
    found = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.For | ast.comprehension):
                over = ast.unparse(node.iter).removesuffix(".values()").rpartition(".")[2]
                targets = {name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)}
                if over in NAMED and "one" in targets and "other" not in targets:
                    found.append(f"{path.relative_to(PACKAGE)}:{node.target.lineno}")
    assert not found


def test_no_variable_is_called_a_place() -> None:
    """It is an index, a number, a path or a qualified name."""
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name | ast.arg | ast.Attribute)
        and "place" in (getattr(node, name, "") for name in ("id", "arg", "attr"))
    ]
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
    stating = [path for path in MODULES if stated.search(path.read_text(encoding="utf-8"))]
    assert [path.relative_to(PACKAGE).as_posix() for path in stating] == ["plan/step.py"]


# Rooms that show what others read of them; of all others a name has one home.
SHOWING = {"", "api", "cli", "cli.commands", "dbt", "engines", "plan", "session", "spec"}


def test_a_name_is_imported_from_the_module_that_defines_it() -> None:
    shown = {
        ".".join(path.relative_to(PACKAGE).parent.parts)
        for path in PACKAGE.rglob("__init__.py")
        if "__all__" in path.read_text(encoding="utf-8")
    }
    assert shown == SHOWING


def test_every_room_is_ranked() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert rooms - {"sql_templates", "examples"} <= set(RANK)


def test_engines_know_nothing_of_privacy() -> None:
    words = ("k_anonymity", "quasi", "sensitive", "anonym", "hierarch")
    named = []
    for path in PACKAGE.joinpath("engines").rglob("*.py"):
        text = path.read_text(encoding="utf-8").lower()
        for name in ("sqlanon", "spark.sql.casesensitive"):
            text = text.replace(name, "")
        code = "\n".join(line.split("#")[0] for line in text.splitlines())
        named += [f"{path.relative_to(PACKAGE)}: {word}" for word in words if word in code]
    assert not named


def test_nothing_slow_is_loaded_to_begin_a_run() -> None:
    """What reads SQL as a tree, other engines, frames and clauses are loaded where needed."""
    slow = {"pandas", "psycopg", "pyarrow", "pyspark", "sqlglot"}
    program = "import sqlanon.cli.commands.run, sqlanon.planning.prepare, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert not slow & set(loaded)
    assert not [text for text in loaded if re.search(r"clauses\..*\.stages$", text)]


# --- clauses ------------------------------------------------------------------------------------

TEMPLATES = PACKAGE.parent / "sql_templates"
# Words of a clause that has a folder: nothing outside of it names them.
WORDS = {
    "background": re.compile(r"background|\bbk\b", re.IGNORECASE),
    "guard": re.compile(r"guard", re.IGNORECASE),
    "population": re.compile(r"population|presence|k[-_]map", re.IGNORECASE),
    "sensitive_cells": re.compile(r"sensitive_cells", re.IGNORECASE),
    "subsets": re.compile(r"subset", re.IGNORECASE),
    "followers": re.compile(r"followers", re.IGNORECASE),
    "slices": re.compile(r"(?<!i)slic(?!e\()", re.IGNORECASE),
    "series": re.compile(r"\bseries\b", re.IGNORECASE),
    "recipe": re.compile(r"recipe|allotment", re.IGNORECASE),
    "person": re.compile(r"persons?\b|one_record", re.IGNORECASE),
    "transform": re.compile(r"transform|\bnoise|\bswap(?!s)", re.IGNORECASE),
    "suppression": re.compile(r"(?<!cell)(?<!cell[ _])suppression", re.IGNORECASE),
}
# The rooms that name a clause all the same: those of its publication, its attacks and its commands.
# Leaving records out is an option of `check`, and editors know it. Records are about persons, whom
# attacks are made on and SQL is read by; and a spec has transforms of each column.
NAMING = {
    "slices": {
        *("api", "attacks", "check", "cli", "dbt", "domains", "methods", "profile"),
        *("release", "source", "spec"),
    },
    "recipe": {"api", "cli", "dbt", "methods", "spec"},
    "suppression": {"api", "cli", "outliers", "spec"},
    "transform": {
        *("api", "attacks", "clauses", "cli", "differential", "engines", "figures"),
        *("macros", "measure", "methods", "privacy", "publish", "record", "release", "reports"),
        *("source", "spec", "sql", "table_macros", "transforms", "utilities"),
    },
    "person": {
        *("api", "attacks", "clauses", "cli", "forms", "macros", "profile", "publish"),
        *("reports", "risk", "source", "spec", "sql"),
    },
}
# Rooms that have such a word for people, whom every release is about: there only the field of a
# spec, and what a message says of it, are words of the clause.
ABOUT_PEOPLE = {
    *("__init__", "certificates", "comparison", "differential", "figures", "groups", "hidden"),
    *("record", "measure", "methods", "outliers", "release", "report", "sweeps", "transforms"),
    "units",
}
FIELD = re.compile(
    r"\.person\b|\bperson:|\b(?:as|declare|without) person\b|[\"']person[\"']|one_record"
)
# Files that mean something else by such a word: a guard of a process, a guarded table of dbt, the
# background of a page. A population that a table is a sample of, for the risk of a table, and
# the presence that an attack finds. A background that an attack is given of any table. The columns
# by which the risk of a table is searched. A series of numbers, of points or of pandas. Marks of
# suppression in another tool's table. And the help of editors, which names the fields of every
# model.
OTHERWISE = {
    "background": {
        "sqlanon/_start.py",
        "sqlanon/api/functions.py",
        "sqlanon/api/reading.py",
        "sqlanon/uses/attacks/attack.py",
        "sqlanon/uses/attacks/beliefs.py",
        "sqlanon/cli/commands/attack.py",
        "sqlanon/api/declared.py",
        "sqlanon/pages/figures.py",
        "sqlanon/pages/page.py",
    },
    "guard": {
        "sqlanon/cli/main.py",
        "sqlanon/dbt/published.py",
        "sqlanon/engines/driver.py",
        "sqlanon/privacy/beta_likeness.py",
        "sqlanon/session/session.py",
        "sqlanon/sql/templates.py",
        "sqlanon/common/visible.py",
    },
    "population": {
        "sql_templates/attacks/covered.sql.j2",
        "sql_templates/risk/in_population.sql.j2",
        "sql_templates/risk/weighted.sql.j2",
        "sqlanon/api/functions.py",
        "sqlanon/api/measuring.py",
        "sqlanon/uses/attacks/findings.py",
        "sqlanon/uses/attacks/linking.py",
        "sqlanon/cli/commands/risk.py",
        "sqlanon/pages/figures.py",
        "sqlanon/uses/profile/measured.py",
        "sqlanon/uses/profile/risk.py",
        "sqlanon/uses/profile/risk_figures.py",
    },
    "sensitive_cells": set(),
    "subsets": {
        "sql_templates/risk/subsets.sql.j2",
        "sqlanon/uses/profile/measured.py",
        "sqlanon/uses/profile/risk.py",
    },
    "followers": set(),
    "slices": set(),
    "recipe": set(),
    "person": set(),
    "transform": set(),
    "suppression": {
        "sql_templates/source/suppressed_rows.sql.j2",
        "sql_templates/source/unsuppressed.sql.j2",
    },
    "series": {
        "sql_templates/risk/weighted.sql.j2",
        "sqlanon/pages/charts/chart.py",
        "sqlanon/api/declared.py",
        "sqlanon/privacy/differential/exponential.py",
        "sqlanon/record/preview.py",
    },
}


def test_every_clause_with_a_folder_has_its_words() -> None:
    assert set(WORDS) == set(FOLDERS)


@functools.cache
def text_of(path: Path) -> str:
    """A module or a template; of what a clause declares, all but what it says of others.

    One of two clauses that do not go together must say so.
    """
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text if path.name == "declared.py" else "")
    excluded = [
        one.value
        for one in ast.walk(tree)
        if isinstance(one, ast.keyword) and one.arg in ("excludes", "unless_found")
    ]
    for one in [ast.get_source_segment(text, value) or "" for value in excluded]:
        text = text.replace(one, "")
    return text


def home_of(path: Path) -> str:
    """The room of a module or a template, by its name alone; each use is a room."""
    inner = path.parts[1] in ("uses", "pages") or "differential" in path.parts
    return Path(path.parts[2 if inner else 1]).stem


def words_in(path: Path, clause: str) -> list[str]:
    """The words of a clause in a module or a template."""
    about_people = home_of(path.relative_to(PACKAGE.parent)) in ABOUT_PEOPLE
    words = FIELD if clause == "person" and about_people else WORDS[clause]
    return words.findall(text_of(path))


@pytest.mark.parametrize("clause", sorted(WORDS))
def test_the_core_names_no_clause_that_has_a_folder(clause: str) -> None:
    """Outside of its folder and its templates a clause stands in one line: that of `FOLDERS`."""
    own = (PACKAGE / "clauses" / clause, TEMPLATES / "clauses" / clause)
    named = {
        path.relative_to(PACKAGE.parent): words_in(path, clause)
        for path in [*MODULES, *sorted(TEMPLATES.rglob("*.j2"))]
        if not any(folder in path.parents for folder in own)
    }
    found = {
        path.as_posix(): words
        for path, words in named.items()
        if words and home_of(path) not in NAMING.get(clause, ())
    }
    listed = WORDS[clause].findall(text_of(PACKAGE / "clauses" / "__init__.py"))
    assert set(found) - OTHERWISE[clause] <= {"sqlanon/clauses/__init__.py"}
    assert len(listed) == 1


def test_no_clause_imports_another() -> None:
    for path in PACKAGE.joinpath("clauses").rglob("*.py"):
        folder = path.relative_to(PACKAGE / "clauses").parts[0]
        for module in imports(path):
            parts = module.split(".")
            if parts[:2] == ["sqlanon", "clauses"] and len(parts) > 2 and parts[2] in FOLDERS:
                assert parts[2] == folder, f"{path} must not import {module}"


# --- templates of other rooms -------------------------------------------------------------------


def templates_named(path: Path) -> Iterator[tuple[str, ...]]:
    """The folders of the templates that a module names, as parts."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            folder = Path(node.value.rpartition("/")[0])
            if folder.parts and TEMPLATES.joinpath(folder).is_dir():
                yield folder.parts


def test_no_room_reaches_into_another_by_the_name_of_a_template() -> None:
    """A method names its own templates and its family's, a clause its own, and others neither."""
    wrong = []
    for path in MODULES:
        room = path.relative_to(PACKAGE).with_suffix("").parts
        own = {*room, "locality"} if "deal" in room else {*room}  # records are dealt along a curve
        for folder in templates_named(path):
            of_a_clause = folder[0] == "clauses" and room[:2] != folder[:2]
            of_a_method = folder[0] == "methods" and (room[0] != "methods" or folder[1] not in own)
            if of_a_clause or of_a_method:
                wrong.append(f"{path.relative_to(PACKAGE)} must not name a template of {folder}")
    assert not wrong


AT_THE_TOP = {
    ".ci", ".git", ".github", ".gitignore", ".pre-commit-config.yaml", ".proselintrc.json",
    ".sqlfluff",
    "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md", "pyproject.toml",
    "benchmarks", "dbt", "docs", "examples", "sql_templates", "sqlanon", "tests",
    "*.log", "took",  # of the gate, in its own copy
}  # fmt: skip


def test_nothing_lies_about_at_the_top() -> None:
    """A file that a test or an experiment left there would be released with the project."""
    top = Path(__file__).parent.parent
    ignored = (top / ".gitignore").read_text(encoding="utf-8").split()
    known = [*AT_THE_TOP, *(line.rstrip("/") for line in ignored)]
    names = sorted(path.name for path in top.iterdir())
    found = [name for name in names if not any(fnmatch(name, line) for line in known)]
    assert found == []
