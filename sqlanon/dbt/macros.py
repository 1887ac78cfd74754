"""The templates, and what differs between databases, as macros of the dbt package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sqlanon.dbt.calls import macro_of, signature, text_of
from sqlanon.dbt.generic_tests import plan_templates, templates_of_tests
from sqlanon.dbt.jinja import folders, imported, in_dbt
from sqlanon.dbt.project import package_folder
from sqlanon.sql.names import LISTS
from sqlanon.sql.products import PRODUCTS, Building
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
_OF_ROW = "{# Written from sqlanon/sql/products.py; change that, and write this anew. #}\n"
_CAPITALS = """\
{%- set is_plain = modules.re.fullmatch("[a-z_][a-z0-9_$]*", name) -%}
{{ return(name.upper() if is_plain else name) }}"""
_REFUSING = """\
{{%- if execute -%}}
{{{{ exceptions.raise_compiler_error("sqlanon: the test " ~ test ~ " is not offered on {}") }}}}
{{%- endif -%}}"""
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


def database_files() -> dict[str, str]:
    """The macros that databases have of their own, a file each for ``dbt/macros/databases``.

    Each has all of them, since dbt looks for one that is missing in another adapter's.
    """
    built = {one.name: (one.dbt, one.capitals) for one in PRODUCTS.values() if one.dbt is not None}
    return {
        f"{name}.sql": _OF_ROW + "\n".join(_database_macros(name, there, capitals))
        for name, (there, capitals) in {"default": (Building(), False), **built}.items()
    }


def _database_macros(name: str, there: Building, capitals: bool) -> Iterator[str]:
    """The macros of a database: what `adapter.dispatch` finds."""
    yield _database_macro(name, "at_once()", f"{{{{ return({str(there.at_once).lower()}) }}}}")
    yield _database_macro(name, "double()", there.double)
    yield _database_macro(name, "holds(said)", there.holds.format(said="{{ said }}"))
    yield _database_macro(name, "joined(text)", there.joined.format(text="{{ text }}"))
    yield _database_macro(name, "cased(name)", _CAPITALS if capitals else "{{ return(name) }}")
    yield _database_macro(name, "settle_work_model()", _settled(there))
    refusing = _REFUSING.format(there.rounds_logarithms) if there.rounds_logarithms else ""
    yield _database_macro(name, "refuse_logarithms(test)", refusing)
    relation = ["'{{ relation }}'"]
    yield _database_macro(name, "withhold(relation)", withhold(relation) if there.rights else "")
    kept = keep_readers(relation) if there.rights else ""
    yield _database_macro(name, "keep_readers(relation)", kept)
    yield _database_macro(name, "settle_readers()", settle_rights([]) if there.rights else "")


def _database_macro(name: str, head: str, body: str) -> str:
    body = f"\n{body}\n" if "\n" in body else f" {body} " if body else ""
    return f"{{% macro {name}__{head} -%}}{body}{{%- endmacro %}}\n"


def _settled(there: Building) -> str:
    """The settings of a work model: where people have rights, it is for its owner alone."""
    before = ",\n    ".join(map(text_of, there.settings))
    settings = [f"pre_hook=[\n    {before}\n]"] if before else []
    if there.rights:
        settings += ['post_hook="{{ sqlanon.withhold(this) }}"', 'grants={"select": []}']
    return f"{{{{ config({', '.join(settings)}) }}}}" if settings else ""
