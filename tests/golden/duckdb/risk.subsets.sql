with alike as (
    select
        0
        + 1 * (1 - grouping(tuples.q1))
        + 2 * (1 - grouping(tuples.q2))
        + 4 * (1 - grouping(tuples.q3))
            as mask,
        sum(tuples.records) as records
    from "sqlanon_tuples" as tuples
    group by
        grouping sets (
            (tuples.q1),
            (tuples.q2),
            (tuples.q3),
            (tuples.q1, tuples.q2),
            (tuples.q1, tuples.q3),
            (tuples.q2, tuples.q3),
            (tuples.q1, tuples.q2, tuples.q3)
        )
)

select
    alike.mask,
    count(*) as tuples,
    cast(sum(case when alike.records = 1 then 1 else 0 end) as bigint) as single
from alike
group by alike.mask
