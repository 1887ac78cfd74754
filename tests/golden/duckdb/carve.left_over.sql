-- relation: left_over
-- grain: one row per region and cell with open records
-- inputs: open_cells
-- outputs: region, cell_id, class_id, records
-- paper: sqlanon, Carve §4
-- What no lattice node took is one more class of its region: at least k records, and t-close.
select
    open_cells.region,
    open_cells.cell_id,
    20 + dense_rank() over (order by open_cells.region) - 1 as class_id,
    open_cells.records
from "sqlanon_carve_open_0" as open_cells
