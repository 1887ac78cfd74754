{# Written from the registry of privacy models. In no class does the share of a sensitive value exceed that in the whole table by more than beta times that, and frequent values are held closer, so that none is certain: (qᵥ − pᵥ) / pᵥ ≤ min(β, −ln pᵥ) for every value v with qᵥ > pᵥ. #}
{% test enhanced_beta_likeness(model, quasi_identifiers, sensitive, beta, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- set bound = sqlanon.fraction(beta, "beta") %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_model as (
{{ sqlanon.select_beta_likeness(classes="sqlanon_classes", class_values="sqlanon_class_values", positions="sqlanon_positions", enhanced=true) }}
)
{%- set missed = "classes that miss enhanced_beta_likeness of " ~ beta %}
{{- sqlanon.findings(missed, "max", bound, unknown=true, strict=false) }}
{% endtest %}
