-- relation: bins
-- grain: one row per value of a sensitive attribute that has records
-- inputs: positions
-- outputs: code, position, bin
-- paper: Cao, Karras, Kalnis & Tan 2011, bucketization
-- Every value by itself, in the order that buckets are stretches of: depth first in its hierarchy, or
-- the commonest first. The rarest of very many values are one run.
with numbered as (
    select
        positions.code,
        positions.position,
        row_number() over (order by positions.code) - 1 as number
    from "sqlanon_positions_s1" as positions
    where positions.records > 0
)

select
    numbered.code,
    numbered.position,
    cast(case when numbered.number < 2000 then numbered.number else 2000 end as integer) as bin
from numbered
