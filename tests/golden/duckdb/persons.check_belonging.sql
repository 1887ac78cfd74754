-- relation: check_belonging
-- grain: one row if what is released beside the persons is not what the source says of them
-- inputs: records, persons, beside
-- outputs: differing
-- paper: none
-- Every person has as many records as in the source, with the same sensitive values; or none, where some
-- persons may be left out.
with rows_of_both as (
    select
        records.w1,
        records.w2,
        records.s1,
        1 as side
    from "sqlanon_records" as records
    union all
    select
        persons.w1,
        persons.w2,
        beside.s1,
        -1 as side
    from "sqlanon_beside" as beside
    inner join "sqlanon_persons" as persons
        on beside.x0 = persons.x0
),

unequal as (
    select sum(rows_of_both.side) as excess
    from rows_of_both
    group by
        rows_of_both.w1,
        rows_of_both.w2,
        rows_of_both.s1
    having sum(rows_of_both.side) <> 0
)

select count(*) as differing
from unequal
having count(*) > 0
