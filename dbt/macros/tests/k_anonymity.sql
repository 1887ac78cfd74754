{# Written from the registry of privacy models. Every class has at least k records: N ≥ k. #}
{% test k_anonymity(model, quasi_identifiers, k) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- set threshold = sqlanon.whole_bound(k, "k") %}
{%- set bound = dict(threshold, least=true, strict=false) %}
{{ sqlanon.measured_classes(model, quasi_identifiers) }},

sqlanon_measured_k_anonymity as (
{{ sqlanon.select_k_anonymity(classes="sqlanon_classes") }}
),

sqlanon_held as (
{{ sqlanon.select_held(models=[{"number": 1, "relation": "sqlanon_measured_k_anonymity", "bound": bound}]) }}
)

{{ sqlanon.findings(
    "classes of fewer than %s records" | format(k), "sqlanon_measured_k_anonymity", "min", unknown=false
) }}
{% endtest %}
