-- relation: units_left
-- grain: one row per unit that is not among others
-- inputs: units, others
-- outputs: unit_id, q*, records
-- paper: none
select
    units.unit_id,
    units.q1,
    units.q2,
    units.q3,
    units.records
from "sqlanon_cells_units" as units
left join "sqlanon_cells_chosen_2" as others
    on units.unit_id = others.unit_id
where others.unit_id is null
