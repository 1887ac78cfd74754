"""A form is what its class says: nothing outside `sqlanon/forms` goes by what it is called."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import Connection, database, read

import sqlanon
from sqlanon import forms
from sqlanon.forms import FORMS
from sqlanon.forms.form import Form
from sqlanon.spec import parse_spec
from sqlanon.spec import publication as rules

PACKAGE = Path(sqlanon.__file__).parent
TEMPLATES = PACKAGE.parent / "sql_templates"
NAMES = {*FORMS, *(meaning for form in FORMS.values() for meaning in form.meanings)}
OTHER = "mode"  # a name that is free to be another form's
COLUMNS: dict[str, dict[str, Any]] = {
    "interval": {},
    "bounds": {},
    "lca": {"hierarchy": {"bands": [10, 30]}},
    "level": {"hierarchy": {"prefix": [1, 0]}},
    "set": {},
}


def compared(path: Path) -> list[str]:
    """The names of forms that a module compares something with."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        for side in sides:
            found += [
                one.value
                for one in ast.walk(side)
                if isinstance(one, ast.Constant) and one.value in NAMES
            ]
    return found


@pytest.mark.slow
def test_no_other_room_compares_with_what_a_form_is_called() -> None:
    of_arrow = PACKAGE / "engines" / "frames.py"  # which has a type "interval"
    modules = [path for path in PACKAGE.rglob("*.py") if path.parent.name != "forms"]
    modules.remove(of_arrow)
    assert len(modules) > 300
    assert {path: names for path in modules if (names := compared(path))} == {}


def test_no_template_asks_what_a_form_is_called() -> None:
    named = "|".join(sorted(NAMES))
    asked = re.compile(rf'\{{[%{{][^}}]*(==|!=|\bin\b)[^}}]*"({named})"')
    assert asked.search('{% if column.form in ("x", "set") %}')
    templates = list(TEMPLATES.rglob("*.sql.j2"))
    assert templates
    assert [path for path in templates if asked.search(path.read_text(encoding="utf-8"))] == []


def told(connection: Connection, form: str, column: dict[str, Any]) -> list[Any]:
    """All that is published of a column in a form, and all that is found out of it."""
    spec = parse_spec(
        {
            "source": {"table": "t"},
            "release": "public",
            "quasi_identifiers": {"age": {**column, "publish": form}, "sex": {}},
            "sensitive": ["d"],
            "privacy": {"k": 3},
            "method": "stack_and_deal",
            "seed": 1,
        }
    )
    quiet: dict[str, Any] = {"connection": connection, "progress": False}
    sqlanon.anonymize(spec, **quiet)
    checked = sqlanon.check("public", spec=spec, reference="t", **quiet)
    attacked = sqlanon.attack("public", external="t", **quiet)
    useful = sqlanon.utility("public", source="t", queries=5, **quiet)
    tables = [read(connection, f"public{name}") for name in ("", "__classes", "__metrics")]
    figures = [
        *((finding.figure, finding.value) for finding in attacked.findings),
        *((finding.figure, finding.value) for finding in useful.findings),
    ]
    return [*tables, checked.measures, figures]


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("form", COLUMNS)
def test_a_form_is_the_same_by_any_name(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for a centroid's, which has its templates by its name."""
    real, table = FORMS[form], "select nullif(20 + i * 7 % 31, 23) as age, i % 2 as sex, i % 5 as d"
    by_another_name: Form = type("Other", (type(real),), {"rule": replace(real.rule, name=OTHER)})()
    with database() as connection:
        connection.execute(f"create table t as {table} from range(60) as t(i)")
        own = told(connection, form, COLUMNS[form])
        known = {**rules.FORM_RULES, OTHER: by_another_name.rule}
        monkeypatch.setitem(FORMS, OTHER, by_another_name)
        monkeypatch.setattr(rules.FORM_RULES, "_entries", known)
        for meaning in by_another_name.meanings:
            monkeypatch.setitem(forms._CALLED, meaning, by_another_name)
        assert told(connection, OTHER, COLUMNS[form]) == own
