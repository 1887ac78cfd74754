select
    records.q2 as value,
    rpad(left(records.q2, 5), cast(length(records.q2) as integer), '*') as label
from "sqlanon_records" as records
group by records.q2
