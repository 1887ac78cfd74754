select count(*) as records
from "sqlanon_records" as records
where
    records.w1 is null
having count(*) > 0
