"""The templates as macros of the dbt package, so that both have one text.

dbt reads Jinja too, but it knows neither our filters nor the helpers that join lists, and it keeps
the line that a block stands on. Nothing else of a template is changed.
"""

from __future__ import annotations

import re

from sqlanon.sql import load_template, template_text

# What the package's tests and its Stack & Deal are made of.
RELATIONS = (
    "source/records",
    "source/size",
    "source/values_in_use",
    "source/coded",
    "hierarchies/domain_flat",
    "hierarchies/domain_listed",
    "hierarchies/listed_order",
    "hierarchies/positions",
    "measure/classes",
    "measure/class_values",
    "measure/check_known_values",
    "privacy/k_anonymity",
    "privacy/distinct_l",
    "privacy/t_equal",
    "privacy/t_ordered",
    "stack_and_deal/stack",
    "stack_and_deal/sizes",
    "stack_and_deal/stacked",
    "stack_and_deal/assigned",
    "release/boxes",
    "release/sets",
    "release/recoded",
    "release/ordered",
    "release/release",
    "release/check_conserved",
)
_IMPORT = re.compile(r"\{% from \"(macros/\w+)\.sql\.j2\" import (.+) %\}\n")
_HELPERS = (
    (r"comma_space\(loop\)", '", " if not loop.last'),
    (r"comma\(loop\)", '"," if not loop.last'),
    (r"comma\(loop, (.+)\)", r'"," if not loop.last or \1'),
    (r"comma_if\((.+)\)", r'"," if \1'),
    (r"and_if\((.+)\)", r'"and " if \1'),
    (r"plus_between\(loop\)", '" + " if not loop.last'),
    (r"([\w.]+) \| ident", r"adapter.quote(\1)"),
    (r"([\w.]+) \| literal", r"sqlanon.literal(\1)"),
    (r" \| sql\b", ""),
)
_NOTE = "{# Written from sql_templates/%s.sql.j2; change that, and write this anew. #}\n"


def macro_files() -> dict[str, str]:
    """Every generated file of the package, by its name in ``dbt/macros/relations``."""
    files, shared = {}, set()
    for name in RELATIONS:
        files[_file(name)] = relation_macro(name)
        shared |= {found[1] for found in _IMPORT.finditer(load_template(name, "portable").text)}
    for name in shared:
        files[f"shared_{_file(name)}"] = _NOTE % name + _in_dbt(template_text(name))
    return files


def _file(name: str) -> str:
    return f"{name.partition('/')[2]}.sql"


def relation_macro(name: str) -> str:
    """A template as the macro ``select_<relation>`` of its inputs and parameters."""
    template = load_template(name, "portable")
    inputs = [one for one in template.inputs if "*" not in one]
    params = sorted(template.variables() - set(inputs))
    text = template.text
    for imported in _IMPORT.finditer(template.text):
        macros = imported[2].replace(", ", "|")
        text = re.sub(rf"(?<!\w)({macros})\(", r"sqlanon.\1(", text.replace(imported[0], ""))
    head = f"{{% macro select_{name.partition('/')[2]}({', '.join([*inputs, *params])}) %}}\n"
    return _NOTE % name + head + _in_dbt(text).rstrip() + "\n{% endmacro %}\n"


def _in_dbt(text: str) -> str:
    text = re.sub(r"\{\{(.*?)\}\}", lambda found: "{{" + _expression(found[1]) + "}}", text)
    text = text.replace("as double)", "as {{ sqlanon.double() }})")
    # A line that holds a block alone leaves nothing behind.
    return re.sub(r"^[ \t]*\{% (?!macro|endmacro)(.*) %\}$", r"{%- \1 %}", text, flags=re.MULTILINE)


def _expression(text: str) -> str:
    for pattern, replacement in _HELPERS:
        text = re.sub(pattern, replacement, text)
    return text
