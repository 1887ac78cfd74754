"""What `import sqlanon` offers, and that each name costs its import when it is used, not before."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

import sqlanon
from sqlanon import api

FUNCTIONS = {*api.__all__, "load_spec", "parse_spec", "schema"} - {"Database"}
ERRORS = {"EngineError", "InfeasibleError", "InterruptedRunError", "SpecError", "SqlanonError"}
HEAVY = {"duckdb", "jinja2", "numpy", "pandas", "pydantic", "rich", "sqlglot", "yaml"}


def test_people_see_what_they_call_and_nothing_else() -> None:
    assert set(dir(sqlanon)) == FUNCTIONS | ERRORS | {"__version__"}
    assert dir(sqlanon) == sorted(sqlanon.__all__)
    for name in FUNCTIONS:
        assert inspect.isfunction(getattr(sqlanon, name)), name


def test_what_functions_return_has_a_public_name_for_annotations() -> None:
    for name in FUNCTIONS:
        returned = get_type_hints(inspect.unwrap(getattr(sqlanon, name))).get("return")
        if inspect.isclass(returned) and returned.__module__.startswith("sqlanon."):
            assert getattr(sqlanon, returned.__name__) is returned, name


def test_a_name_is_found_where_type_checkers_find_it() -> None:
    tree = ast.parse(Path(sqlanon.__file__).read_text(encoding="utf-8"))
    typed = next(one for one in tree.body if isinstance(one, ast.If))
    shown = {
        alias.asname or alias.name: (one.module, alias.name)
        for one in typed.body
        if isinstance(one, ast.ImportFrom)
        for alias in one.names
    }
    otherwise = sqlanon._NAMED_OTHERWISE
    assert shown == {
        name: (home, otherwise.get(name, name)) for name, home in sqlanon._HOMES.items()
    }
    assert set(sqlanon.__all__) - {"__version__"} <= set(shown)


@pytest.mark.slow
def test_a_room_that_shares_the_name_of_a_function_does_not_hide_it() -> None:
    program = "import sqlanon.plan; print(sqlanon.plan)"
    assert _said("-c", program).startswith("<function")


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'sqlanon' has no attribute 'anonymise'"):
        sqlanon.anonymise  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    "call", [None, "--version", "--help", "unheard-of"], ids=lambda call: call or "import"
)
def test_nothing_heavy_is_imported_before_it_is_needed(call: str | None) -> None:
    """Not by the package, nor by the command line before it knows which command is called."""
    program = "import sqlanon"
    if call:
        program = f"""
import atexit, sys
atexit.register(lambda: print(*sys.modules))
sys.argv = ["sqlanon", {call!r}]
from sqlanon.cli import main
main()"""
    else:
        program += ", sys; print(*sys.modules)"
    loaded = set(_said("-c", program).split())
    assert "sqlanon.common.registry" in loaded
    assert not HEAVY & loaded
    assert "sqlanon.spec" not in loaded


def _said(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
    assert done.returncode in (0, 2), done.stderr
    return done.stdout
