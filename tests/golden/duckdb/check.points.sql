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
        coded.q4,
        coded.q5,
        coded.q6,
        coded.q7,
        count(*) as records
    from "sqlanon_source_coded" as coded
    inner join "sqlanon_shown_tuples" as tuples
        on
            cast(coded.s1 as varchar) is not distinct from tuples.s1
            and cast(coded.s2 as varchar) is not distinct from tuples.s2
            and cast(coded.s3 as varchar) is not distinct from tuples.s3
            and cast(coded.x1 as varchar) is not distinct from tuples.x1
    group by tuples.tuple_id, coded.q1, coded.q2, coded.q3, coded.q4, coded.q5, coded.q6, coded.q7
)

select
    points.tuple_id,
    points.q1,
    points.q2,
    points.q3,
    points.q4,
    points.q5,
    points.q6,
    points.q7,
    points.records,
    0 as node_0
from points
