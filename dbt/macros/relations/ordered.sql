{# Written from sql_templates/release/ordered.sql.j2; change that, and write this anew. #}
{% macro select_ordered(assigned, recoded, insensitive, sensitive) %}
-- relation: ordered
-- grain: one row per record
-- inputs: assigned, recoded
-- outputs: ordinal, s*, x*
-- paper: none
-- The record as the release will show it and nothing else, in an order of its own: the published
-- tuple stands as its ordinal, a sensitive value as its code. The release is written from this
-- alone, so where a row stands cannot tell more than its cells do. Narrow rows sort fast.
select
    recoded.ordinal{{ sqlanon.comma_if(sensitive or insensitive) }}
{%- for column in sensitive %}
    assigned.{{ column.alias }}{{ sqlanon.comma(loop, insensitive) }}
{%- endfor %}
{%- for column in insensitive %}
    assigned.{{ column.alias }}{{ sqlanon.comma(loop) }}
{%- endfor %}
from {{ assigned }} as assigned
inner join {{ recoded }} as recoded
    on assigned.class_id = recoded.class_id
order by
    recoded.ordinal{{ sqlanon.comma_if(sensitive or insensitive) }}
{%- for column in sensitive %}
    assigned.{{ column.alias }}{{ sqlanon.comma(loop, insensitive) }}
{%- endfor %}
{%- for column in insensitive %}
    assigned.{{ column.alias }}{% if column.tie_breaker %}, {{ column.tie_breaker }}(assigned.{{ column.alias }}){% endif %}{{ sqlanon.comma(loop) }}
{%- endfor %}
{% endmacro %}
