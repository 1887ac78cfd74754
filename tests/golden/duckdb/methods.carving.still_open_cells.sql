select
    ended.turn,
    ended.classes,
    ended.refused,
    open_cells.region,
    open_cells.cell_id,
    open_cells.value,
    open_cells.records - coalesce(taken_cells.records, 0) as records,
    open_cells.mix,
    open_cells.q1_0,
    open_cells.q1_1,
    open_cells.q1_2,
    open_cells.q1_3,
    open_cells.q1_4,
    open_cells.q1_5,
    open_cells.q2_0,
    open_cells.q2_1,
    open_cells.q2_2,
    open_cells.q2_3,
    open_cells.q2_4,
    open_cells.q2_5,
    open_cells.q3_0,
    open_cells.q3_1,
    open_cells.q3_2,
    open_cells.q3_3,
    open_cells.q3_4,
    open_cells.q3_5
from "sqlanon_carve_first" as open_cells
inner join "sqlanon_carve_ended" as ended
    on ended.is_last = 0
left join "sqlanon_carve_taken" as taken_cells
    on open_cells.region = taken_cells.region and open_cells.cell_id = taken_cells.cell_id
where open_cells.records > coalesce(taken_cells.records, 0)
