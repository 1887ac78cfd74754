{# Written from sql_templates/domains/listed_order.sql.j2; change that, and write this anew. #}
{% macro select_listed_order(order) %}
-- relation: listed
-- grain: one row per value of the declared order
-- inputs: none
-- outputs: code, level_0
-- paper: none
-- The cast gives every engine text of one kind and one order.
select
    listed.code,
    cast(listed.level_0 as {{ dbt.type_string() }}) as level_0
from (
    values
{%- for label in order %}
    ({{ loop.index }}, {{ sqlanon.literal(label) }}){{ sqlanon.comma(loop) }}
{%- endfor %}
) as listed (code, level_0)
{% endmacro %}
