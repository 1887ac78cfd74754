"""The templates as macros of the dbt package, so that both have one text."""

from __future__ import annotations

from sqlanon.dbt.jinja import folders, imported, in_dbt
from sqlanon.privacy import MODELS
from sqlanon.sql import load_template, macro_names, template_text
from sqlanon.sql.templates import LISTS

# What the package's tests and its Stack & Deal are made of, beside the privacy models.
_RELATIONS = (
    "source/records",
    "source/record_count",
    "source/values_in_use",
    "source/coded",
    "domains/domain_flat",
    "domains/domain_listed",
    "domains/listed_order",
    "domains/listed",
    "domains/leaves_listed",
    "domains/domain",
    "domains/positions",
    "measure/classes",
    "measure/class_values",
    "measure/check_known_values",
    "privacy/held",
    "stack_and_deal/stack",
    "stack_and_deal/sizes",
    "stack_and_deal/stacked",
    "stack_and_deal/assigned",
    "release/boxes",
    "release/sets",
    "release/recoded",
    "release/ordered",
    "release/release",
    "release/ledger",
    "release/check_conserved",
)
_DISTANCES = ("equal", "ordered", "hierarchical")
RELATIONS = (
    *_RELATIONS,
    *dict.fromkeys(
        model.measured.format(distance=distance)
        for model in MODELS
        if model.per not in ("background", "guard")  # refused there
        for distance in _DISTANCES
    ),
)
_NOTE = "{# Written from sql_templates/%s.sql.j2; change that, and write this anew. #}\n"


def macro_files() -> dict[str, str]:
    """Every generated file of the package, by its name in ``dbt/macros/relations``."""
    files, shared = {}, set()
    for name in RELATIONS:
        files[_file(name)] = relation_macro(name)
        shared |= set(imported(load_template(name, "portable").text).values())
    for name in shared:
        text = template_text(name)
        files[f"shared_{_file(name)}"] = _NOTE % name + in_dbt(text, LISTS)
        for one in (one for folder in folders(text) for one in macro_names(folder)):
            own = _NOTE % one + in_dbt(template_text(one), LISTS, f"{_stem(one)}_")
            files[f"shared_{_file(one)}"] = own
    return files


def _file(name: str) -> str:
    return f"{_stem(name)}.sql"


def _stem(name: str) -> str:
    return name.partition("/")[2].replace("/", "_")


def relation_macro(name: str) -> str:
    """A template as the macro ``select_<relation>`` of its inputs and parameters."""
    text = load_template(name, "portable").text
    head = f"{{% macro select_{name.partition('/')[2]}({', '.join(signature(name))}) %}}\n"
    return f"{_NOTE % name}{head}{in_dbt(text, LISTS).rstrip()}\n{{% endmacro %}}\n"


def signature(name: str) -> list[str]:
    """The arguments of a template's macro: its inputs, then its parameters."""
    template = load_template(name, "portable")
    inputs = [one for one in template.inputs if "*" not in one]
    return [*inputs, *sorted(template.variables() - set(inputs))]
