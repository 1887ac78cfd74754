-- relation: zones
-- grain: one row per cell
-- inputs: chosen_cells
-- outputs: class_id, root, cell_id, records
-- paper: none
-- All clusters, each one class, whatever they meet as a whole.
select
    chosen_cells.class_id,
    chosen_cells.class_id as root,
    chosen_cells.cell_id,
    chosen_cells.records
from "sqlanon_zone_cells" as chosen_cells
