{# Written from sql_templates/privacy/t_ordered.sql.j2; change that, and write this anew. #}
{% macro select_t_ordered(classes, class_values, positions) %}
-- relation: t_ordered
-- grain: one row per equivalence class
-- inputs: classes, class_values, positions
-- outputs: class_id, value, amount, scale
-- paper: Li, Li & Venkatasubramanian 2007, §4.1; Gowda 2023, §3.6; ordered ground distance
-- The sum over the ordered values of |cumulated share in the class - cumulated share in the table|,
-- over (values - 1): so far must the table's records move, in order, to become the class's. Let N records
-- be in the class and n in the table. Let K be cumulated in the class, F_x in the table, and
-- S_x = F_1 + … + F_x-1. A value's records take those of the table up to K n / N. Of these n N parts the
-- K n lowest have positions of
-- M(K) = x K n - S_x N in sum, where x is the crossing: the first F_x N >= K n.
with prefixes as (
    select
        positions.code, positions.position,
        cast(sum(positions.records) over (order by positions.position rows unbounded preceding) as bigint) as below,
        cast(
            positions.position * sum(positions.records) over (order by positions.position rows unbounded preceding)
            - sum(positions.position * positions.records) over (order by positions.position rows unbounded preceding)
            as bigint
        ) as summed_before
    from {{ positions }} as positions
),

totals as (
    select max(prefixes.below) as records, count(*) as domain_size
    from prefixes
),

steps as (
    select
        classes.class_id, cast(classes.records as decimal(38, 0)) as group_records, class_values.code,
        cast(sum(class_values.records) over (partition by class_values.class_id order by class_values.position rows unbounded preceding) as bigint) as reached
    from {{ class_values }} as class_values
    inner join {{ classes }} as classes
        on class_values.class_id = classes.class_id
),

{{ sqlanon.moved(["class_id"]) }}

select
    distances.class_id, cast(distances.moved as {{ sqlanon.double() }}) / cast(distances.scale as {{ sqlanon.double() }}) as value, distances.moved as amount, distances.scale
from distances
{% endmacro %}
