-- relation: record_count
-- grain: one row
-- inputs: records
-- outputs: records
-- paper: none
select count(*) as records
from "sqlanon_positions_s1"
