with coded as (
    select
        case
            when external_table.q1 is null then 0
            else coalesce(places_q1.code, -1)
        end as q1,
        case
            when external_table.q2 is null then 0
            else coalesce(places_q2.code, -1)
        end as q2
    from "sqlanon_external" as external_table
    left join "sqlanon_external_domain_q1" as places_q1
        on external_table.q1 = places_q1.value
    left join "sqlanon_external_domain_q2" as places_q2
        on external_table.q2 = places_q2.value
),

points as (
    select
        coded.q1,
        coded.q2,
        count(*) as persons
    from coded
    group by coded.q1, coded.q2
),

extents as (
    select
        max(case when points.q1 > 0 then points.q1 else 0 end) + 1 as q1,
        max(case when points.q2 > 0 then points.q2 else 0 end) + 1 as q2
    from points
)

select
    cast(
        floor(
            cast(case when points.q1 > 0 then points.q1 else 0 end as double)
            * 16 / extents.q1
        ) * 1
        + floor(
            cast(case when points.q2 > 0 then points.q2 else 0 end as double)
            * 16 / extents.q2
        ) * 16
        as integer
    ) as node,
    points.q1,
    points.q2,
    points.persons
from points
cross join extents
