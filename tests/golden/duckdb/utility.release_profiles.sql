with alike as (
    select
        shown.p1_1,
        shown.p2_1,
        shown.p3_1,
        shown.p4_1,
        sum(shown.weight) as records
    from "sqlanon_shown" as shown
    group by shown.p1_1, shown.p2_1, shown.p3_1, shown.p4_1
)

select
    coalesce(cells_q1.class_id, 1) as q1,
    coalesce(cells_q2.class_id, 1) as q2,
    coalesce(cells_q3.class_id, 1) as q3,
    coalesce(cells_q4.class_id, 1) as q4,
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
