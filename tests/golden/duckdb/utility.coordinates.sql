with bins as (
    select distinct places.bin
    from "sqlanon_values_q2" as places
    where places.bin is not null
)

select
    read_cells.cell,
    read_cells.bin as axis,
    cast(floor(read_cells.share * 707 + 0.500000001e0) as bigint) as coordinate
from "sqlanon_read_q2_source" as read_cells
inner join bins
    on read_cells.bin = bins.bin
