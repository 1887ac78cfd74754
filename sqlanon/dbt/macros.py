"""The templates as macros of the dbt package, so that both have one text."""

from __future__ import annotations

from sqlanon.dbt.calls import signature
from sqlanon.dbt.generic_tests import templates_of_tests
from sqlanon.dbt.jinja import imported, in_dbt
from sqlanon.dbt.plans import plan_templates
from sqlanon.sql import load_template, template_text
from sqlanon.sql.templates import LISTS

_NOTE = "{# Written from sql_templates/%s.sql.j2; change that, and write this anew. #}\n"


def macro_files() -> dict[str, str]:
    """Every generated file of the package, by its name in ``dbt/macros/relations``."""
    files, shared = {}, set()
    for name in dict.fromkeys((*plan_templates(), *templates_of_tests())):
        files[_file(name)] = relation_macro(name)
        shared |= set(imported(load_template(name, "portable").text).values())
    for name in shared:
        files[f"shared_{_file(name)}"] = _NOTE % name + in_dbt(template_text(name), LISTS)
    return files


def _file(name: str) -> str:
    return f"{name.rpartition('/')[2]}.sql"


def relation_macro(name: str) -> str:
    """A template as the macro ``select_<relation>`` of its inputs and parameters."""
    text = load_template(name, "portable").text
    head = f"{{% macro select_{name.rpartition('/')[2]}({', '.join(signature(name))}) %}}\n"
    return f"{_NOTE % name}{head}{in_dbt(text, LISTS).rstrip()}\n{{% endmacro %}}\n"
