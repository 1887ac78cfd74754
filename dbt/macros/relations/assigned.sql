{# Written from sql_templates/methods/stack_and_deal/assigned.sql.j2; change that, and write this anew. #}
{% macro select_assigned(stacked, sizes, columns) %}
-- relation: assigned
-- grain: one row per record
-- inputs: stacked, sizes
-- outputs: class_id, q*, s*, x*
-- paper: Gowda 2023, §3.3.2
-- Deal the stack like cards: the record at place i goes to class i modulo the number of classes.
select
    stacked.position % sizes.classes as class_id,
{%- for column in columns %}
    stacked.{{ column }}{{ sqlanon.comma(loop) }}
{%- endfor %}
from {{ stacked }} as stacked
cross join {{ sizes }} as sizes
{% endmacro %}
