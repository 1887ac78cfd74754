select
    ended.turn,
    ended.classes,
    ended.refused,
    open_cells.region,
    open_cells.cell_id,
    open_cells.value,
    open_cells.records - coalesce(taken_cells.records, 0) as records
from "sqlanon_carve_first" as open_cells
inner join "sqlanon_carve_ended" as ended
    on ended.is_last = 0
left join "sqlanon_carve_taken" as taken_cells
    on open_cells.region = taken_cells.region and open_cells.cell_id = taken_cells.cell_id
where open_cells.records > coalesce(taken_cells.records, 0)
