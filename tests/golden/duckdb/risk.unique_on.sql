select
    0
    + 1 * (1 - grouping(tuples.q1))
    + 2 * (1 - grouping(tuples.q2))
    + 4 * (1 - grouping(tuples.q3))
        as mask,
    min(tuples.q1) as q1,
    min(tuples.q2) as q2,
    min(tuples.q3) as q3
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
having sum(tuples.records) = 1
