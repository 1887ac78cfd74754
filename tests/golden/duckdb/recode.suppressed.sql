with tuples as (
    select count(*) as records
    from "sqlanon_recoded" as recoded
    where recoded.alike < 10
    group by recoded.p1, recoded.p2
)

select
    'k_anonymity' as metric,
    cast(null as varchar) as attribute,
    cast(10 as varchar) as threshold,
    count(*) as classes,
    cast(coalesce(sum(tuples.records), 0) as bigint) as records
from tuples
