select counted.number, cast(sum(counted.records) as double) as records, max(counted.records) as commonest
from (
    select
        count(*) as records,
        case when grouping(records.q1) = 0 then 1 when grouping(records.q2) = 0 then 2 end as number
    from "sqlanon_records" as records
    group by grouping sets ((records.q1), (records.q2))
) as counted
group by counted.number
