select
    case
        when grouping(records.x6) = 0 and grouping(records.x8) = 0 then 0
        when grouping(records.x6) = 0 and grouping(records.x9) = 0 then 1
        when grouping(records.x10) = 0 and grouping(records.x12) = 0 then 2
    end as pair,
    records.x6,
    records.x8,
    records.x9,
    records.x10,
    records.x12,
    count(*) as records
from "sqlanon_records" as records
group by
    grouping sets (
        (records.x6, records.x8),
        (records.x6, records.x9),
        (records.x10, records.x12)
    )
