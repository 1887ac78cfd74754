-- relation: whole_table
-- grain: one row per cell
-- inputs: cells
-- outputs: class_id, root, cell_id, records
-- paper: none
-- The table as one class: where every search starts.
select
    cast(0 as bigint) as class_id,
    cast(0 as bigint) as root,
    cells.cell_id,
    cells.records
from "sqlanon_search_cells" as cells
