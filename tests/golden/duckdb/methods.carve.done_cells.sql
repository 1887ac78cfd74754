-- relation: done_cells
-- grain: one row per region, cell and new class that takes records of it
-- inputs: open_cells, taken_cells, ended
-- outputs: region, cell_id, class_id, records, classes, refused
-- paper: sqlanon, Carve §4
-- What a turn has carved; after the last turn, what no lattice node took is one more class of its
-- region: at least k records, and t-close. Its number is not below that of the classes that were carved.
with left_over as (
    select
        open_cells.region,
        open_cells.cell_id,
        open_cells.records - coalesce(taken_cells.records, 0) as records,
        ended.classes,
        ended.refused
    from "sqlanon_carve_first" as open_cells
    inner join "sqlanon_carve_ended" as ended
        on ended.is_last = 1
    left join "sqlanon_carve_taken" as taken_cells
        on open_cells.region = taken_cells.region and open_cells.cell_id = taken_cells.cell_id
    where open_cells.records > coalesce(taken_cells.records, 0)
),

regions as (
    select
        left_over.region,
        row_number() over (order by left_over.region) - 1 as place
    from left_over
    group by left_over.region
)

select
    taken_cells.region,
    taken_cells.cell_id,
    taken_cells.class_id,
    taken_cells.records,
    ended.classes,
    ended.refused
from "sqlanon_carve_taken" as taken_cells
cross join "sqlanon_carve_ended" as ended
union all
select
    left_over.region,
    left_over.cell_id,
    left_over.classes + regions.place as class_id,
    left_over.records,
    left_over.classes,
    left_over.refused
from left_over
inner join regions
    on left_over.region = regions.region
