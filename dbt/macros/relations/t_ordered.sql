{# Written from sql_templates/privacy/t_ordered.sql.j2; change that, and write this anew. #}
{% macro select_t_ordered(classes, class_values, positions) %}
-- relation: t_ordered
-- grain: one row per equivalence class
-- inputs: classes, class_values, positions
-- outputs: class_id, value, amount, scale
-- paper: Li, Li & Venkatasubramanian 2007, §4.1; Gowda 2023, §3.6; ordered ground distance
-- The sum over the ordered values of |cumulated share in the class - cumulated share in the table|,
-- over (values - 1). A class holds few of the values, and between two of them its own cumulated
-- count stands still: that stretch is summed in closed form from prefix sums of the table alone.
-- With N records in the class, n in the table, K cumulated in the class and F_i in the table:
--   T(K, i) = sum over the first i values of |F_t N - K n|
--           = i K n - S_i N                              before the crossing x: the first F_x N >= K n,
--           = (2 (x - 1) - i) K n + (S_i - 2 S_x-1) N    from it on,     S_i = F_1 + … + F_i.
with {{ sqlanon.prefixes(positions) }},

steps as (
    select
        classes.class_id,
        cast(classes.records as decimal(38, 0)) as group_records,
        class_values.code,
        cast(
            sum(class_values.records) over (
                partition by class_values.class_id
                order by class_values.position
                rows unbounded preceding
            ) as bigint
        ) as reached,
        class_values.records
    from {{ class_values }} as class_values
    inner join {{ classes }} as classes
        on class_values.class_id = classes.class_id
),

{{ sqlanon.moved(["class_id"]) }}

select
    distances.class_id,
    cast(distances.moved as {{ sqlanon.double() }}) / cast(distances.scale as {{ sqlanon.double() }}) as value,
    distances.moved as amount,
    distances.scale
from distances
{% endmacro %}
