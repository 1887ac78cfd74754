with distinct_points as (
    select
        places.cluster,
        places.point,
        min(places.x1) as x1,
        min(places.x2) as x2
    from "sqlanon_places" as places
    group by places.cluster, places.point
),

lined as (
    select
        distinct_points.cluster,
        distinct_points.point,
        distinct_points.x1,
        distinct_points.x2,
        count(*) over (partition by distinct_points.cluster) as points,
        row_number() over (
            partition by distinct_points.cluster
            order by curve_places.q2, curve_places.place, distinct_points.point
        ) - 1 as place
    from distinct_points
    inner join "sqlanon_uhra_curve_places" as curve_places
        on distinct_points.point = curve_places.cell_id
)

select
    lined.cluster * 110 + cast(
        floor(lined.place * floor((lined.points + 1999) / 2000e0) / cast(lined.points as double)) as bigint
    ) as block,
    lined.point,
    lined.place,
    lined.x1,
    lined.x2
from lined
