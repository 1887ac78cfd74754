{# Written from the registry of privacy models. The sensitive values of every class are distributed as in the whole table, within t: D(P, Q) ≤ t. With
   distance: ordered the values lie in a row, in their natural order, by frequency, or as a list
   gives them; with distance: hierarchical they are leaves of a hierarchy, a line for each with its
   groups upwards. #}
{% test t_closeness(model, quasi_identifiers, sensitive, t, distance="equal", order="natural", hierarchy=none, reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- do sqlanon.refuse_distance(distance, hierarchy) -%}
{%- set threshold = sqlanon.fraction(t, "t") %}
{%- set bound = dict(threshold, least=false, strict=false) %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference, order, hierarchy) }},

{%- if distance == "hierarchical" %}

sqlanon_measured_t_closeness_s1 as (
{{ sqlanon.select_t_hierarchical(
    classes="sqlanon_classes", class_values="sqlanon_class_values_s1", positions="sqlanon_positions_s1",
    height=hierarchy[0] | length
) }}
),
{%- elif distance == "ordered" %}

sqlanon_measured_t_closeness_s1 as (
{{ sqlanon.select_t_ordered(
    classes="sqlanon_classes", class_values="sqlanon_class_values_s1", positions="sqlanon_positions_s1"
) }}
),
{%- else %}

sqlanon_measured_t_closeness_s1 as (
{{ sqlanon.select_t_equal(
    classes="sqlanon_classes", class_values="sqlanon_class_values_s1", positions="sqlanon_positions_s1"
) }}
),
{%- endif %}

sqlanon_held as (
{{ sqlanon.select_held(models=[{"number": 1, "relation": "sqlanon_measured_t_closeness_s1", "bound": bound}]) }}
)

{{ sqlanon.findings(
    "classes farther than %s" | format(t), "sqlanon_measured_t_closeness_s1", "max", unknown=true
) }}
{% endtest %}
