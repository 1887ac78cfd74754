{# Written from sql_templates/dbt/measured.sql.j2; change that, and write this anew. #}
{% macro select_measured(parts) %}
-- relation: measured
-- grain: one row per equivalence class
-- inputs: part_*
-- outputs: class_id, *
-- paper: none
-- Everything that is measured in a class, side by side: what reads it need not measure again.
select
    {{ parts[0].name }}.class_id,
{%- for part in parts %}
{%- set last_part = loop.last %}
{%- for column in part.columns %}
    {{ part.name }}.{{ sqlanon.ident(column) }} as {{ sqlanon.ident((part.name ~ "_" ~ column)) }}{{ sqlanon.comma(loop, not last_part) }}
{%- endfor %}
{%- endfor %}
{%- for part in parts %}
{%- if loop.first %}
from {{ part.relation }} as {{ part.name }}
{%- else %}
inner join {{ part.relation }} as {{ part.name }}
    on {{ parts[0].name }}.class_id = {{ part.name }}.class_id
{%- endif %}
{%- endfor %}
{% endmacro %}
