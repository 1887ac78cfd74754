-- relation: check_rows
-- grain: one row if the rows of the table are not the records of the source
-- inputs: records, measured
-- outputs: missing, invented
-- paper: none
-- How many records of the source have no counterpart in the table, and the other way round, by what
-- both have as it is. A quasi-identifier may be equal and have other bytes.
with both_sides as (
    select
        records.q1 as p1,
        1 as side
    from "sqlanon_records" as records
    union all
    select
        measured.p1,
        -1 as side
    from "sqlanon_measured" as measured
),

unequal as (
    select sum(both_sides.side) as excess
    from both_sides
    group by
        both_sides.p1
    having sum(both_sides.side) <> 0
)

select
    cast(sum(case when unequal.excess > 0 then unequal.excess else 0 end) as bigint) as missing,
    cast(sum(case when unequal.excess < 0 then -unequal.excess else 0 end) as bigint) as invented
from unequal
having count(*) > 0
