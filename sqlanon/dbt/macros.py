"""The templates as macros of the dbt package, so that both have one text."""

from __future__ import annotations

import re
from functools import cache

from sqlanon.dbt.calls import macro_of, signature
from sqlanon.dbt.generic_tests import plan_templates, templates_of_tests
from sqlanon.dbt.jinja import folders, imported, in_dbt
from sqlanon.dbt.project import package_folder
from sqlanon.sql.names import LISTS
from sqlanon.sql.rights import keep_readers, settle_rights, withhold
from sqlanon.sql.templates import load_template, macro_names, template_text

# SQL that `compile --dbt` writes alike for every release: a model calls it and need not hold it.
_OF_MODELS = (
    *("dbt/judged", "dbt/measured", "dbt/part"),
    *("domains/check_covered", "domains/check_unambiguous", "domains/nodes"),
    *("insensitive/check_shares", "insensitive/commonest", "insensitive/determined"),
    *("insensitive/shares", "privacy/t_listed"),
    *("measure/asked_metrics", "measure/check_copied", "measure/k_metrics"),
    *("recode/check_all_released", "recode/check_counted", "recode/check_enough"),
    "recode/check_labelled",
    *("release/check_gate", "release/check_suppressed", "release/ledger_reasons", "release/run"),
    *("source/check_enough_records", "source/check_identifier", "source/check_not_empty"),
    *("source/holders",),
)
_NOTE = "{# Written from sql_templates/%s.sql.j2; change that, and write this anew. #}\n"


def macro_files() -> dict[str, str]:
    """Every generated file of the package, by its name in ``dbt/macros/relations``."""
    files, shared = {}, set()
    for name in dict.fromkeys((*plan_templates(), *templates_of_tests(), *_OF_MODELS)):
        if _file(name) in files:
            raise ValueError(f"two templates of the package would be the macro {macro_of(name)}")
        files[_file(name)] = relation_macro(name)
        shared |= set(imported(load_template(name, "portable").text).values())
    for name in shared:
        text = template_text(name)
        files[f"shared_{_file(name)}"] = _NOTE % name + in_dbt(text, LISTS)
        for one in (one for folder in folders(text) for one in macro_names(folder)):
            own = _NOTE % one + in_dbt(template_text(one), LISTS, f"{_stem(one)}_")
            files[f"shared_{_file(one)}"] = own
    return files


@cache
def packaged() -> frozenset[str]:
    """The templates that the package has as macros."""
    files = (package_folder() / "macros" / "relations").glob("*.sql")
    heads = (path.read_text("utf-8").partition("\n")[0] for path in files)
    found = (re.search(r"sql_templates/(\S+)\.sql\.j2", head) for head in heads)
    return frozenset(one[1] for one in found if one)


def _file(name: str) -> str:
    return f"{_stem(name)}.sql"


def _stem(name: str) -> str:
    if name.startswith("macros/"):
        return name.removeprefix("macros/").replace("/", "_")
    return name.rpartition("/")[2]


def relation_macro(name: str) -> str:
    """A template as the macro ``select_<relation>`` of its inputs and parameters."""
    text = load_template(name, "portable").text
    head = f"{{% macro {macro_of(name)}({', '.join(signature(name))}) %}}\n"
    return f"{_NOTE % name}{head}{in_dbt(text, LISTS).rstrip()}\n{{% endmacro %}}\n"


def rights_files() -> dict[str, str]:
    """The statements about rights as macros, by the name of their file in ``dbt/macros/rights``."""
    made = {
        "withhold(relation)": withhold(["'{{ relation }}'"]),
        "keep_readers(relation)": keep_readers(["'{{ relation }}'"]),
        "settle_readers()": settle_rights([]),
    }
    note = "{# Written from the statements of a run about who may read what on PostgreSQL. #}\n"
    macros = (
        f"{{% macro postgres__{head} -%}}\n{sql}\n{{%- endmacro %}}\n" for head, sql in made.items()
    )
    return {"postgres.sql": note + "\n".join(macros)}
