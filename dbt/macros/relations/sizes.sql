{# Written from sql_templates/methods/stack_and_deal/sizes.sql.j2; change that, and write this anew. #}
{% macro select_sizes(stack, k) %}
-- relation: sizes
-- grain: one row
-- inputs: stack
-- outputs: records, classes
-- paper: Gowda 2023, §3.3.2: e = floor(n / k)
with counted as (
    select cast(sum(stack.frequency) as bigint) as records
    from {{ stack }} as stack
)

select
    counted.records,
    cast((counted.records - counted.records % {{ k }}) / {{ k }} as bigint) as classes
from counted
{% endmacro %}
