"""The package's generic tests, one for each privacy model of the registry.

The registry also has what a test must know of its model. The model is measured and held as in the
plan of a spec that asks for nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from sqlanon.dbt.calls import Expression, cases, filled, joined
from sqlanon.dbt.jinja import PACKAGE
from sqlanon.dbt.plans import DOMAINS, MEASURING, Domain
from sqlanon.measure.asked import Asked
from sqlanon.plan import Step, needed, work
from sqlanon.planning.pattern import RELEASE, pattern, steps_of, with_arguments
from sqlanon.privacy import MODELS
from sqlanon.privacy.model import PrivacyModel
from sqlanon.spec import Sensitive
from sqlanon.sql.names import exact

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
_REFUSED = """\
{%- if execute and target.type == "postgres" -%}
{{ exceptions.raise_compiler_error("sqlanon: the test @name@ is not offered on PostgreSQL") }}
{%- endif -%}
"""
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
    refused = "" if model.dbt.on_postgres else _REFUSED
    made = {f'distance == "{one.distance}"': _steps(model, one) for one in _domains(model)}
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
    return [one for one in MODELS if one.per in ("release", "sensitive") and one.of_any_table]


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
    there = [view.classes, *view.class_values.values(), *(one.positions for one in view.sensitive)]
    steps = needed(steps_of(prepared), [work("held")], [RELEASE, *there])
    bound = {"place": 1, "relation": steps[0].output, "bound": Expression("bound")}
    taken = {name: Expression(f'{PACKAGE}.whole({name}, "{name}")') for name in model.taken}
    arguments: Mapping[str, Any] = {**domain.arguments, **taken, "models": [bound]}
    return with_arguments(steps, arguments)


def asked_of(one: Asked) -> tuple[str, dict[str, Any]] | None:
    """The test of what a spec asks for, and its arguments; None where the package has none."""
    model, threshold = one.model, one.demand.threshold
    untold = not model.of_any_table or not model.dbt.on_postgres
    if one.attribute is None or threshold is None or untold:
        return None
    distance = _distance(one.attribute.declared) if model.by_distance else {}
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
