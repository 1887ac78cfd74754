-- relation: covered
-- grain: one row per class as formed and end
-- inputs: tuple_classes
-- outputs: class_id, q*
-- paper: none
-- What the cells of every class are to cover: its groups at the levels that were chosen, from their first
-- codes in use to their last.
with extents as (
    select
        tuple_classes.class_id,
        min(tuple_classes.q1_low) as q1_low,
        max(tuple_classes.q1_high) as q1_high,
        min(tuple_classes.q2_low) as q2_low,
        max(tuple_classes.q2_high) as q2_high,
        min(tuple_classes.q3_low) as q3_low,
        max(tuple_classes.q3_high) as q3_high,
        min(tuple_classes.q4_low) as q4_low,
        max(tuple_classes.q4_high) as q4_high
    from "sqlanon_tuple_classes" as tuple_classes
    where tuple_classes.failed is null
    group by tuple_classes.class_id
)

select
    extents.class_id,
    extents.q1_low as q1,
    extents.q2_low as q2,
    extents.q3_low as q3,
    extents.q4_low as q4
from extents
union all
select
    extents.class_id,
    extents.q1_high as q1,
    extents.q2_high as q2,
    extents.q3_high as q3,
    extents.q4_high as q4
from extents
