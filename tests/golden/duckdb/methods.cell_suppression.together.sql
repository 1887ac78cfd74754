-- relation: candidates
-- grain: one row per open unit
-- inputs: units
-- outputs: unit_id, pattern, cost, records, q*
-- paper: none
-- The open units as one group: they keep the columns in which all of them show the same.
with common as (
    select
        case when min(units.q1) = max(units.q1) then min(units.q1) else -1 end as q1
    from "sqlanon_cells_open_1" as units
)

select
    units.unit_id,
    0 as pattern,
    0 as cost,
    units.records,
    common.q1
from "sqlanon_cells_open_1" as units
cross join common
