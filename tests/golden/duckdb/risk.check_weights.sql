-- relation: check_weights
-- grain: one row if a record has no weight
-- inputs: records
-- outputs: unweighed
-- paper: none
-- A weight is how many persons a record stands for: a number above 0.
select count(*) as unweighed
from "sqlanon_records" as records
where records.x1 is null or not (records.x1 > 0 and records.x1 < 1e300)
having count(*) > 0
