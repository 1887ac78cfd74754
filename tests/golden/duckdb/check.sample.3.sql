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
        points.q3,
        points.q4,
        points.q5,
        points.q6,
        points.records,
        points.node_0,
        row_number() over (
            partition by points.tuple_id
            order by
                cast(points.node_1 as bigint) * 48271 % 262147,
                points.q1,
                points.q2,
                points.q3,
                points.q4,
                points.q5,
                points.q6
        ) as place
    from "sqlanon_source_points" as points
)

select
    scattered.tuple_id,
    scattered.q1,
    scattered.q2,
    scattered.q3,
    scattered.q4,
    scattered.q5,
    scattered.q6,
    scattered.records,
    scattered.node_0
from scattered
where scattered.place <= 128
