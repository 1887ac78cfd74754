-- relation: patterns
-- grain: one row per choice of columns that are suppressed
-- inputs: none
-- outputs: pattern, cost, q*
-- paper: none
-- What a record gives up at each: 1 where the column is suppressed, 0 where it is kept. Choices of more
-- columns than are tried are left out, but for all of them.
with bits as (
    select 0 as suppressed
    union all
    select 1 as suppressed
),

choices as (
    select
        bits_q1.suppressed as q1,
        bits_q2.suppressed as q2,
        bits_q3.suppressed as q3
    from bits as bits_q1
    cross join bits as bits_q2
    cross join bits as bits_q3
),

counted as (
    select
        choices.q1,
        choices.q2,
        choices.q3,
        0 + choices.q1 * 1 + choices.q2 * 2 + choices.q3 * 4 as pattern,
        0 + choices.q1 * cast(1 as bigint) + choices.q2 * cast(3 as bigint) + choices.q3 * cast(1 as bigint) as cost,
        0 + choices.q1 + choices.q2 + choices.q3 as cells
    from choices
)

select
    counted.pattern,
    counted.cost,
    counted.q1,
    counted.q2,
    counted.q3
from counted
where counted.cells <= 3 or counted.cells = 3
