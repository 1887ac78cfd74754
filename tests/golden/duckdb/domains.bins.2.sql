-- relation: bins
-- grain: one row per value of a sensitive attribute
-- inputs: positions
-- outputs: code, position, bin
-- paper: none
-- Each value by itself, numbered from 0, where there are few enough. Else runs of values that hold
-- about as many records as each other: a value goes by the middle of its stretch of the cumulated
-- frequencies, so that equal values always stay together.
with cumulated as (
    select
        positions.code,
        positions.position,
        2 * cast(sum(positions.records) over (order by positions.position rows unbounded preceding) as bigint)
        - positions.records as middle,
        2 * cast(sum(positions.records) over () as bigint) as scale,
        count(*) over () as numbers
    from "sqlanon_positions_s1" as positions
),

shared as (
    select
        cumulated.code,
        cumulated.position,
        case
            when cumulated.numbers <= 48 then cumulated.position
            when cumulated.middle = cumulated.scale then 47
            else
                (cumulated.middle * 48 - cumulated.middle * 48 % cumulated.scale)
                / cumulated.scale
        end as share
    from cumulated
)

select
    shared.code,
    shared.position,
    cast(dense_rank() over (order by shared.share) - 1 as integer) as bin
from shared
