-- relation: factor
-- grain: one row
-- inputs: read
-- outputs: f*|r*|b*
-- paper: Kim 1986 (noise as correlated as the columns); Cholesky's factorization
-- By what the numbers drawn for the columns are multiplied: f2_1 is the share of the first draw in the second column's
-- noise, r1 how far the values of a column lie apart, in its least units, b1 how much noise there may be at most.
-- Values are counted on a grid of 2^24 steps from the least to the greatest, so that their sums are
-- whole numbers, and the same on every engine; what follows are single operations on doubles, rounded to 2^-10 of a step.
-- A column of which the others explain all but a millionth of its variance has no draw of its own.
with counted as (
    select
        cast(read.x1 as bigint) as u1,
        cast(cast(read.x2 as decimal(38, 2)) * 100 as bigint) as u2
    from "sqlanon_drawn" as read
),

limits as (
    select
        cast(min(counted.u1) as double) as low_1,
        cast(max(counted.u1) as double) as high_1,
        cast(min(counted.u2) as double) as low_2,
        cast(max(counted.u2) as double) as high_2
    from counted
),

placed as (
    select
        coalesce(
            cast(
                floor(
                    (cast(counted.u1 as double) - limits.low_1)
                    / nullif(limits.high_1 - limits.low_1, 0) * 16777216
                ) as bigint
            ),
            0
        ) as p1,
        coalesce(
            cast(
                floor(
                    (cast(counted.u2 as double) - limits.low_2)
                    / nullif(limits.high_2 - limits.low_2, 0) * 16777216
                ) as bigint
            ),
            0
        ) as p2
    from counted
    cross join limits
    where
        counted.u1 is not null
        and counted.u2 is not null
),

summed as (
    select
        cast(sum(cast(placed.p1 as decimal(38, 0))) as decimal(38, 0)) as s1,
        cast(sum(cast(placed.p1 * placed.p1 as decimal(38, 0))) as decimal(38, 0)) as s1_1,
        cast(sum(cast(placed.p2 as decimal(38, 0))) as decimal(38, 0)) as s2,
        cast(sum(cast(placed.p2 * placed.p1 as decimal(38, 0))) as decimal(38, 0)) as s2_1,
        cast(sum(cast(placed.p2 * placed.p2 as decimal(38, 0))) as decimal(38, 0)) as s2_2,
        cast(count(*) as decimal(38, 0)) as records
    from placed
),

multiplied as (
    select
        cast(summed.records * summed.s1_1 - summed.s1 * summed.s1 as decimal(38, 0)) as c1_1,
        cast(summed.records * summed.s2_1 - summed.s2 * summed.s1 as decimal(38, 0)) as c2_1,
        cast(summed.records * summed.s2_2 - summed.s2 * summed.s2 as decimal(38, 0)) as c2_2,
        cast(nullif(summed.records * summed.records, 0) as decimal(38, 0)) as scale
    from summed
),

column_0 as (
    select
        coalesce(
            round(
                cast(multiplied.c1_1 - multiplied.c1_1 % multiplied.scale as double)
                / cast(multiplied.scale as double)
            ),
            0
        ) as w1_1,
        coalesce(
            round(
                cast(multiplied.c2_1 - multiplied.c2_1 % multiplied.scale as double)
                / cast(multiplied.scale as double)
            ),
            0
        ) as w2_1,
        coalesce(
            round(
                cast(multiplied.c2_2 - multiplied.c2_2 % multiplied.scale as double)
                / cast(multiplied.scale as double)
            ),
            0
        ) as w2_2
    from multiplied
),

column_1 as (
    select
        before.w1_1,
        before.w2_1,
        before.w2_2,
        case
            when before.w1_1 > before.w1_1 / 1048576
                then (before.w1_1) / sqrt(before.w1_1)
            else 0
        end as f1_1,
        case
            when before.w1_1 > before.w1_1 / 1048576
                then (before.w2_1) / sqrt(before.w1_1)
            else 0
        end as f2_1
    from column_0 as before
),

column_2 as (
    select
        before.w1_1,
        before.f1_1,
        before.w2_1,
        before.f2_1,
        before.w2_2,
        case
            when before.w2_2 - before.f2_1 * before.f2_1 > before.w2_2 / 1048576
                then (before.w2_2 - before.f2_1 * before.f2_1) / sqrt(before.w2_2 - before.f2_1 * before.f2_1)
            else 0
        end as f2_2
    from column_1 as before
),

rounded as (
    select
        cast(floor(whole.f1_1 * 1024 + 0.5e0) as bigint) as f1_1,
        cast(floor(whole.f2_1 * 1024 + 0.5e0) as bigint) as f2_1,
        cast(floor(whole.f2_2 * 1024 + 0.5e0) as bigint) as f2_2
    from column_2 as whole
)

select
    rounded.f1_1,
    coalesce(limits.high_1 - limits.low_1, 0) as r1,
    coalesce(
        cast((abs(rounded.f1_1)) * 8190 as double)
        * (limits.high_1 - limits.low_1) * cast(2.46139231192617028e-15 as double) + 1,
        0
    ) as b1,
    rounded.f2_1,
    rounded.f2_2,
    coalesce(limits.high_2 - limits.low_2, 0) as r2,
    coalesce(
        cast((abs(rounded.f2_1) + abs(rounded.f2_2)) * 8190 as double)
        * (limits.high_2 - limits.low_2) * cast(2.46139231192617028e-15 as double) + 1,
        0
    ) as b2
from rounded
cross join limits
