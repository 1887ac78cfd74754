-- relation: read
-- grain: one row per cell and bin of values that it reaches into
-- inputs: values, stretches
-- outputs: cell, bin, share
-- paper: none
-- A cell read uniformly: each of the source's values that it covers is as likely. The share is that of its
-- values that lie in the bin.
with bins as (
    select
        places.bin,
        min(places.below) as first_place,
        max(places.below) + 1 as beyond
    from "sqlanon_values_q1" as places
    where places.held = 1
    group by places.bin
),

covered as (
    select
        stretches.cell,
        cast(sum(stretches.beyond - stretches.first_place) as bigint) as covered
    from "sqlanon_stretches_q1_source" as stretches
    group by stretches.cell
),

met as (
    select
        stretches.cell,
        bins.bin,
        cast(sum(
            least(stretches.beyond, bins.beyond) - greatest(stretches.first_place, bins.first_place)
        ) as bigint) as met
    from "sqlanon_stretches_q1_source" as stretches
    inner join bins
        on stretches.first_place < bins.beyond and stretches.beyond > bins.first_place
    group by stretches.cell, bins.bin
)

select
    met.cell,
    met.bin,
    cast(met.met as double) / covered.covered as share
from met
inner join covered
    on met.cell = covered.cell
