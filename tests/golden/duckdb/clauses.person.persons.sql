with named as (
    select distinct
        records.w1
    from "sqlanon_records" as records
)

select
    row_number() over (order by named.w1) as x0,
    named.w1
from named
