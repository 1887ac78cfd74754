select
    records.s1,
    records.w1
from "sqlanon_records" as records
group by
    records.s1,
    records.w1
