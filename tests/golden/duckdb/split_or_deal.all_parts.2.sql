-- relation: parts
-- grain: one row per cell and class that holds records of it
-- inputs: piece_*
-- outputs: class_id, root, cell_id, records
-- paper: none
-- The classes of every level together, or those of one start among several, numbered from 0 without
-- gaps.
with together as (
    select
        piece_1.class_id,
        piece_1.root,
        piece_1.cell_id,
        piece_1.records
    from "sqlanon_tree_grown" as piece_1
    where piece_1.root % 4 = 2

)

select
    dense_rank() over (order by together.class_id) - 1 as class_id,
    together.root,
    together.cell_id,
    together.records
from together
