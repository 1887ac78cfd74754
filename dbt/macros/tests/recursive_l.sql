{# Written from the registry of privacy models. The most frequent sensitive value of every class is rarer than c times the rest from the l-th on: r₁ < c · (r_l + r_{l+1} + … + r_m). #}
{% test recursive_l(model, quasi_identifiers, sensitive, c, l, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- set threshold = sqlanon.fraction(c, "c") %}
{%- set bound = dict(threshold, least=false, strict=true) %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_recursive_l_s1 as (
{{ sqlanon.select_recursive_l(class_values="sqlanon_class_values_s1", l=sqlanon.whole(l, "l")) }}
),

sqlanon_held as (
{{ sqlanon.select_held(models=[{"number": 1, "relation": "sqlanon_measured_recursive_l_s1", "bound": bound}]) }}
)

{{ sqlanon.findings(
    "classes that miss recursive_l of %s" | format(c), "sqlanon_measured_recursive_l_s1", "max", unknown=false
) }}
{% endtest %}
