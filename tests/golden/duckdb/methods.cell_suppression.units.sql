select
    members.unit_id,
    members.q2,
    cast(sum(members.records) as bigint) as records
from "sqlanon_cells_members" as members
group by
    members.unit_id,
    members.q2
