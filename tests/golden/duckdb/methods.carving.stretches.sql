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
