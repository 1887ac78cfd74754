-- relation: cells
-- grain: one row per class as formed, or per block of them
-- inputs: assigned, blocks?
-- outputs: cell_id, q*, records
-- paper: none
-- The extent of every class in some of the columns, from the least code to the greatest, with how many
-- records, or persons, it has: what is cut into blocks. Where classes are in blocks already, the blocks are.
select
    cast(blocks.block as bigint) as cell_id,
    min(assigned.q1) as q1_low,
    max(assigned.q1) as q1_high,
    count(*) as records
from "sqlanon_assigned" as assigned
inner join "sqlanon_subset_blocks_1" as blocks
    on assigned.class_id = blocks.class_id
group by blocks.block
