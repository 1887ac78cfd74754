with cumulated as (
    select
        classes.class_id,
        cast(classes.records as decimal(38, 0)) as group_records,
        sum(cast(positions.records as decimal(38, 0))) over (partition by classes.class_id) as whole,
        sum(coalesce(class_values.records, 0)) over (partition by classes.class_id order by positions.position rows unbounded preceding) as reached,
        sum(positions.records) over (partition by classes.class_id order by positions.position rows unbounded preceding) as below
    from "sqlanon_classes" as classes
    cross join "sqlanon_positions_s2" as positions
    left join "sqlanon_class_values_s2" as class_values
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
    distances.class_id, cast(distances.moved as double) / cast(distances.scale as double) as value, distances.moved as amount, distances.scale
from distances
