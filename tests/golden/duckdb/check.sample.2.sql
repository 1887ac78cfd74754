-- relation: sample
-- grain: one row per point of the sample: so many of each tuple, from all over the grid
-- inputs: points
-- outputs: tuple_id, q*, records, node_0
-- paper: none
-- Enough for a class that holds a large part of the source; what it says does not depend on chance.
with scattered as (
    select
        points.tuple_id,
        points.q1,
        points.q2,
        points.records,
        points.node_0,
        row_number() over (
            partition by points.tuple_id
            order by
                cast(points.node_2 as bigint) * 48271 % 262147,
                points.q1,
                points.q2
        ) as place
    from "sqlanon_source_points" as points
)

select
    scattered.tuple_id,
    scattered.q1,
    scattered.q2,
    scattered.records,
    scattered.node_0
from scattered
where scattered.place <= 128
