-- relation: points
-- grain: one row per distinct record of the source: its codes and its tuple
-- inputs: coded, tuples, places_*
-- outputs: tuple_id, q*, records, node_*
-- paper: none
-- The records lie in nested cells of a grid, coarse to fine, each named by a number.
with points as (
    select
        tuples.tuple_id,
        coded.q1,
        coded.q2,
        coded.q3,
        count(*) as records
    from "sqlanon_source_coded" as coded
    inner join "sqlanon_shown_tuples" as tuples
        on
            cast(coded.s1 as varchar) is not distinct from tuples.s1
    group by tuples.tuple_id, coded.q1, coded.q2, coded.q3
)

select
    points.tuple_id,
    points.q1,
    points.q2,
    points.q3,
    points.records,
    0 as node_0,
    (places_q1.place - places_q1.place % 1) * 1 + (places_q2.place - places_q2.place % 1) * 2 + (places_q3.place - places_q3.place % 1) * 4 as node_1
from points
inner join "sqlanon_places_q1" as places_q1
    on points.q1 = places_q1.code
inner join "sqlanon_places_q2" as places_q2
    on points.q2 = places_q2.code
inner join "sqlanon_places_q3" as places_q3
    on points.q3 = places_q3.code
