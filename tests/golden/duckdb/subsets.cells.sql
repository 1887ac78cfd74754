-- relation: cells
-- grain: one row per class as formed, or per block of them
-- inputs: assigned, blocks?
-- outputs: cell_id, q*, records
-- paper: none
-- The extent of every class in some of the columns, from the least code to the greatest, with how many
-- records, or persons, it has: what is cut into blocks. Where classes are in blocks already, the blocks are.
select
    cast(assigned.class_id as bigint) as cell_id,
    min(assigned.q1) as q1_low,
    max(assigned.q1) as q1_high,
    min(assigned.q2) as q2_low,
    max(assigned.q2) as q2_high,
    count(*) as records
from "sqlanon_assigned" as assigned
group by assigned.class_id
