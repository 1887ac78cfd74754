-- relation: check_rows
-- grain: one row if the rows of the table are not the records of the source
-- inputs: records, measured
-- outputs: missing, invented
-- paper: none
-- How many records of the source have no counterpart in the table, and the other way round, by what
-- both have as it is. A quasi-identifier may be equal and have other bytes.
with both_sides as (
    select
        records.q2 as p2,
        cast(records.s1 as varchar) as s1,
        cast(records.s2 as varchar) as s2,
        1 as side
    from "sqlanon_records" as records
    union all
    select
        measured.p2,
        cast(measured.s1 as varchar) as s1,
        cast(measured.s2 as varchar) as s2,
        -1 as side
    from "sqlanon_tied" as measured
),

unequal as (
    select sum(both_sides.side) as excess
    from both_sides
    group by
        both_sides.p2,
        both_sides.s1,
        both_sides.s2
    having sum(both_sides.side) <> 0
)

select
    cast(sum(case when unequal.excess > 0 then unequal.excess else 0 end) as bigint) as missing,
    cast(sum(case when unequal.excess < 0 then -unequal.excess else 0 end) as bigint) as invented
from unequal
having count(*) > 0
