select
    units.unit_id,
    units.q2,
    units.records
from "sqlanon_cells_units" as units
left join "sqlanon_cells_units" as others
    on units.unit_id = others.unit_id
where others.unit_id is null
