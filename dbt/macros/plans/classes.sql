{# Written from the plan of a run: the classes of sqlanon_release. #}
{% macro plan_of_classes(columns) -%}
sqlanon_measured as (
{{ sqlanon.select_records(source="sqlanon_release", columns=sqlanon.columns_of(columns, ["published", "sensitive"])) }}
),

sqlanon_classes as (
{{ sqlanon.select_classes(measured="sqlanon_measured", published=sqlanon.aliases_of(columns, ["published"])) }}
)
{%- endmacro %}
