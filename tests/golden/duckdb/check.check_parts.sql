-- relation: check_parts
-- grain: one row if the rows of a slice, some of their cells suppressed, are not the records of the source
-- inputs: records, measured, domain_*
-- outputs: missing, invented
-- paper: none
-- A column is suppressed only where those before it are: a row has the first none, one, two, … suppressed.
-- A row stands for one of the records that it does not differ from. Rows with fewer suppressed choose
-- first, and what they leave of the records is for those with more: they may take any of it, so that this
-- finds a record for every row if there is a way to.
with parts as (
    select
        records.q1 as p1,
        domain_q3.level_0 as p3,
        domain_q4.level_0 as p4,
        0 as stars,
        1 as side
    from "sqlanon_records" as records
    inner join "sqlanon_domain_q3" as domain_q3
        on
            records.q3 is not distinct from domain_q3.value
            and (domain_q3.records > 0)
    inner join "sqlanon_domain_q4" as domain_q4
        on
            records.q4 is not distinct from domain_q4.value
            and (domain_q4.records > 0)
    union all
    select
        measured.p1,
        measured.p3,
        measured.p4,
        case
            when measured.p3 = '*' and measured.p4 = '*' then 2
            when measured.p3 = '*' then 1
            else 0
        end as stars,
        -1 as side
    from "sqlanon_measured" as measured
),

standing_0 as (
    select
        parts.p1,
        parts.p3,
        parts.p4,
        parts.side
    from parts
    where parts.stars = 0
),

left_0 as (
    select
        standing_0.p1,
        standing_0.p3,
        standing_0.p4,
        cast(sum(standing_0.side) as bigint) as excess
    from standing_0
    group by standing_0.p1, standing_0.p3, standing_0.p4
),

standing_1 as (
    select
        parts.p1,
        parts.p4,
        parts.side
    from parts
    where parts.stars = 1
    union all
    select
        left_0.p1,
        left_0.p4,
        left_0.excess as side
    from left_0
    where left_0.excess > 0
),

left_1 as (
    select
        standing_1.p1,
        standing_1.p4,
        cast(sum(standing_1.side) as bigint) as excess
    from standing_1
    group by standing_1.p1, standing_1.p4
),

standing_2 as (
    select
        parts.p1,
        parts.side
    from parts
    where parts.stars = 2
    union all
    select
        left_1.p1,
        left_1.excess as side
    from left_1
    where left_1.excess > 0
),

left_2 as (
    select
        standing_2.p1,
        cast(sum(standing_2.side) as bigint) as excess
    from standing_2
    group by standing_2.p1
),

unequal as (
    select
        0 as missing,
        -left_0.excess as invented
    from left_0
    where left_0.excess < 0
    union all
    select
        0 as missing,
        -left_1.excess as invented
    from left_1
    where left_1.excess < 0
    union all
    select
        0 as missing,
        -left_2.excess as invented
    from left_2
    where left_2.excess < 0
    union all
    select
        left_2.excess as missing,
        0 as invented
    from left_2
    where left_2.excess > 0
)

select
    cast(sum(unequal.missing) as bigint) as missing,
    cast(sum(unequal.invented) as bigint) as invented
from unequal
having count(*) > 0
