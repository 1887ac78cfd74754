"""The package's generic tests of a sensitive attribute, one for each privacy model of the registry.

What a test is to know of its model is there, too. Two are written by hand: `l_diversity`, by the
name that everybody knows, and `t_closeness`, which has several distances.
"""

from __future__ import annotations

from typing import Any

from sqlanon.dbt.jinja import PACKAGE
from sqlanon.dbt.macros import signature
from sqlanon.measure import Asked
from sqlanon.privacy import MODELS, PrivacyModel
from sqlanon.spec import Sensitive
from sqlanon.sql.names import exact

_TEST = """\
{# Written from the registry of privacy models. @says@: @formula@. #}
{% test @name@(model, quasi_identifiers, sensitive, @arguments@, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
@refused@{%- set bound = sqlanon.@read@(@argument@, "@argument@") %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_model as (
{{ sqlanon.select_@template@(@given@) }}
)
{%- set missed = "classes that miss @name@ of " ~ @argument@ %}
{{- sqlanon.findings(missed, "@worst@", bound, unknown=@unknown@, strict=@strict@) }}
{% endtest %}
"""
_REFUSED = """\
{%- if execute and target.type == "postgres" -%}
{{ exceptions.raise_compiler_error("sqlanon: the test @name@ is not offered on PostgreSQL") }}
{%- endif -%}
"""


def generated() -> list[PrivacyModel]:
    """The models whose tests are written from the registry."""
    return [one for one in MODELS if one.per == "sensitive" and not one.dbt.by_hand]


def file_of(model: PrivacyModel) -> str:
    """The text of a model's generic test."""
    argument = model.dbt.argument or model.field.name
    params = {name: str(value).lower() for name, value in model.fixed.items()}
    params |= {name: f'{PACKAGE}.whole({name}, "{name}")' for name in model.taken}
    given = [
        f'{one}="sqlanon_{one}"' if one in model.reads else f"{one}={params[one]}"
        for one in signature(model.measured)
    ]
    said = {
        "refused": "" if model.dbt.on_postgres else _REFUSED,
        "says": model.says[0].upper() + model.says[1:].replace("`", ""),
        "formula": model.formula,
        "name": model.name,
        "arguments": ", ".join((argument, *model.taken)),
        "argument": argument,
        "read": model.dbt.read,
        "template": model.measured.rpartition("/")[2],
        "given": ", ".join(given),
        "worst": "min" if model.worst == "least" else "max",
        "unknown": str("positions" in model.reads).lower(),
        "strict": str(model.strict).lower(),
    }
    text = _TEST
    for name, value in said.items():
        text = text.replace(f"@{name}@", value)
    return text


def asked_of(one: Asked) -> tuple[str, dict[str, Any]] | None:
    """The test of what a spec asks for, and its arguments; None where the package has none."""
    model, threshold = one.model, one.demand.threshold
    if one.attribute is None or threshold is None or not model.dbt.on_postgres:
        return None
    distance = _distance(one.attribute.declared) if model.by_distance else {}
    if distance is None:
        return None
    argument = model.dbt.argument
    held = getattr(threshold, argument) if argument else threshold
    arguments = {argument or model.field.name: held if model.whole else exact(held)}
    arguments |= {name: getattr(threshold, name) for name in model.taken}
    return model.dbt.by_hand or model.name, {**arguments, **distance}


def _distance(declared: Sensitive) -> dict[str, Any] | None:
    """The arguments that say of a distance; None where a test does not have it."""
    if declared.distance == "equal":
        return {}
    if declared.distance == "ordered" and declared.order != "frequency":
        order = {"order": declared.order} if isinstance(declared.order, list) else {}
        return {"distance": "ordered", **order}
    return None
