-- relation: chosen_values
-- grain: one row per class as formed and sensitive value in it
-- inputs: chosen_cells, positions
-- outputs: class_id, code, position, records
-- paper: none
select
    chosen_cells.class_id,
    chosen_cells.s1 as code,
    positions.position,
    cast(sum(chosen_cells.records) as bigint) as records
from "sqlanon_micro_formed" as chosen_cells
inner join "sqlanon_positions_s1" as positions
    on chosen_cells.s1 = positions.code
group by chosen_cells.class_id, chosen_cells.s1, positions.position
