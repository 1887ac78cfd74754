select
    cells.cell_id,
    cast(0 as bigint) as stratum,
    cells.records,
    scale_q1.code as q1
from "sqlanon_cells" as cells
inner join "sqlanon_scale_q1" as scale_q1
    on cells.q1 = scale_q1.original
