-- relation: placed_cells
-- grain: one row per cell
-- inputs: cells, scale_*, bins_*
-- outputs: cell_id, stratum, records, q*|s*
-- paper: none
-- The cells by the numbers of their codes on the scales. A stratum is what dealt cuts keep in
-- proportion: the sensitive value, or the combination of several.
select
    cells.cell_id,
    cells.s1 as stratum,
    cells.records,
    scale_q1.code as q1,
    scale_q2.code as q2,
    scale_q3.code as q3,
    cells.s1
from "sqlanon_cells" as cells
inner join "sqlanon_scale_q1" as scale_q1
    on cells.q1 = scale_q1.original
inner join "sqlanon_scale_q2" as scale_q2
    on cells.q2 = scale_q2.original
inner join "sqlanon_scale_q3" as scale_q3
    on cells.q3 = scale_q3.original
