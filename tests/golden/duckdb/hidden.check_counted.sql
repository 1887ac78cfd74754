with rows_of_both as (
    select
        release."sex" as p1,
        release."zip" as p2,
        1 as side
    from "visits_third" as release
    union all
    select
        beside.p1,
        beside.p2,
        -1 as side
    from "sqlanon_beside" as beside
),

unequal as (
    select sum(rows_of_both.side) as excess
    from rows_of_both
    group by
        rows_of_both.p1,
        rows_of_both.p2
    having sum(rows_of_both.side) <> 0
)

select count(*) as differing
from unequal
having count(*) > 0
