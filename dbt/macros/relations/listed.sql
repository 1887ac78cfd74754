{# Written from sql_templates/domains/listed.sql.j2; change that, and write this anew. #}
{% macro select_listed(height, lines) %}
-- relation: listed
-- grain: one row per leaf that the hierarchy lists
-- inputs: none
-- outputs: level_*
-- paper: none
-- The cast gives every engine text of one kind and one order.
select
{%- for level in range(height) %}
    cast(listed.level_{{ level }} as {{ dbt.type_string() }}) as level_{{ level }}{{ sqlanon.comma(loop) }}
{%- endfor %}
from (
    values
{%- for line in lines %}
    ({% for label in line %}{{ sqlanon.literal(label) }}{{ sqlanon.comma_space(loop) }}{% endfor %}){{ sqlanon.comma(loop) }}
{%- endfor %}
) as listed ({% for level in range(height) %}level_{{ level }}{{ sqlanon.comma_space(loop) }}{% endfor %})
{% endmacro %}
