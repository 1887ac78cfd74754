{# Written from sql_templates/privacy/t_listed.sql.j2; change that, and write this anew. #}
{% macro select_t_listed(classes, class_values, positions) %}
-- relation: t_listed
-- grain: one row per equivalence class
-- inputs: classes, class_values, positions
-- outputs: class_id, value, amount, scale
-- paper: Li, Li & Venkatasubramanian 2007, §4.1; Gowda 2023, §3.6; ordered ground distance
-- The sum over the ordered values of |cumulated share in the class - cumulated share in the table|,
-- over (values - 1). The values are listed, and so few that every class is laid out over all of them.
with cumulated as (
    select
        classes.class_id,
        cast(classes.records as decimal(38, 0)) as group_records,
        sum(cast(positions.records as decimal(38, 0))) over (partition by classes.class_id) as whole,
        sum(coalesce(class_values.records, 0)) over (partition by classes.class_id order by positions.position rows unbounded preceding) as reached,
        sum(positions.records) over (partition by classes.class_id order by positions.position rows unbounded preceding) as below
    from {{ classes }} as classes
    cross join {{ positions }} as positions
    left join {{ class_values }} as class_values
        on classes.class_id = class_values.class_id and positions.code = class_values.code
),

distances as (
    select
        cumulated.class_id,
        sum(abs(cumulated.below * cumulated.group_records - cumulated.reached * cumulated.whole)) as moved,
        cumulated.group_records * cumulated.whole * greatest(count(*) - 1, 1) as scale
    from cumulated
    group by cumulated.class_id, cumulated.group_records, cumulated.whole
)

select
    distances.class_id, cast(distances.moved as {{ sqlanon.double() }}) / cast(distances.scale as {{ sqlanon.double() }}) as value, distances.moved as amount, distances.scale
from distances
{% endmacro %}
