-- relation: record_count
-- grain: one row
-- inputs: cells
-- outputs: records
-- paper: none
-- How many records the cells hold.
select cast(sum(cells.records) as bigint) as records
from "sqlanon_subset_cells_1" as cells
