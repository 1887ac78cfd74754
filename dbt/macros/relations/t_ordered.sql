{# Written from sql_templates/privacy/t_ordered.sql.j2; change that, and write this anew. #}
{% macro select_t_ordered(classes, class_values, positions) %}
-- relation: t_ordered
-- grain: one row per equivalence class
-- inputs: classes, class_values, positions
-- outputs: class_id, value, amount, scale
-- paper: Li, Li & Venkatasubramanian 2007, §4.1; Gowda 2023, §3.6; ordered ground distance
-- The sum over the ordered values of |cumulated share in the class - cumulated share in the table|, over
-- (values - 1). Let K of a class's N records, and F_x of the table's n, have values up to x. Between two values of
-- the class K stands still, so each stretch is summed at once, by S_x = F_1 + … + F_x-1. The sign changes in it at
-- most once: at the crossing, the first F_x N >= K n.
{%- set up_to = "over (order by positions.position rows unbounded preceding)" %}
{%- set within = "partition by classes.class_id order by prefixes.position" %}
with prefixes as (
    select
        positions.code, positions.position, cast(sum(positions.records) {{ up_to }} as bigint) as below,
        cast(positions.position * sum(positions.records) {{ up_to }} - sum(positions.position * positions.records) {{ up_to }} as bigint) as summed_before
    from {{ positions }} as positions
),

totals as (
    select max(prefixes.below) as records, count(*) as domain_size, max(prefixes.summed_before) as summed
    from prefixes
),

stretches as (
    select
        classes.class_id, cast(classes.records as decimal(38, 0)) as group_records,
        cast(cast(sum(class_values.records) over ({{ within }} rows unbounded preceding) as bigint) as decimal(38, 0)) * totals.records as mass,
        {{ sqlanon.stretch(within) }}
    from {{ class_values }} as class_values
    inner join {{ classes }} as classes on class_values.class_id = classes.class_id
    inner join prefixes on class_values.code = prefixes.code
    cross join totals
),

{{ sqlanon.moved(["class_id"]) }}

select
    distances.class_id, cast(distances.moved as {{ sqlanon.double() }}) / cast(distances.scale as {{ sqlanon.double() }}) as value, distances.moved as amount, distances.scale
from distances
{% endmacro %}
