-- relation: bins
-- grain: one row per value of a sensitive attribute
-- inputs: places, prefixes
-- outputs: code, bin, tail, width, summed
-- paper: none
-- The bin of neighbouring values that a value is in; how many values of the bin are not before it, and
-- how many there are in all; and the sum of the table's cumulated counts over these.
with sized as (
    select
        places.bin,
        count(*) as width,
        max(places.position) as last_position,
        cast(sum(prefixes.below) as bigint) as summed
    from "sqlanon_search_places" as places
    inner join "sqlanon_search_prefixes_s2" as prefixes
        on places.code = prefixes.code
    group by places.bin
)

select
    places.code,
    places.bin,
    sized.last_position - places.position + 1 as tail,
    sized.width,
    sized.summed
from "sqlanon_search_places" as places
inner join sized
    on places.bin = sized.bin
