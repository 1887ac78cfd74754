with rows_of_both as (
    select
        records.w1,
        records.w2,
        1 as side
    from "sqlanon_records" as records
    union all
    select
        persons.w1,
        persons.w2,
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
        rows_of_both.w2
    having sum(rows_of_both.side) <> 0
)

select count(*) as differing
from unequal
having count(*) > 0
