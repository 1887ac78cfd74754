-- relation: size
-- grain: one row
-- inputs: cells
-- outputs: records
-- paper: none
-- How many records the table has.
select cast(sum(cells.records) as bigint) as records
from "sqlanon_cells" as cells
