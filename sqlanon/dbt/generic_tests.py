"""The package's generic tests of a sensitive attribute, one for each privacy model of the registry.

Two are written by hand: `l_diversity`, by the name that everybody knows, and `t_closeness`, which
has several distances.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sqlanon.dbt.jinja import PACKAGE
from sqlanon.dbt.macros import signature
from sqlanon.measure import Asked
from sqlanon.privacy import MODELS, PrivacyModel
from sqlanon.privacy.delta_disclosure import DELTA, DELTA_LN
from sqlanon.privacy.l_diversity import DISTINCT_L, ENTROPY_L, RECURSIVE_L
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.spec import Sensitive
from sqlanon.sql.names import exact

_BY_HAND = (DISTINCT_L, T_CLOSENESS)
# The arguments of a test, where they are not the field of a spec: each with what reads it.
_ARGUMENTS = {RECURSIVE_L: {"c": "fraction", "l": "whole"}}
# What reads the argument where the threshold is no fraction as it is written.
_READ = {ENTROPY_L: "logarithm", DELTA: "power_of_2", DELTA_LN: "power_of_e"}
# Their values are rounded as PostgreSQL does not round: a release's own checks hold them there.
_NOT_ON_POSTGRES = (ENTROPY_L, DELTA, DELTA_LN)
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
    return [one for one in MODELS if one.per == "sensitive" and one not in _BY_HAND]


def file_of(model: PrivacyModel) -> str:
    """The text of a model's generic test."""
    arguments = _ARGUMENTS.get(model, {model.field.name: _READ.get(model, "fraction")})
    first, *others = arguments
    constant = model.params(Fraction(1)) if not others else {}
    params = {name: str(value).lower() for name, value in constant.items()}
    params |= {name: f'{PACKAGE}.{arguments[name]}({name}, "{name}")' for name in others}
    given = [
        f'{one}="sqlanon_{one}"' if one in model.reads else f"{one}={params[one]}"
        for one in signature(model.measured)
    ]
    said = {
        "refused": _REFUSED if model in _NOT_ON_POSTGRES else "",
        "says": model.says[0].upper() + model.says[1:].replace("`", ""),
        "formula": model.formula,
        "name": model.name,
        "arguments": ", ".join(arguments),
        "argument": first,
        "read": arguments[first],
        "template": model.measured.partition("/")[2],
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
    if one.attribute is None or threshold is None or model in _NOT_ON_POSTGRES:
        return None
    declared = one.attribute.declared
    if model is DISTINCT_L:
        return "l_diversity", {"l": threshold}
    if model is RECURSIVE_L:
        return model.name, {"c": exact(threshold.c), "l": threshold.l}
    if model is not T_CLOSENESS or not isinstance(declared, Sensitive):
        return model.name, {model.field.name: one.shown}
    if declared.distance == "equal":
        return model.name, {"t": one.shown}
    if declared.distance == "ordered" and declared.order != "frequency":
        order = {"order": declared.order} if isinstance(declared.order, list) else {}
        return model.name, {"t": one.shown, "distance": "ordered", **order}
    return None
