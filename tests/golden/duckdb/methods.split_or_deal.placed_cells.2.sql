-- relation: placed_cells
-- grain: one row per cell
-- inputs: cells, scale_*, bins_*
-- outputs: cell_id, stratum, records, q*|s*
-- paper: none
-- The cells by the numbers of their codes on the scales. A stratum is what dealt cuts keep in
-- proportion: the sensitive value, or the combination of several.
with blocks as (
    select
        cells.cell_id,
        cells.s1,
        cells.s2,
        cells.s3
    from "sqlanon_cells" as cells
),

combinations as (
    select
        row_number() over (
            order by blocks.s1, blocks.s2, blocks.s3
        ) as stratum,
        blocks.s1,
        blocks.s2,
        blocks.s3
    from blocks
    group by blocks.s1, blocks.s2, blocks.s3
)

select
    cells.cell_id,
    combinations.stratum,
    cells.records,
    scale_q1.code as q1,
    scale_q2.code as q2,
    scale_q3.code as q3,
    scale_q4.code as q4,
    scale_q5.code as q5,
    scale_q6.code as q6,
    scale_q7.code as q7,
    cells.s1,
    cells.s2,
    cells.s3
from "sqlanon_cells" as cells
inner join "sqlanon_scale_q1" as scale_q1
    on cells.q1 = scale_q1.original
inner join "sqlanon_scale_q2" as scale_q2
    on cells.q2 = scale_q2.original
inner join "sqlanon_scale_q3" as scale_q3
    on cells.q3 = scale_q3.original
inner join "sqlanon_scale_q4" as scale_q4
    on cells.q4 = scale_q4.original
inner join "sqlanon_scale_q5" as scale_q5
    on cells.q5 = scale_q5.original
inner join "sqlanon_scale_q6" as scale_q6
    on cells.q6 = scale_q6.original
inner join "sqlanon_scale_q7" as scale_q7
    on cells.q7 = scale_q7.original
inner join blocks
    on cells.cell_id = blocks.cell_id
inner join combinations
    on
        blocks.s1 = combinations.s1
        and blocks.s2 = combinations.s2
        and blocks.s3 = combinations.s3
