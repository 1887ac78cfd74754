select count(*) as unweighed
from "sqlanon_records" as records
where records.x1 is null or not (records.x1 > 0 and records.x1 < 1e300)
having count(*) > 0
