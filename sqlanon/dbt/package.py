"""The dbt package: templates, databases and privacy models as macros and generic tests.

A generic test is of a privacy model, and the registry has what it must know of that. The model is
measured and held as in the plan of a spec that asks for nothing else. The arguments of a macro,
and the use of the relations that it makes, are written by hand in ``dbt/macros``. Which relations
there are, and what each reads, is as in a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import yaml

from sqlanon.dbt.jinja import (
    PACKAGE,
    Calls,
    Expression,
    called,
    cases,
    filled,
    folders,
    imported,
    in_dbt,
    joined,
    macro_of,
    signature,
    text_of,
)
from sqlanon.dbt.project import package_folder
from sqlanon.domains.attribute import FEW
from sqlanon.measure.asked import Asked
from sqlanon.measure.view import known_values
from sqlanon.plan import Check, Step, needed, work
from sqlanon.planning.pattern import READ, RELEASE, pattern, steps_of, with_arguments
from sqlanon.privacy import MODELS
from sqlanon.privacy.model import PrivacyModel
from sqlanon.source.source import RECORDS
from sqlanon.spec import Sensitive
from sqlanon.sql.names import LISTS, exact
from sqlanon.sql.products import PRODUCTS, Building
from sqlanon.sql.rights import keep_readers, settle_rights, withhold
from sqlanon.sql.templates import load_template, macro_names, template_text

_MACRO = """\
{# Written from the plan of a run: @about@. #}
{% macro plan_of_@name@(@arguments@) -%}
@ctes@
{%- endmacro %}
"""
# A list of a test may be of any length: its distance is measured as along a long one.
_LONG = [str(value) for value in range(FEW + 1)]


@dataclass(frozen=True)
class Domain:
    """A kind of values of a sensitive attribute, on which its plan depends.

    Attributes:
        distance: the distance of a spec in whose plan the values are like that.
        condition: when they are, in dbt's Jinja; empty where nothing else holds.
        declared: what such a spec says of the attribute.
        arguments: what a macro is given in place of that.
    """

    distance: str
    condition: str
    declared: Mapping[str, Any] = field(default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)


DOMAINS = (
    Domain(
        "hierarchical",
        "hierarchy is not none",
        {"distance": "hierarchical", "hierarchy": {"tree": {"*": {"group": ["leaf"]}}}},
        {"lines": Expression("hierarchy"), "height": Expression("hierarchy[0] | length")},
    ),
    Domain(
        "ordered",
        "order is not string",
        {"distance": "ordered", "order": _LONG},
        {"order": Expression("order")},
    ),
    Domain("equal", "", arguments={"by_frequency": Expression('order == "frequency"')}),
)
# The quasi-identifiers of a table that is measured are published. It has one sensitive attribute,
# and of the table of reference no other column is read.
MEASURING = Calls({"q1": "read", "p1": "published", "s1": "sensitive"}, alone=("s1",))
_DEALING = Calls(
    {
        **{"q1": "interval", "q2": "set", "s1": "sensitive", "x1": "insensitive", "k1": "key"},
        **dict.fromkeys(("p1", "p2"), "published"),
    }
)


def plan_files() -> dict[str, str]:
    """Every macro of a plan, by the name of its file in ``dbt/macros/plans``."""
    variants = {}
    for domain in DOMAINS:
        steps, known = _class_values(domain)
        unknown = called("sqlanon_unknown", MEASURING.call(known))
        variants[domain.condition] = [*MEASURING.ctes(steps), unknown]
    accounting, even = _accounting()
    lost = called("sqlanon_lost", _DEALING.call(even))
    return {
        "classes.sql": _macro(
            "classes", "columns", "the classes of sqlanon_release", MEASURING.ctes(_classes())
        ),
        "class_values.sql": _macro(
            "class_values",
            "columns, order, hierarchy",
            "how many of each value of sqlanon_read are in every class",
            cases(variants),
        ),
        "dealing.sql": _macro(
            "dealing",
            "columns, k, stack, seed",
            "from sqlanon_read to sqlanon_release, by Stack & Deal",
            _DEALING.ctes(_dealing()),
        ),
        "accounting.sql": _macro(
            "accounting",
            "",
            "what became of sqlanon_records in sqlanon_release",
            [*_DEALING.ctes(accounting), lost],
        ),
    }


def plan_templates() -> list[str]:
    """The templates of all these plans."""
    accounting, even = _accounting()
    found: list[Step | Check] = [*_classes(), *_dealing(), *accounting, even]
    for domain in DOMAINS:
        steps, known = _class_values(domain)
        found += [*steps, known]
    return list(dict.fromkeys(step.template for step in found))


def _classes() -> list[Step]:
    """From a table to its classes."""
    prepared = pattern()
    return needed(steps_of(prepared), [prepared.publication.view.classes], [RELEASE])


def _class_values(domain: Domain) -> tuple[list[Step], Check]:
    """From a table of reference to how many of its values are in each class, and the unknown."""
    prepared = pattern(sensitive=domain.declared)
    there = [RELEASE, *(step.output for step in _classes())]
    values = prepared.publication.view.class_values.values()
    steps = needed(steps_of(prepared), values, there)
    (attribute,) = prepared.publication.view.sensitive
    return with_arguments(steps, domain.arguments), known_values(attribute)


def _dealing() -> list[Step]:
    """From the records to the release."""
    prepared = pattern(("interval", "set"), insensitive=["insensitive"], key=["key"])
    arguments = {"k": Expression("k"), "seed": Expression("seed"), "order": Expression("stack")}
    return with_arguments(needed(steps_of(prepared), [RELEASE], [READ]), arguments)


def _accounting() -> tuple[list[Step], Check]:
    """From the records and the release to what became of them."""
    prepared = pattern()
    ledger = prepared.publication.ledger
    return needed(steps_of(prepared), [ledger.relation], [RECORDS, RELEASE]), ledger.check


def _macro(name: str, arguments: str, about: str, ctes: Iterable[str]) -> str:
    said = {"about": about, "name": name, "arguments": arguments, "ctes": joined(ctes)}
    return filled(_MACRO, said)


_TEST = """\
{# Written from the registry of privacy models. @says@: @formula@.@ways@ #}
{% test @name@(@arguments@) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
@refused@{%- set threshold = sqlanon.@read@(@argument@, "@argument@") %}
{%- set bound = dict(threshold, least=@least@, strict=@strict@) %}
{{ sqlanon.measured_classes(@about@) }},

@ctes@

{{ sqlanon.findings(
    "@missed@" | format(@argument@), "@measured@", "@worst@", unknown=@unknown@
) }}
{% endtest %}
"""
_REFUSED = '{%- do sqlanon.refuse_logarithms("@name@") -%}\n'
_REFUSED_DISTANCE = "{%- do sqlanon.refuse_distance(distance, hierarchy) -%}\n"
_WAYS = """ With
   distance: ordered the values lie in a row, in their natural order, by frequency, or as a list
   gives them; with distance: hierarchical they are leaves of a hierarchy, a line for each with its
   groups upwards."""


def generic_tests() -> dict[str, str]:
    """Every test of a model, by the name of its file in ``dbt/macros/tests``."""
    return {f"{name_of(model)}.sql": _text(model) for model in _tested()}


def templates_of_tests() -> list[str]:
    """The templates of what the tests measure and hold."""
    made = ((model, domain) for model in _tested() for domain in _domains(model))
    return [step.template for model, domain in made for step in _steps(model, domain)]


def name_of(model: PrivacyModel) -> str:
    """The name of a model's test."""
    return model.dbt.name or model.name


def _text(model: PrivacyModel) -> str:
    """The text of a model's generic test."""
    argument = model.dbt.argument or model.field.name
    arguments, about = [argument], list[str]()
    if model.per == "sensitive":
        ways = [] if not model.by_distance else ["order", "hierarchy"]
        defaults = [] if not ways else ['distance="equal"', 'order="natural"', "hierarchy=none"]
        arguments = ["sensitive", argument, *model.taken, *defaults, "reference=none"]
        about = ["sensitive", "reference", *ways]
    refused = _REFUSED if model.dbt.by_logarithm else ""
    made = {f'distance == "{domain.distance}"': _steps(model, domain) for domain in _domains(model)}
    (measured,) = {steps[0].output for steps in made.values()}
    ctes = {condition: [*MEASURING.ctes(steps)] for condition, steps in made.items()}
    said = {
        "refused": refused + (_REFUSED_DISTANCE if model.by_distance else ""),
        "says": model.says[0].upper() + model.says[1:].replace("`", ""),
        "formula": model.formula,
        "ways": _WAYS if model.by_distance else "",
        "name": name_of(model),
        "arguments": ", ".join(("model", "quasi_identifiers", *arguments)),
        "argument": argument,
        "read": model.dbt.read,
        "about": ", ".join(("model", "quasi_identifiers", *about)),
        "ctes": joined(cases(ctes)),
        "missed": model.dbt.missed.format(name=model.name, threshold="%s"),
        "measured": measured.name,
        "worst": "min" if model.worst == "least" else "max",
        "unknown": str("positions" in model.reads).lower(),
        "least": str(model.worst == "least").lower(),
        "strict": str(model.strict).lower(),
    }
    return filled(_TEST, said)


def _tested() -> list[PrivacyModel]:
    """The models that have a test: those of what no release shows have none."""
    return [
        model for model in MODELS if model.per in ("release", "sensitive") and model.of_any_table
    ]


def _domains(model: PrivacyModel) -> Sequence[Domain]:
    """The kinds of values for which the model is measured in ways of their own."""
    return DOMAINS if model.by_distance else DOMAINS[-1:]


def _steps(model: PrivacyModel, domain: Domain) -> list[Step]:
    """From classes and the values in them to what holds: what measures a model, and what holds it.

    The threshold is one that a spec may have; a test is given another.
    """
    example = yaml.safe_load(model.example)
    asked = {model.field.name: example if model.form is None else {model.form: example}}
    if model.per == "release":
        prepared = pattern(privacy=asked)
    else:
        prepared = pattern(sensitive={**domain.declared, **asked})
    view = prepared.publication.view
    there = [
        view.classes,
        *view.class_values.values(),
        *(attribute.positions for attribute in view.sensitive),
    ]
    steps = needed(steps_of(prepared), [work("held")], [RELEASE, *there])
    bound = {"number": 1, "relation": steps[0].output, "bound": Expression("bound")}
    taken = {name: Expression(f'{PACKAGE}.whole({name}, "{name}")') for name in model.taken}
    arguments: Mapping[str, Any] = {**domain.arguments, **taken, "models": [bound]}
    return with_arguments(steps, arguments)


def asked_of(requirement: Asked) -> tuple[str, dict[str, Any]] | None:
    """The test of what a spec asks for, and its arguments; None where the package has none."""
    model, threshold = requirement.model, requirement.demand.threshold
    untold = not model.of_any_table or model.dbt.by_logarithm
    if requirement.attribute is None or threshold is None or untold:
        return None
    distance = _distance(requirement.attribute.declared) if model.by_distance else {}
    if distance is None:
        return None
    argument = model.dbt.argument
    held = getattr(threshold, argument) if argument else threshold
    arguments = {argument or model.field.name: held if model.whole else exact(held)}
    arguments |= {name: getattr(threshold, name) for name in model.taken}
    return name_of(model), {**arguments, **distance}


def _distance(declared: Sensitive) -> dict[str, Any] | None:
    """The arguments that say of a distance; None where a test does not have it."""
    if declared.distance == "equal":
        return {}
    if declared.distance == "ordered" and declared.order != "frequency":
        order = {"order": declared.order} if isinstance(declared.order, list) else {}
        return {"distance": "ordered", **order}
    return None


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
        for one in (name for folder in folders(text) for name in macro_names(folder)):
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
    built = {
        product.name: (product.dbt, product.capitals)
        for product in PRODUCTS.values()
        if product.dbt is not None
    }
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
