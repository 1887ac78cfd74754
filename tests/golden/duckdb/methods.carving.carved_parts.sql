select
    done_cells.class_id,
    cast(0 as bigint) as root,
    done_cells.cell_id,
    done_cells.records
from "sqlanon_carve_done" as done_cells
