-- relation: bins
-- grain: one row
-- inputs: values
-- outputs: bins
-- paper: none
-- How many bins a column's values have.
select coalesce(max(places.bin), 0) as bins
from "sqlanon_values_q10" as places
