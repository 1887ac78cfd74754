select
    records.s1,
    records.w1,
    records.w2
from "sqlanon_records" as records
group by
    records.s1,
    records.w1,
    records.w2
