{# In every class the sensitive values are distributed as in the reference table, which is the model
   itself unless another is named: the earth mover's distance is at most t. With distance: ordered
   the values lie in a row, in their natural order, by frequency, or as a list gives them. #}
{% test t_closeness(model, quasi_identifiers, sensitive, t, distance="equal", order="natural", reference=none) %}
{{ config(fail_calc="coalesce(sum(findings), 0)") }}
{%- if distance not in ("equal", "ordered") -%}
{{ exceptions.raise_compiler_error("sqlanon: distance must be equal or ordered, not " ~ distance) }}
{%- endif -%}
{%- set most = sqlanon.fraction(t, "t") %}
{{ sqlanon.measured_classes(model, quasi_identifiers, sensitive, reference, order) }},

sqlanon_measured_model as (
{%- if distance == "equal" %}
{{ sqlanon.select_t_equal("sqlanon_classes", "sqlanon_class_values", "sqlanon_positions") }}
{%- else %}
{{ sqlanon.select_t_ordered("sqlanon_classes", "sqlanon_class_values", "sqlanon_positions") }}
{%- endif %}
)
{{- sqlanon.findings("classes farther than " ~ t, "max", most, unknown=true) }}
{% endtest %}
