{# Every class holds at least l distinct sensitive values, NULL among them. #}
{% test l_diversity(model, quasi_identifiers, sensitive, l) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- set least = sqlanon.whole(l, "l") %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive) }},

sqlanon_measured_model as (
{{ sqlanon.select_distinct_l("sqlanon_classes", "sqlanon_class_values") }}
)
{{- sqlanon.findings(
    "classes of fewer than " ~ least ~ " values", "min", {"numerator": least, "denominator": 1}
) }}
{% endtest %}
