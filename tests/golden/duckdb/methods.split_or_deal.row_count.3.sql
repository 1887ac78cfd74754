-- relation: row_count
-- grain: one row
-- inputs: counted
-- outputs: rows
-- paper: none
-- How many rows a work relation has: codes of a quasi-identifier, values of a sensitive attribute.
select count(*) as rows
from "sqlanon_fresh_units"
