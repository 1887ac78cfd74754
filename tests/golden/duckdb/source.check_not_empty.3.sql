-- relation: check_not_empty
-- grain: one row if the source has no record
-- inputs: size
-- outputs: records
-- paper: none
select size.records
from "sqlanon_external_size" as size
where size.records = 0
