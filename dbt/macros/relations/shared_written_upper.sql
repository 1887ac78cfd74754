{# Written from sql_templates/macros/written/upper.sql.j2; change that, and write this anew. #}
{# The greatest value; NULL where the extent begins with NULL, code 0. #}
{% macro written_upper_cell(column) -%}
case when boxes.{{ column.attribute }}_low > 0 then high_{{ column.attribute }}.{% if column.typed %}value{% else %}level_0{% endif %} end
{%- endmacro %}