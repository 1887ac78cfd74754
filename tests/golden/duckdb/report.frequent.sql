-- relation: frequent
-- grain: one row per value
-- inputs: released
-- outputs: value, records, distinct_values
-- paper: none
-- The values that most records of a published column have, and how many different ones it has.
with counted as (
    select
        cast(released."disease" as varchar) as value,
        count(*) as records
    from "patients_public" as released
    group by cast(released."disease" as varchar)
),

all_values as (
    select count(*) as distinct_values
    from counted
)

select
    counted.value,
    counted.records,
    all_values.distinct_values
from counted
cross join all_values
order by
    counted.records desc,
    counted.value asc nulls first
limit 12
