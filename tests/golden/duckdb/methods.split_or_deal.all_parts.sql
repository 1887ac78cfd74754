-- relation: parts
-- grain: one row per cell and class that holds records of it
-- inputs: done_parts
-- outputs: class_id, root, cell_id, records
-- paper: none
-- The classes of every level, numbered from 0 without gaps.
select
    dense_rank() over (order by done_parts.node) - 1 as class_id,
    done_parts.root,
    done_parts.cell_id,
    done_parts.records
from "sqlanon_tree_done" as done_parts
