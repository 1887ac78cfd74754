-- relation: minimal
-- grain: one row per record and combination of columns that it is alone with, and with none of fewer
-- inputs: unique_on
-- outputs: mask, q*
-- paper: Elliot et al. 2002; Manning et al. 2008 (minimal sample uniques)
-- Whoever is alone with some columns is alone with one more, which is not the least then.
with marked as (
    select
        unique_on.mask,
        unique_on.q1,
        unique_on.q2,
        unique_on.q3,
        1 as own
    from "sqlanon_unique_on" as unique_on
    union all
    select
        unique_on.mask + 1 as mask,
        unique_on.q1,
        unique_on.q2,
        unique_on.q3,
        0 as own
    from "sqlanon_unique_on" as unique_on
    where unique_on.mask % 2 < 1
    union all
    select
        unique_on.mask + 2 as mask,
        unique_on.q1,
        unique_on.q2,
        unique_on.q3,
        0 as own
    from "sqlanon_unique_on" as unique_on
    where unique_on.mask % 4 < 2
    union all
    select
        unique_on.mask + 4 as mask,
        unique_on.q1,
        unique_on.q2,
        unique_on.q3,
        0 as own
    from "sqlanon_unique_on" as unique_on
    where unique_on.mask % 8 < 4
)

select
    marked.mask,
    marked.q1,
    marked.q2,
    marked.q3
from marked
group by marked.mask, marked.q1, marked.q2, marked.q3
having min(marked.own) = 1
