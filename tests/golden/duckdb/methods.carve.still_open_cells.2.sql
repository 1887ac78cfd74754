-- relation: still_open_cells
-- grain: one row per region and cell with open records
-- inputs: open_cells, taken_cells, ended
-- outputs: turn, classes, refused, region, cell_id, value, records, mix, q*
-- paper: sqlanon, Carve §4
-- The open cells without the records just taken, for the next turn; none after the last one.
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
    open_cells.q1_6,
    open_cells.q1_7,
    open_cells.q1_8,
    open_cells.q1_9,
    open_cells.q2_0,
    open_cells.q2_1,
    open_cells.q2_2,
    open_cells.q3_0,
    open_cells.q3_1,
    open_cells.q3_2,
    open_cells.q3_3,
    open_cells.q3_4,
    open_cells.q3_5,
    open_cells.q3_6,
    open_cells.q3_7,
    open_cells.q3_8,
    open_cells.q3_9
from "sqlanon_carve_left_in_1" as open_cells
inner join "sqlanon_carve_ended" as ended
    on ended.is_last = 0
left join "sqlanon_carve_taken" as taken_cells
    on open_cells.region = taken_cells.region and open_cells.cell_id = taken_cells.cell_id
where open_cells.records > coalesce(taken_cells.records, 0)
