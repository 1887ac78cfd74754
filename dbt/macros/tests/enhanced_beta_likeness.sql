{# Written from the registry of privacy models. In no class does the share of a sensitive value exceed that in the whole table by more than beta times that; frequent values are held closer, so that none is certain: (qᵥ − pᵥ) / pᵥ ≤ min(β, −ln pᵥ) for every value v with qᵥ > pᵥ. #}
{% test enhanced_beta_likeness(model, quasi_identifiers, sensitive, beta, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- set threshold = sqlanon.fraction(beta, "beta") %}
{%- set bound = dict(threshold, least=false, strict=false) %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_enhanced_beta_likeness_s1 as (
{{ sqlanon.select_beta_likeness(
    classes="sqlanon_classes", class_values="sqlanon_class_values_s1", positions="sqlanon_positions_s1", enhanced=true
) }}
),

sqlanon_held as (
{{ sqlanon.select_held(
    models=[{"number": 1, "relation": "sqlanon_measured_enhanced_beta_likeness_s1", "bound": bound}]
) }}
)

{{ sqlanon.findings(
    "classes that miss enhanced_beta_likeness of %s" | format(beta), "sqlanon_measured_enhanced_beta_likeness_s1", "max", unknown=true
) }}
{% endtest %}
