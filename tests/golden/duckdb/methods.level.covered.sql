with extents as (
    select
        tuple_classes.class_id,
        min(tuple_classes.q1_low) as q1_low,
        max(tuple_classes.q1_high) as q1_high
    from "sqlanon_tuple_classes" as tuple_classes
    where tuple_classes.failed is null
    group by tuple_classes.class_id
)

select
    extents.class_id,
    extents.q1_low as q1
from extents
union all
select
    extents.class_id,
    extents.q1_high as q1
from extents
