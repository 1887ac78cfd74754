-- relation: check_values
-- grain: one row if the sensitive values of the groups are not the source's
-- inputs: records, tied
-- outputs: missing, invented
-- paper: none
-- How many records of the source have values that the groups lack, and the other way round.
with both_sides as (
    select
        cast(records.s1 as varchar) as s1,
        cast(records.s2 as varchar) as s2,
        1 as side
    from "sqlanon_records" as records
    union all
    select
        cast(tied.s1 as varchar) as s1,
        cast(tied.s2 as varchar) as s2,
        -1 as side
    from "sqlanon_tied" as tied
),

unequal as (
    select sum(both_sides.side) as excess
    from both_sides
    group by both_sides.s1, both_sides.s2
    having sum(both_sides.side) <> 0
)

select
    cast(sum(case when unequal.excess > 0 then unequal.excess else 0 end) as bigint) as missing,
    cast(sum(case when unequal.excess < 0 then -unequal.excess else 0 end) as bigint) as invented
from unequal
having count(*) > 0
