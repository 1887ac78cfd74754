select
    cast(cells.cell_id as integer) as cell_id,
    cast(0 as integer) as stratum,
    cells.records,
    cast(scale_q1.code as integer) as q1
from "sqlanon_cells" as cells
inner join "sqlanon_scale_q1" as scale_q1
    on cells.q1 = scale_q1.original
