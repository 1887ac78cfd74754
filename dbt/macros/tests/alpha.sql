{# Written from the registry of privacy models. No sensitive value makes up more of a class than this share: r₁ / N ≤ α. #}
{% test alpha(model, quasi_identifiers, sensitive, alpha, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- set threshold = sqlanon.fraction(alpha, "alpha") %}
{%- set bound = dict(threshold, least=false, strict=false) %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_alpha_s1 as (
{{ sqlanon.select_alpha(classes="sqlanon_classes", class_values="sqlanon_class_values_s1") }}
),

sqlanon_held as (
{{ sqlanon.select_held(models=[{"number": 1, "relation": "sqlanon_measured_alpha_s1", "bound": bound}]) }}
)

{{ sqlanon.findings(
    "classes that miss alpha of %s" | format(alpha), "sqlanon_measured_alpha_s1", "max", unknown=false
) }}
{% endtest %}
