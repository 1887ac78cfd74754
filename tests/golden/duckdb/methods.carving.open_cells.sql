with digested as (
    select
        cells.cell_id,
        (((cast(0 as bigint) * 48271 + cells.q1) % 2147483647 * 48271 + cells.q2) % 2147483647 * 48271 + cells.q3) % 2147483647 as digest
    from "sqlanon_search_cells" as cells
)

select
    cast(1 as bigint) as turn,
    cast(0 as bigint) as classes,
    cast(0 as bigint) as refused,
    regions.class_id as region,
    regions.cell_id,
    combinations.code as value,
    regions.records,
    (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647 as mix,
    scale_q1.node_0 as q1_0,
    scale_q1.node_1 as q1_1,
    scale_q1.node_2 as q1_2,
    scale_q1.node_3 as q1_3,
    scale_q1.node_4 as q1_4,
    scale_q1.node_5 as q1_5,
    scale_q2.node_0 as q2_0,
    scale_q2.node_1 as q2_1,
    scale_q2.node_2 as q2_2,
    scale_q2.node_3 as q2_3,
    scale_q2.node_4 as q2_4,
    scale_q2.node_5 as q2_5,
    scale_q3.node_0 as q3_0,
    scale_q3.node_1 as q3_1,
    scale_q3.node_2 as q3_2,
    scale_q3.node_3 as q3_3,
    scale_q3.node_4 as q3_4,
    scale_q3.node_5 as q3_5
from "sqlanon_search_whole" as regions
inner join "sqlanon_search_cells" as cells
    on regions.cell_id = cells.cell_id
inner join digested
    on regions.cell_id = digested.cell_id
cross join "sqlanon_carve_combinations" as combinations
inner join "sqlanon_scale_q1" as scale_q1
    on cells.q1 = scale_q1.code
inner join "sqlanon_scale_q2" as scale_q2
    on cells.q2 = scale_q2.code
inner join "sqlanon_scale_q3" as scale_q3
    on cells.q3 = scale_q3.code
