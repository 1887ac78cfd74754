{# Written from sql_templates/macros/written/found.sql.j2; change that, and write this anew. #}
{# The cell that the form's own step has found for the class. #}
{% macro written_found_cell(column) -%}
sets_{{ column.attribute }}.label
{%- endmacro %}