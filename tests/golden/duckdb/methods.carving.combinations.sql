with counted as (
    select
        cells.s1,
        cast(sum(cells.records) as bigint) as records
    from "sqlanon_search_cells" as cells
    group by cells.s1
)

select
    row_number() over (
        order by counted.s1
    ) as code,
    counted.records,
    counted.s1,
    bins_s1.position as s1_position,
    bins_s1.bin as s1_bin
from counted
inner join "sqlanon_carve_bins_s1" as bins_s1
    on counted.s1 = bins_s1.code
