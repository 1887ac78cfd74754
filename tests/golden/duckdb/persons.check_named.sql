-- relation: check_named
-- grain: one row if it is not known of a record which person it is about
-- inputs: records
-- outputs: records
-- paper: none
select count(*) as records
from "sqlanon_records" as records
where
    records.w1 is null
    or records.w2 is null
having count(*) > 0
