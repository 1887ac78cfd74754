select
    min(cells.cell_id) as tuple_id,
    cells.q1,
    cells.q1 as q1_shown,
    cast(sum(cells.records) as bigint) as records,
    cast(null as integer) as failed
from "sqlanon_cells" as cells
group by
    cells.q1
