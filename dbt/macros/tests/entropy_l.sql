{# Written from the registry of privacy models. The sensitive values of every class are as mixed as l equally frequent ones: H(Q) ≥ ln l. #}
{% test entropy_l(model, quasi_identifiers, sensitive, l, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- do sqlanon.refuse_logarithms("entropy_l") -%}
{%- set threshold = sqlanon.logarithm(l, "l") %}
{%- set bound = dict(threshold, least=true, strict=false) %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_entropy_l_s1 as (
{{ sqlanon.select_entropy_l(classes="sqlanon_classes", class_values="sqlanon_class_values_s1") }}
),

sqlanon_held as (
{{ sqlanon.select_held(models=[{"number": 1, "relation": "sqlanon_measured_entropy_l_s1", "bound": bound}]) }}
)

{{ sqlanon.findings(
    "classes that miss entropy_l of %s" | format(l), "sqlanon_measured_entropy_l_s1", "min", unknown=false
) }}
{% endtest %}
