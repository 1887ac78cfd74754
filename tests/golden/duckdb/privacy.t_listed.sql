with cumulated as (
    select
        classes.class_id,
        cast(classes.records as decimal(38, 0)) as group_records,
        sum(coalesce(class_values.records, 0)) over (partition by classes.class_id order by positions.position rows unbounded preceding) as reached,
        sum(positions.records) over (partition by classes.class_id order by positions.position rows unbounded preceding) as below
    from "sqlanon_classes" as classes
    cross join "sqlanon_positions_s2" as positions
    left join "sqlanon_class_values_s2" as class_values
        on classes.class_id = class_values.class_id and positions.code = class_values.code
),

totals as (
    select cast(sum(positions.records) as decimal(38, 0)) as records, count(*) as domain_size
    from "sqlanon_positions_s2" as positions
),

distances as (
    select
        cumulated.class_id,
        sum(abs(cumulated.below * cumulated.group_records - cumulated.reached * totals.records)) as moved,
        cumulated.group_records * totals.records * greatest(totals.domain_size - 1, 1) as scale
    from cumulated
    cross join totals
    group by cumulated.class_id, cumulated.group_records, totals.records, totals.domain_size
)

select
    distances.class_id, cast(distances.moved as double) / cast(distances.scale as double) as value, distances.moved as amount, distances.scale
from distances
