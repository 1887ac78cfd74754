select
    members.block as class_id,
    members.cell_id,
    members.block,
    members.inside as records
from "sqlanon_micro_members_0_0" as members
where members.inside > 0
