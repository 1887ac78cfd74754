select
    cast(0 as bigint) as class_id,
    cast(0 as bigint) as root,
    cells.cell_id,
    cells.records
from "sqlanon_search_cells" as cells
