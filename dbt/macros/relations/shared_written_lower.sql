{# Written from sql_templates/macros/written/lower.sql.j2; change that, and write this anew. #}
{# The least value; NULL where the extent begins with NULL, code 0. #}
{% macro written_lower_cell(column) -%}
case when boxes.{{ column.attribute }}_low > 0 then low_{{ column.attribute }}.{% if column.typed %}value{% else %}level_0{% endif %} end
{%- endmacro %}