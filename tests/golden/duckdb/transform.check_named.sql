with counted as (
    select
        read.k1,
        count(*) as records
    from "sqlanon_read" as read
    group by read.k1
)

select cast(sum(counted.records) as bigint) as records
from counted
where
    counted.k1 is null
    or counted.records > 1
having count(*) > 0
