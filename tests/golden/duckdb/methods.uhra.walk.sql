with recursive steps as (
    select
        points.block,
        points.point,
        points.x1,
        points.x2,
        points.x3,
        cast(0 as bigint) as place,
        row_number() over (partition by points.block order by points.point) as rank
    from "sqlanon_uhra_points" as points
    union all
    select
        left_points.block,
        left_points.point,
        left_points.x1,
        left_points.x2,
        left_points.x3,
        left_points.place + 1 as place,
        row_number() over (
            partition by left_points.block order by left_points.apart, left_points.point
        ) as rank
    from (
        select
            steps.block,
            steps.point,
            steps.x1,
            steps.x2,
            steps.x3,
            steps.place,
            steps.rank,
            (steps.x1 - first_value(steps.x1) over (partition by steps.block order by steps.rank))
            * (steps.x1 - first_value(steps.x1) over (partition by steps.block order by steps.rank))
            + (steps.x2 - first_value(steps.x2) over (partition by steps.block order by steps.rank))
            * (steps.x2 - first_value(steps.x2) over (partition by steps.block order by steps.rank))
            + (steps.x3 - first_value(steps.x3) over (partition by steps.block order by steps.rank))
            * (steps.x3 - first_value(steps.x3) over (partition by steps.block order by steps.rank))
                as apart
        from steps
    ) as left_points
    where left_points.rank > 1
)

select
    steps.block,
    steps.point,
    steps.place
from steps
where steps.rank = 1
