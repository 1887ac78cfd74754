-- relation: class_values
-- grain: one row per class as dealt and sensitive value present in it
-- inputs: assigned, positions
-- outputs: class_id, code, position, records
-- paper: none
select
    assigned.class_id,
    positions.code,
    positions.position,
    count(*) as records
from "sqlanon_assigned" as assigned
inner join "sqlanon_positions_s1" as positions
    on assigned.s1 = positions.code
group by assigned.class_id, positions.code, positions.position
