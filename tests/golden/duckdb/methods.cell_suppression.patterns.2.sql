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
        bits_q2.suppressed as q2
    from bits as bits_q2
),

counted as (
    select
        choices.q2,
        0 + choices.q2 * 1 as pattern,
        0 + choices.q2 * cast(3 as bigint) as cost,
        0 + choices.q2 as cells
    from choices
)

select
    counted.pattern,
    counted.cost,
    counted.q2
from counted
where counted.cells <= 1 or counted.cells = 1
