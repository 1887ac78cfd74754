-- relation: profiles
-- grain: one row per combination of cells that records have
-- inputs: shown, cells_*
-- outputs: q*, records
-- paper: none
-- The release's records by the numbers of their cells; where a record stands beside all the values of its
-- group, by the chance of each. NULL equals no other in a join, and is the first
-- cell of its column where there is one.
with alike as (
    select
        shown.p1_1,
        shown.p2_1,
        shown.p3_1,
        shown.p4_1,
        shown.p5_1,
        shown.p6_1,
        shown.p7_1,
        shown.p7_2,
        shown.p8_1,
        shown.p9_1,
        shown.p10_1,
        count(*) as records
    from "sqlanon_shown" as shown
    group by shown.p1_1, shown.p2_1, shown.p3_1, shown.p4_1, shown.p5_1, shown.p6_1, shown.p7_1, shown.p7_2, shown.p8_1, shown.p9_1, shown.p10_1
)

select
    coalesce(cells_q1.class_id, 1) as q1,
    coalesce(cells_q2.class_id, 1) as q2,
    coalesce(cells_q3.class_id, 1) as q3,
    coalesce(cells_q4.class_id, 1) as q4,
    coalesce(cells_q5.class_id, 1) as q5,
    coalesce(cells_q6.class_id, 1) as q6,
    coalesce(cells_q7.class_id, 1) as q7,
    coalesce(cells_q8.class_id, 1) as q8,
    coalesce(cells_q9.class_id, 1) as q9,
    coalesce(cells_q10.class_id, 1) as q10,
    alike.records
from alike
left join "sqlanon_cells_q1" as cells_q1
    on
        alike.p1_1 = cells_q1.p1_1
left join "sqlanon_cells_q2" as cells_q2
    on
        alike.p2_1 = cells_q2.p2_1
left join "sqlanon_cells_q3" as cells_q3
    on
        alike.p3_1 = cells_q3.p3_1
left join "sqlanon_cells_q4" as cells_q4
    on
        alike.p4_1 = cells_q4.p4_1
left join "sqlanon_cells_q5" as cells_q5
    on
        alike.p5_1 = cells_q5.p5_1
left join "sqlanon_cells_q6" as cells_q6
    on
        alike.p6_1 = cells_q6.p6_1
left join "sqlanon_cells_q7" as cells_q7
    on
        alike.p7_1 = cells_q7.p7_1
        and alike.p7_2 = cells_q7.p7_2
left join "sqlanon_cells_q8" as cells_q8
    on
        alike.p8_1 = cells_q8.p8_1
left join "sqlanon_cells_q9" as cells_q9
    on
        alike.p9_1 = cells_q9.p9_1
left join "sqlanon_cells_q10" as cells_q10
    on
        alike.p10_1 = cells_q10.p10_1
