with counted as (
    select
        band_cells.region,
        band_cells.group_id,
        band_cells.value,
        cast(sum(band_cells.records) as bigint) as held
    from "sqlanon_carve_band" as band_cells
    group by band_cells.region, band_cells.group_id, band_cells.value
),

large_enough as (
    select counted.group_id
    from counted
    group by counted.group_id
    having sum(counted.held) >= 10
)

select
    counted.region,
    counted.group_id,
    counted.value,
    counted.held * 65536 as share
from counted
inner join large_enough
    on counted.group_id = large_enough.group_id
