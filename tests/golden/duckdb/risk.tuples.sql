-- relation: tuples
-- grain: one row per combination of quasi-identifiers
-- inputs: records
-- outputs: q*, x*, records
-- paper: none
-- The different combinations, how many records have each, and the sum of their weights where there are
-- any; NULL equals NULL.
with told as (
    select
        cast(records.x1 as double) as x1,
        records.q1,
        records.q2,
        records.q3
    from "sqlanon_records" as records
)

select
    told.q1,
    told.q2,
    told.q3,
    sum(told.x1) as x1,
    count(*) as records
from told
group by told.q1, told.q2, told.q3
