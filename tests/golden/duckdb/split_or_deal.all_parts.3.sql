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
    from "sqlanon_tree_closed_1" as piece_1
    union all
    select
        piece_2.class_id,
        piece_2.root,
        piece_2.cell_id,
        piece_2.records
    from "sqlanon_tree_closed_2" as piece_2
    union all
    select
        piece_3.class_id,
        piece_3.root,
        piece_3.cell_id,
        piece_3.records
    from "sqlanon_tree_closed_3" as piece_3
    union all
    select
        piece_4.class_id,
        piece_4.root,
        piece_4.cell_id,
        piece_4.records
    from "sqlanon_tree_closed_last" as piece_4

)

select
    dense_rank() over (order by together.class_id) - 1 as class_id,
    together.root,
    together.cell_id,
    together.records
from together
