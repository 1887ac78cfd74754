-- relation: persons
-- grain: one row per point that persons of the external table share
-- inputs: external, places_*
-- outputs: node, q*, persons
-- paper: none
-- The persons by their codes, 0 for NULL and -1 for what no cell names, in the cells of a coarse grid.
with coded as (
    select
        case
            when external_table.q1 is null then 0
            else coalesce(places_q1.code, -1)
        end as q1,
        case
            when external_table.q2 is null then 0
            else coalesce(places_q2.code, -1)
        end as q2,
        case
            when external_table.q3 is null then 0
            else coalesce(places_q3.code, -1)
        end as q3
    from "sqlanon_external" as external_table
    left join "sqlanon_known_q1" as places_q1
        on cast(external_table.q1 as double) = places_q1.value
    left join "sqlanon_external_domain_q2" as places_q2
        on external_table.q2 = places_q2.value
    left join "sqlanon_known_q3" as places_q3
        on cast(external_table.q3 as date) = places_q3.value
),

points as (
    select
        coded.q1,
        coded.q2,
        coded.q3,
        count(*) as persons
    from coded
    group by coded.q1, coded.q2, coded.q3
),

extents as (
    select
        max(case when points.q1 > 0 then points.q1 else 0 end) + 1 as q1,
        max(case when points.q2 > 0 then points.q2 else 0 end) + 1 as q2,
        max(case when points.q3 > 0 then points.q3 else 0 end) + 1 as q3
    from points
)

select
    cast(
        floor(
            cast(case when points.q1 > 0 then points.q1 else 0 end as double)
            * 6 / extents.q1
        ) * 1
        + floor(
            cast(case when points.q2 > 0 then points.q2 else 0 end as double)
            * 6 / extents.q2
        ) * 6
        + floor(
            cast(case when points.q3 > 0 then points.q3 else 0 end as double)
            * 6 / extents.q3
        ) * 36
        as integer
    ) as node,
    points.q1,
    points.q2,
    points.q3,
    points.persons
from points
cross join extents
