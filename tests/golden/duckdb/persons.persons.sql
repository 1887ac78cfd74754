with named as (
    select distinct
        records.w1,
        records.w2
    from "sqlanon_records" as records
)

select
    row_number() over (order by named.w1, named.w2) as x0,
    named.w1,
    named.w2
from named
