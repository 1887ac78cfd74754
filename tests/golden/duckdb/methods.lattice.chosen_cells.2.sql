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
                placed.q1_part_3,
                placed.q2_part_0
        ) as integer
    ) as class_id,
    placed.q1,
    placed.q2,
    placed.records
from "sqlanon_lattice_placed" as placed
