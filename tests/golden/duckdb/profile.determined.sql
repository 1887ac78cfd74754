-- relation: profile_determined
-- grain: one row per column and another column that it may determine
-- inputs: profile_pairs
-- outputs: number, missed
-- paper: none
-- In how many records the other column is not the commonest among the records of the same value; none
-- means that the value gives the other away. NULL is a value.
with missed as (
    select
        0 as number,
        sum(told.missed) as missed
    from (
        select sum(profile_pairs.records) - max(profile_pairs.records) as missed
        from "sqlanon_profile_pairs" as profile_pairs
        where profile_pairs.pair = 0
        group by profile_pairs.x9
    ) as told
    union all
    select
        1 as number,
        sum(told.missed) as missed
    from (
        select sum(profile_pairs.records) - max(profile_pairs.records) as missed
        from "sqlanon_profile_pairs" as profile_pairs
        where profile_pairs.pair = 1
        group by profile_pairs.x10
    ) as told
    union all
    select
        2 as number,
        sum(told.missed) as missed
    from (
        select sum(profile_pairs.records) - max(profile_pairs.records) as missed
        from "sqlanon_profile_pairs" as profile_pairs
        where profile_pairs.pair = 1
        group by profile_pairs.x12
    ) as told

)

select
    missed.number,
    cast(coalesce(missed.missed, 0) as bigint) as missed
from missed
