{# Written from the registry of privacy models. The most frequent sensitive value of every class is rarer than c times the rest from the l-th on: r₁ < c · (r_l + r_{l+1} + … + r_m). #}
{% test recursive_l(model, quasi_identifiers, sensitive, c, l, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- set bound = sqlanon.fraction(c, "c") %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference) }},

sqlanon_measured_model as (
{{ sqlanon.select_recursive_l(class_values="sqlanon_class_values", l=sqlanon.whole(l, "l")) }}
)
{%- set missed = "classes that miss recursive_l of " ~ c %}
{{- sqlanon.findings(missed, "max", bound, unknown=false, strict=true) }}
{% endtest %}
