-- relation: first_cells
-- grain: one row per combination of quasi-identifiers and sensitive values in the data
-- inputs: cells, cut_*, held?
-- outputs: cell_id, class_id, q*, s*|b*, records, loss, holds
-- paper: none
-- Every combination with its class under the first cuts, named by the first of its cells, and what a record
-- of it loses.
with placed as (
    select
        cells.cell_id,
        min(cells.cell_id) over (
            partition by
                cut_q1.node,
                cut_q1.level,
                cut_q2.node,
                cut_q2.level,
                cut_q3.node,
                cut_q3.level,
                cut_q4.node,
                cut_q4.level
        ) as class_id,
        cells.q1,
        cells.q2,
        cells.q3,
        cells.q4,
        cells.s1,
        cells.records,
        cut_q1.loss + cut_q2.loss + cut_q3.loss + cut_q4.loss as loss
    from "sqlanon_cells" as cells
    inner join "sqlanon_top_down_cut_q1_first" as cut_q1
        on cells.q1 = cut_q1.code
    inner join "sqlanon_top_down_cut_q2_first" as cut_q2
        on cells.q2 = cut_q2.code
    inner join "sqlanon_top_down_cut_q3_first" as cut_q3
        on cells.q3 = cut_q3.code
    inner join "sqlanon_top_down_cut_q4_first" as cut_q4
        on cells.q4 = cut_q4.code
),

failures as (
    select held.class_id
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
)

select
    placed.cell_id,
    placed.class_id,
    placed.q1,
    placed.q2,
    placed.q3,
    placed.q4,
    placed.s1,
    placed.records,
    placed.loss,
    case when failures.class_id is null then 1 else 0 end as holds
from placed
left join failures
    on placed.class_id = failures.class_id
