-- relation: records
-- grain: one row per record of the source
-- inputs: read, redrawn_*
-- outputs: q*|s*|x*|k*|w*|o*
-- paper: none
-- The records with their transformed values, of which all else is made; o1, o2, … are the values as they
-- were, to measure what was changed, and no other relation reads them. A value that is drawn anew is the one
-- whose stretch of numbers holds what is drawn of the record; one that is traded is found by the record's name; noise
-- of several columns is mixed by one factor. Each stage does one transform of
-- every column that has so many.
with
stage_1 as (
    select
        before.q1,
        before.q2,
        before.s1,
        cast(cast(before.x1 as bigint) + cast(floor(cast(redrawn_noise_0.f1_1 * (before.d1 % 4096 + cast((before.d1 % 16777216 - before.d1 % 4096) / 4096 as bigint) + cast((before.d1 % 68719476736 - before.d1 % 16777216) / 16777216 as bigint) + cast((before.d1 - before.d1 % 68719476736) / 68719476736 as bigint) - 8190) as double) * redrawn_noise_0.r1 * cast(2.46139231192617028e-15 as double) + 0.5e0) as bigint) as bigint) as x1,
        cast(before.x2 + cast(cast(floor(cast(redrawn_noise_0.f2_1 * (before.d1 % 4096 + cast((before.d1 % 16777216 - before.d1 % 4096) / 4096 as bigint) + cast((before.d1 % 68719476736 - before.d1 % 16777216) / 16777216 as bigint) + cast((before.d1 - before.d1 % 68719476736) / 68719476736 as bigint) - 8190) + redrawn_noise_0.f2_2 * (before.d2 % 4096 + cast((before.d2 % 16777216 - before.d2 % 4096) / 4096 as bigint) + cast((before.d2 % 68719476736 - before.d2 % 16777216) / 16777216 as bigint) + cast((before.d2 - before.d2 % 68719476736) / 68719476736 as bigint) - 8190) as double) * redrawn_noise_0.r2 * cast(2.46139231192617028e-15 as double) + 0.5e0) as bigint) as decimal(19, 0)) * 0.01 as decimal(9, 2)) as x2,
        case when redrawn_swap_0.k1 is null then before.x3 else redrawn_swap_0.x3 end as x3,
        case when redrawn_swap_0.k1 is null then before.x4 else redrawn_swap_0.x4 end as x4,
        before.k1,
        before.d1,
        before.d2,
        before.d3,
        before.x1 as o1,
        before.x2 as o2,
        before.x3 as o3,
        before.x4 as o4
    from "sqlanon_drawn" as before
    left join "sqlanon_redrawn_swap_0" as redrawn_swap_0
        on
            before.k1 = redrawn_swap_0.k1
    cross join "sqlanon_redrawn_noise_0" as redrawn_noise_0
),

stage_2 as (
    select
        before.q1,
        before.q2,
        before.s1,
        case when before.x1 < 0 then cast(0 as bigint) else before.x1 end as x1,
        before.x2,
        case when length(before.x3) > 1 then left(before.x3, 1) || repeat('*', cast(length(before.x3) - 1 as integer)) else before.x3 end as x3,
        before.x4,
        before.k1,
        before.d1,
        before.d2,
        before.d3,
        before.o1,
        before.o2,
        before.o3,
        before.o4
    from stage_1 as before
)

select
    last_stage.q1,
    last_stage.q2,
    last_stage.s1,
    last_stage.x1,
    last_stage.x2,
    last_stage.x3,
    last_stage.x4,
    last_stage.k1,
    last_stage.o1,
    last_stage.o2,
    last_stage.o3,
    last_stage.o4
from stage_2 as last_stage
