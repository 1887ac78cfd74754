select
    shown.tuple_id,
    cells.s1,
    cells.records
from "sqlanon_cells" as cells
inner join "sqlanon_cells_shown" as shown
    on
        cells.q1 = shown.q1
