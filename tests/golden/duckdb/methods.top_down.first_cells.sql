with placed as (
    select
        cells.cell_id,
        min(cells.cell_id) over (
            partition by
                cut_q1.node,
                cut_q1.level,
                cut_q2.node,
                cut_q2.level
        ) as class_id,
        cells.q1,
        cells.q2,
        cells.records,
        cut_q1.loss + cut_q2.loss as loss
    from "sqlanon_cells" as cells
    inner join "sqlanon_top_down_cut_q1_first" as cut_q1
        on cells.q1 = cut_q1.code
    inner join "sqlanon_top_down_cut_q2_first" as cut_q2
        on cells.q2 = cut_q2.code
)

select
    placed.cell_id,
    placed.class_id,
    placed.q1,
    placed.q2,
    placed.records,
    placed.loss,
    1 as holds
from placed
