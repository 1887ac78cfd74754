{# Written from the registry of privacy models. No sensitive value makes up more of a class than this share: r₁ / N ≤ α. #}
{% test alpha(model, quasi_identifiers, sensitive, alpha, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- set bound = sqlanon.fraction(alpha, "alpha") %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_model as (
{{ sqlanon.select_alpha(classes="sqlanon_classes", class_values="sqlanon_class_values") }}
)
{%- set missed = "classes that miss alpha of " ~ alpha %}
{{- sqlanon.findings(missed, "max", bound, unknown=false, strict=false) }}
{% endtest %}
