select
    cast(0 as bigint) as class_id,
    cells.cell_id,
    cells.records
from "sqlanon_cells" as cells
