-- relation: chosen_cells
-- grain: one row per combination of quasi-identifiers and sensitive values in the data
-- inputs: placed
-- outputs: class_id, q*, s*|b*, people*, records
-- paper: none
-- The class of every combination at the node that was chosen; if wanted, with the first and the last
-- code in use of its groups.
select
    cast(
        dense_rank() over (
            order by
                placed.q1_part_0,
                placed.q2_part_2,
                placed.q3_part_1
        ) as integer
    ) as class_id,
    placed.q1,
    min(placed.q1) over (partition by placed.q1_part_0) as q1_low,
    max(placed.q1) over (partition by placed.q1_part_0) as q1_high,
    placed.q2,
    min(placed.q2) over (partition by placed.q2_part_2) as q2_low,
    max(placed.q2) over (partition by placed.q2_part_2) as q2_high,
    placed.q3,
    min(placed.q3) over (partition by placed.q3_part_1) as q3_low,
    max(placed.q3) over (partition by placed.q3_part_1) as q3_high,
    placed.s1,
    placed.records
from "sqlanon_lattice_placed" as placed
