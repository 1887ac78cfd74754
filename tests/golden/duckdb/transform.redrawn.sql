-- relation: redrawn
-- grain: one row per distinct value of the attribute
-- inputs: read
-- outputs: value, low, high
-- paper: Kooiman, Willenborg & Gouweleeuw 1997 (post-randomization; the invariant matrix)
-- The stretch of numbers by which each value is drawn: as long as it is frequent, of those from 0 on.
with counted as (
    select
        read.x5 as value,
        count(*) as records
    from "sqlanon_drawn" as read
    where read.x5 is not null
    group by read.x5
),

placed as (
    select
        counted.value,
        counted.records,
        cast(
            sum(counted.records) over (order by counted.value rows unbounded preceding) as double
        ) as upto,
        cast(sum(counted.records) over () as double) as known
    from counted
)

select
    placed.value,
    cast(floor((placed.upto - placed.records) / placed.known * 28147497671066) as bigint) as low,
    cast(floor(placed.upto / placed.known * 28147497671066) as bigint) as high
from placed
