{# Written from the registry of privacy models. Every class holds at least l different sensitive values: m ≥ l. #}
{% test l_diversity(model, quasi_identifiers, sensitive, l, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- set threshold = sqlanon.whole_bound(l, "l") %}
{%- set bound = dict(threshold, least=true, strict=false) %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_distinct_l_s1 as (
{{ sqlanon.select_distinct_l(class_values="sqlanon_class_values_s1") }}
),

sqlanon_held as (
{{ sqlanon.select_held(models=[{"number": 1, "relation": "sqlanon_measured_distinct_l_s1", "bound": bound}]) }}
)

{{ sqlanon.findings(
    "classes of fewer than %s values" | format(l), "sqlanon_measured_distinct_l_s1", "min", unknown=false
) }}
{% endtest %}
