-- relation: carved_parts
-- grain: one row per cell and class that holds records of it
-- inputs: done_cells
-- outputs: class_id, root, cell_id, records
-- paper: none
-- The carved classes of every turn, and what is left over.
select
    done_cells.class_id,
    cast(0 as bigint) as root,
    done_cells.cell_id,
    done_cells.records
from "sqlanon_carve_done" as done_cells
