-- relation: stretches
-- grain: one row per bin of neighbouring sensitive values
-- inputs: positions, places
-- outputs: place, frequency, below, span
-- paper: none
-- The table's records at every place, a bin of neighbouring values, and those up to it. A sum over the
-- values weights what is known at the end of a bin by its span: half of the values before it and half
-- of those after it, between which it changes evenly; a span is counted twice, to be whole.
with counted as (
    select
        places.bin as place,
        cast(sum(positions.records) as bigint) as frequency,
        count(*) as numbers
    from "sqlanon_carve_places_s1" as places
    inner join "sqlanon_positions_s1" as positions
        on places.code = positions.code
    group by places.bin
)

select
    counted.place,
    counted.frequency,
    cast(sum(counted.frequency) over (order by counted.place rows unbounded preceding) as bigint) as below,
    coalesce(counted.numbers + lead(counted.numbers) over (order by counted.place), 0) as span
from counted
