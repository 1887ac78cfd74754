{# Written from sql_templates/privacy/distinct_l.sql.j2; change that, and write this anew. #}
{% macro select_distinct_l(class_values) %}
-- relation: distinct_l
-- grain: one row per equivalence class
-- inputs: class_values
-- outputs: class_id, value, amount, scale
-- paper: Machanavajjhala et al. 2007; Gowda 2023, §2.6.1
-- How many distinct sensitive values the class holds, NULL among them: at least l.
select
    class_values.class_id, count(*) as value, cast(count(*) as decimal(38, 0)) as amount, 1 as scale
from {{ class_values }} as class_values
group by class_values.class_id
{% endmacro %}
