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
        end as q3,
        case
            when external_table.q4 is null then 0
            else coalesce(places_q4.code, -1)
        end as q4,
        case
            when external_table.q5 is null then 0
            else coalesce(places_q5.code, -1)
        end as q5,
        case
            when external_table.q6 is null then 0
            else coalesce(places_q6.code, -1)
        end as q6,
        case
            when external_table.q7 is null then 0
            else coalesce(places_q7.code, -1)
        end as q7
    from "sqlanon_external" as external_table
    left join "sqlanon_external_domain_q1" as places_q1
        on external_table.q1 = places_q1.value
    left join "sqlanon_external_domain_q2" as places_q2
        on external_table.q2 = places_q2.value
    left join "sqlanon_external_domain_q3" as places_q3
        on external_table.q3 = places_q3.value
    left join "sqlanon_external_domain_q4" as places_q4
        on external_table.q4 = places_q4.value
    left join "sqlanon_external_domain_q5" as places_q5
        on external_table.q5 = places_q5.value
    left join "sqlanon_external_domain_q6" as places_q6
        on external_table.q6 = places_q6.value
    left join "sqlanon_known_q7" as places_q7
        on cast(external_table.q7 as double) = places_q7.value
),

points as (
    select
        coded.q1,
        coded.q2,
        coded.q3,
        coded.q4,
        coded.q5,
        coded.q6,
        coded.q7,
        count(*) as persons
    from coded
    group by coded.q1, coded.q2, coded.q3, coded.q4, coded.q5, coded.q6, coded.q7
),

extents as (
    select
        max(case when points.q1 > 0 then points.q1 else 0 end) + 1 as q1,
        max(case when points.q2 > 0 then points.q2 else 0 end) + 1 as q2,
        max(case when points.q3 > 0 then points.q3 else 0 end) + 1 as q3,
        max(case when points.q4 > 0 then points.q4 else 0 end) + 1 as q4,
        max(case when points.q5 > 0 then points.q5 else 0 end) + 1 as q5,
        max(case when points.q6 > 0 then points.q6 else 0 end) + 1 as q6,
        max(case when points.q7 > 0 then points.q7 else 0 end) + 1 as q7
    from points
)

select
    cast(
        floor(
            cast(case when points.q1 > 0 then points.q1 else 0 end as double)
            * 2 / extents.q1
        ) * 1
        + floor(
            cast(case when points.q2 > 0 then points.q2 else 0 end as double)
            * 2 / extents.q2
        ) * 2
        + floor(
            cast(case when points.q3 > 0 then points.q3 else 0 end as double)
            * 2 / extents.q3
        ) * 4
        + floor(
            cast(case when points.q4 > 0 then points.q4 else 0 end as double)
            * 2 / extents.q4
        ) * 8
        + floor(
            cast(case when points.q5 > 0 then points.q5 else 0 end as double)
            * 2 / extents.q5
        ) * 16
        + floor(
            cast(case when points.q6 > 0 then points.q6 else 0 end as double)
            * 2 / extents.q6
        ) * 32
        + floor(
            cast(case when points.q7 > 0 then points.q7 else 0 end as double)
            * 2 / extents.q7
        ) * 64
        as integer
    ) as node,
    points.q1,
    points.q2,
    points.q3,
    points.q4,
    points.q5,
    points.q6,
    points.q7,
    points.persons
from points
cross join extents
