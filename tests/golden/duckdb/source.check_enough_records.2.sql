-- relation: check_enough_records
-- grain: one row if the source has fewer records than a class must have
-- inputs: size
-- outputs: records
-- paper: none
select size.records
from "sqlanon_size" as size
where size.records < 5
