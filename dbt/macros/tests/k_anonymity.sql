{# Every combination of the quasi-identifiers is shared by at least k records; NULL is a value. #}
{% test k_anonymity(model, quasi_identifiers, k) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- set least = sqlanon.whole(k, "k") %}
{{ sqlanon.measured_classes(model, quasi_identifiers) }},

sqlanon_measured_model as (
{{ sqlanon.select_k_anonymity("sqlanon_classes") }}
)
{{- sqlanon.findings(
    "classes of fewer than " ~ least ~ " records", "min", {"numerator": least, "denominator": 1}
) }}
{% endtest %}
