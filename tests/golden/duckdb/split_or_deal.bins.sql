-- relation: bins
-- grain: one row per value of a sensitive attribute
-- inputs: positions, places
-- outputs: code, bin, tail, width, summed
-- paper: none
-- The bin of neighbouring values that a value is in; how many values of the bin are not before it, and
-- how many there are in all; and the sum of the table's cumulated counts over these.
with cumulated as (
    select
        places.code,
        places.position,
        places.bin,
        cast(sum(positions.records) over (order by places.position rows unbounded preceding) as bigint) as reached
    from "sqlanon_search_places" as places
    inner join "sqlanon_positions_s2" as positions
        on places.code = positions.code
),

sized as (
    select
        cumulated.bin,
        count(*) as width,
        max(cumulated.position) as last_position,
        cast(sum(cumulated.reached) as bigint) as summed
    from cumulated
    group by cumulated.bin
)

select
    cumulated.code,
    cumulated.bin,
    sized.last_position - cumulated.position + 1 as tail,
    sized.width,
    sized.summed
from cumulated
inner join sized
    on cumulated.bin = sized.bin
