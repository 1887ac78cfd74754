with counted as (
    select
        bins.bin,
        cast(sum(positions.records) as bigint) as frequency,
        count(*) as numbers
    from "sqlanon_carve_bins_s1" as bins
    inner join "sqlanon_positions_s1" as positions
        on bins.code = positions.code
    group by bins.bin
)

select
    counted.bin,
    counted.frequency,
    cast(sum(counted.frequency) over (order by counted.bin rows unbounded preceding) as bigint) as below,
    coalesce(counted.numbers + lead(counted.numbers) over (order by counted.bin), 0) as span
from counted
