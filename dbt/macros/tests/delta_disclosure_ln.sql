{# Written from the registry of privacy models. In every class the share of every sensitive value is more than 1 / e^delta and less than e^delta times that in the whole table: −δ < ln (qᵥ / pᵥ) < δ for every value v of the table. #}
{% test delta_disclosure_ln(model, quasi_identifiers, sensitive, delta, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- if execute and target.type == "postgres" -%}
{{ exceptions.raise_compiler_error("sqlanon: the test delta_disclosure_ln is not offered on PostgreSQL") }}
{%- endif -%}
{%- set bound = sqlanon.power_of_e(delta, "delta") %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_model as (
{{ sqlanon.select_delta_disclosure(classes="sqlanon_classes", class_values="sqlanon_class_values", positions="sqlanon_positions", natural=true) }}
)
{%- set missed = "classes that miss delta_disclosure_ln of " ~ delta %}
{{- sqlanon.findings(missed, "max", bound, unknown=true, strict=true) }}
{% endtest %}
