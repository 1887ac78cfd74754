-- relation: unique_on
-- grain: one row per record and combination of columns that it is alone with
-- inputs: tuples
-- outputs: mask, q*
-- paper: Elliot et al. 2002 (special uniques)
-- What is alone has one record, so that the least of its values is its value. A record that is alone with
-- some columns is alone with all of them, which name it.
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
