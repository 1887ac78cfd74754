{# Written from the registry of privacy models. The sensitive values of every class are as mixed as l equally frequent ones: H(Q) ≥ ln l. #}
{% test entropy_l(model, quasi_identifiers, sensitive, l, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- if execute and target.type == "postgres" -%}
{{ exceptions.raise_compiler_error("sqlanon: the test entropy_l is not offered on PostgreSQL") }}
{%- endif -%}
{%- set bound = sqlanon.logarithm(l, "l") %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_model as (
{{ sqlanon.select_entropy_l(classes="sqlanon_classes", class_values="sqlanon_class_values") }}
)
{%- set missed = "classes that miss entropy_l of " ~ l %}
{{- sqlanon.findings(missed, "min", bound, unknown=false, strict=false) }}
{% endtest %}
