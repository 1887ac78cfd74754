{# In every class the sensitive values are distributed as in the reference table, which is the model
   itself unless another is named: the earth mover's distance is at most t. With distance: ordered
   the values lie in a row, in their natural order, by frequency, or as a list gives them; with
   distance: hierarchical they are leaves of a hierarchy, a line for each with its groups upwards. #}
{% test t_closeness(
    model, quasi_identifiers, sensitive, t, distance="equal", order="natural", hierarchy=none, reference=none
) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- if distance not in ("equal", "ordered", "hierarchical") -%}
{{ exceptions.raise_compiler_error(
    "sqlanon: distance must be equal, ordered or hierarchical, not " ~ distance
) }}
{%- elif (hierarchy is not none) != (distance == "hierarchical") -%}
{{ exceptions.raise_compiler_error("sqlanon: a hierarchy goes with distance: hierarchical, and it with one") }}
{%- endif -%}
{%- set most = sqlanon.fraction(t, "t") %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference, order, hierarchy) }},

sqlanon_measured_model as (
{%- if distance == "equal" %}
{{ sqlanon.select_t_equal("sqlanon_classes", "sqlanon_class_values", "sqlanon_positions") }}
{%- elif distance == "hierarchical" %}
{{ sqlanon.select_t_hierarchical(
    "sqlanon_classes", "sqlanon_class_values", "sqlanon_positions", hierarchy[0] | length
) }}
{%- else %}
{{ sqlanon.select_t_ordered("sqlanon_classes", "sqlanon_class_values", "sqlanon_positions") }}
{%- endif %}
)
{{- sqlanon.findings("classes farther than " ~ t, "max", most, unknown=true) }}
{% endtest %}
