with counted as (
    select
        done_cells.region,
        first_cells.value,
        cast(sum(done_cells.records) as bigint) as taken
    from "sqlanon_carve_done" as done_cells
    inner join "sqlanon_carve_first" as first_cells
        on done_cells.region = first_cells.region and done_cells.cell_id = first_cells.cell_id
    where done_cells.class_id >= done_cells.classes
    group by done_cells.region, first_cells.value
)

select
    counted.region,
    counted.region as group_id,
    0 as candidate,
    counted.value,
    counted.taken,
    cast(sum(counted.taken) over (partition by counted.region) as bigint) as size
from counted
