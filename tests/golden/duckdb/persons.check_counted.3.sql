-- relation: check_counted
-- grain: one row if the release is not what its persons were counted on
-- inputs: release, beside
-- outputs: differing
-- paper: none
-- Both hold the same published tuples and sensitive values, each as often.
with rows_of_both as (
    select
        release."age" as p1,
        release."sex" as p2,
        release."disease" as s1,
        1 as side
    from "patients_public" as release
    union all
    select
        beside.p1,
        beside.p2,
        beside.s1,
        -1 as side
    from "sqlanon_beside" as beside
),

unequal as (
    select sum(rows_of_both.side) as excess
    from rows_of_both
    group by
        rows_of_both.p1,
        rows_of_both.p2,
        rows_of_both.s1
    having sum(rows_of_both.side) <> 0
)

select count(*) as differing
from unequal
having count(*) > 0
