{# Written from sql_templates/privacy/alpha.sql.j2; change that, and write this anew. #}
{% macro select_alpha(classes, class_values) %}
-- relation: alpha
-- grain: one row per equivalence class
-- inputs: classes, class_values
-- outputs: class_id, value, amount, scale
-- paper: Wong et al. 2006, (alpha, k)-anonymity
-- The share of the most frequent sensitive value: at most alpha.
with most_frequent as (
    select
        class_values.class_id,
        max(class_values.records) as records
    from {{ class_values }} as class_values
    group by class_values.class_id
)

select
    classes.class_id,
    cast(most_frequent.records as {{ sqlanon.double() }}) / classes.records as value,
    cast(most_frequent.records as decimal(38, 0)) as amount,
    cast(classes.records as decimal(38, 0)) as scale
from {{ classes }} as classes
inner join most_frequent
    on classes.class_id = most_frequent.class_id
{% endmacro %}
