-- relation: units
-- grain: one row per unit, tuples that show the same
-- inputs: members
-- outputs: unit_id, q*, records
-- paper: none
select
    members.unit_id,
    members.q1,
    members.q2,
    members.q3,
    cast(sum(members.records) as bigint) as records
from "sqlanon_cells_members" as members
group by
    members.unit_id,
    members.q1,
    members.q2,
    members.q3
