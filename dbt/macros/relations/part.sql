{# Written from sql_templates/dbt/part.sql.j2; change that, and write this anew. #}
{% macro select_part(measured, columns, kept) %}
-- relation: part
-- grain: one row per equivalence class
-- inputs: measured
-- outputs: class_id, *
-- paper: none
select
    measured.class_id,
{%- for column in columns %}
    measured.{{ sqlanon.ident((kept ~ "_" ~ column)) }} as {{ sqlanon.ident(column) }}{{ sqlanon.comma(loop) }}
{%- endfor %}
from {{ measured }} as measured
{% endmacro %}
