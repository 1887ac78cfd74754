{# Written from the registry of privacy models. In every class the share of every sensitive value is more than 1 / e^delta and less than e^delta times that in the whole table: −δ < ln (qᵥ / pᵥ) < δ for every value v of the table. #}
{% test delta_disclosure_ln(model, quasi_identifiers, sensitive, delta, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- do sqlanon.refuse_logarithms("delta_disclosure_ln") -%}
{%- set threshold = sqlanon.power_of_e(delta, "delta") %}
{%- set bound = dict(threshold, least=false, strict=true) %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_delta_disclosure_ln_s1 as (
{{ sqlanon.select_delta_disclosure(
    classes="sqlanon_classes", class_values="sqlanon_class_values_s1", positions="sqlanon_positions_s1", natural=true
) }}
),

sqlanon_held as (
{{ sqlanon.select_held(models=[{"number": 1, "relation": "sqlanon_measured_delta_disclosure_ln_s1", "bound": bound}]) }}
)

{{ sqlanon.findings(
    "classes that miss delta_disclosure_ln of %s" | format(delta), "sqlanon_measured_delta_disclosure_ln_s1", "max", unknown=true
) }}
{% endtest %}
