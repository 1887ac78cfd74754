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
        cast(cast(before.s1 as bigint) - ((cast(before.s1 as bigint) % 2) + 2) % 2 + case when 2 * (((cast(before.s1 as bigint) % 2) + 2) % 2) >= 2 then 2 else 0 end as bigint) as s1,
        cast(cast(before.x1 as bigint) + cast((cast((cast((before.d1 - (before.d1) % 16777216) / 16777216 as bigint) * 5 + cast((before.d1 % 16777216 * 5 - (before.d1 % 16777216 * 5) % 16777216) / 16777216 as bigint) - (cast((before.d1 - (before.d1) % 16777216) / 16777216 as bigint) * 5 + cast((before.d1 % 16777216 * 5 - (before.d1 % 16777216 * 5) % 16777216) / 16777216 as bigint)) % 16777216) / 16777216 as bigint) - 2) as decimal(10, 0)) * 1 as bigint) as x1,
        cast(before.x2 + round(before.x2 * cast((cast((cast((before.d2 - (before.d2) % 16777216) / 16777216 as bigint) * 101 + cast((before.d2 % 16777216 * 101 - (before.d2 % 16777216 * 101) % 16777216) / 16777216 as bigint) - (cast((before.d2 - (before.d2) % 16777216) / 16777216 as bigint) * 101 + cast((before.d2 % 16777216 * 101 - (before.d2 % 16777216 * 101) % 16777216) / 16777216 as bigint)) % 16777216) / 16777216 as bigint) - 50) as decimal(4, 0)) * 0.001, 2) as decimal(9, 2)) as x2,
        coalesce(redrawn_x3.value, before.x3) as x3,
        before.x4 + cast((cast((cast((before.d4 - (before.d4) % 16777216) / 16777216 as bigint) * 61 + cast((before.d4 % 16777216 * 61 - (before.d4 % 16777216 * 61) % 16777216) / 16777216 as bigint) - (cast((before.d4 - (before.d4) % 16777216) / 16777216 as bigint) * 61 + cast((before.d4 % 16777216 * 61 - (before.d4 % 16777216 * 61) % 16777216) / 16777216 as bigint)) % 16777216) / 16777216 as bigint) - 30) as integer) as x4,
        case when before.d5 < 253327479039590 or before.x5 is null then before.x5 else redrawn_x5.value end as x5,
        before.k1,
        before.d1,
        before.d2,
        before.d3,
        before.d4,
        before.d5,
        before.s1 as o1,
        before.x1 as o2,
        before.x2 as o3,
        before.x3 as o4,
        before.x4 as o5,
        before.x5 as o6
    from "sqlanon_drawn" as before
    left join "sqlanon_redrawn_x3" as redrawn_x3
        on
            before.k1 = redrawn_x3.k1
    left join "sqlanon_redrawn_x5" as redrawn_x5
        on
            before.d5 - 253327479039590 >= redrawn_x5.low
            and before.d5 - 253327479039590 < redrawn_x5.high
),

stage_2 as (
    select
        before.q1,
        case when before.s1 > 8 then cast(8 as bigint) else before.s1 end as s1,
        before.x1,
        '[' || cast(cast(before.x2 - ((before.x2 % 25.00) + 25.00) % 25.00 as decimal(9, 2)) as varchar) || ', ' || cast(cast(before.x2 - ((before.x2 % 25.00) + 25.00) % 25.00 + 25.00 as decimal(9, 2)) as varchar) || ')' as x2,
        before.x3,
        before.x4,
        case when length(before.x5) > 4 then left(before.x5, 4) || repeat('*', cast(length(before.x5) - 4 as integer)) else before.x5 end as x5,
        before.k1,
        before.d1,
        before.d2,
        before.d3,
        before.d4,
        before.d5,
        before.o1,
        before.o2,
        before.o3,
        before.o4,
        before.o5,
        before.o6
    from stage_1 as before
),

stage_3 as (
    select
        before.q1,
        case when before.s1 < 2 then cast(2 as bigint) else before.s1 end as s1,
        before.x1,
        before.x2,
        before.x3,
        before.x4,
        before.x5,
        before.k1,
        before.d1,
        before.d2,
        before.d3,
        before.d4,
        before.d5,
        before.o1,
        before.o2,
        before.o3,
        before.o4,
        before.o5,
        before.o6
    from stage_2 as before
)

select
    last_stage.q1,
    last_stage.s1,
    last_stage.x1,
    last_stage.x2,
    last_stage.x3,
    last_stage.x4,
    last_stage.x5,
    last_stage.k1,
    last_stage.o1,
    last_stage.o2,
    last_stage.o3,
    last_stage.o4,
    last_stage.o5,
    last_stage.o6
from stage_3 as last_stage
